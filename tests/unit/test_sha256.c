#include <stdlib.h>
#include <string.h>

#include "core/support/sha256.h"
#include "tests/harness.h"
#include "tests/temp.h"

typedef void (*init_fn)(fz_sha256 *sha);
static const init_fn inits[] = {fz_sha256_init, fz_sha256_init_portable};

static void check(const char *bytes, size_t length, size_t repeat, const char *expected)
{
    for (size_t k = 0; k < 2; k++) {
        fz_sha256 sha;
        char hex[65];
        inits[k](&sha);
        for (size_t i = 0; i < repeat; i++)
            fz_sha256_update(&sha, bytes, length);
        fz_sha256_hex(&sha, hex);
        CU_ASSERT_STRING_EQUAL(hex, expected);
    }
}

/* Vectors of NIST (FIPS 180-4 example values and the Cryptographic Algorithm Validation Program). */
static void nist_vectors(void)
{
    check("", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 3, 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, 1,
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmn"
          "opq"
          "rstnopqrstu",
          112, 1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    check("a", 1, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    check("\xbd", 1, 1, "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
    check("\xc9\x8c\x8e\x55", 4, 1, "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504");
}

/* Both ways give the same at every length and every cut. */
static void both_ways_at_all_lengths(void)
{
    uint8_t bytes[400];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 167 + 13);
    for (size_t length = 0; length <= sizeof bytes; length++) {
        char hex[2][65];
        for (size_t k = 0; k < 2; k++) {
            fz_sha256 sha;
            size_t cut = k == 0 ? 0 : length * 5 / 7;
            inits[k](&sha);
            fz_sha256_update(&sha, bytes, cut);
            fz_sha256_update(&sha, bytes + cut, length - cut);
            fz_sha256_hex(&sha, hex[k]);
        }
        CU_ASSERT_STRING_EQUAL(hex[0], hex[1]);
    }
}

/* A folder can be opened, but not read. */
static void files(void)
{
    fz_temp temp;
    char hex[65];
    fz_temp_open(&temp);
    CU_ASSERT_TRUE(fz_sha256_file(fz_temp_text(&temp, "abc", "abc"), hex));
    CU_ASSERT_STRING_EQUAL(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CU_ASSERT_FALSE(fz_sha256_file(fz_temp_path(&temp, "absent"), hex));
    CU_ASSERT_FALSE(fz_sha256_file(temp.folder, hex));
    fz_temp_close(&temp);
}

int main(void)
{
    static const fz_test tests[] = {
        {"NIST vectors, with and without SHA instructions", nist_vectors},
        {"both ways agree at all lengths", both_ways_at_all_lengths},
        {"files", files},
    };
    return FZ_TEST_MAIN("sha256", tests);
}
