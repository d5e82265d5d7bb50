#include "core/support/sha256.h"

#include <string.h>

#include "core/support/sha256_x86.h"

/* FIPS 180-4, section 4.2.2: first 32 bits of the fractions of the cube roots of the first 64 primes. */
const uint32_t fz_sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static uint32_t load_be(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void message_schedule(uint32_t w[64], const uint8_t *block)
{
    for (size_t i = 0; i < 16; i++)
        w[i] = load_be(block + 4 * i);
    for (size_t i = 16; i < 64; i++) {
        uint32_t s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

static void compress_block(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    message_schedule(w, block);
    for (size_t i = 0; i < 64; i++) {
        uint32_t t1 =
            h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + fz_sha256_k[i] + w[i];
        uint32_t t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

static void compress_portable(uint32_t state[8], const uint8_t *blocks, size_t n_blocks)
{
    for (size_t i = 0; i < n_blocks; i++)
        compress_block(state, blocks + 64 * i);
}

void fz_sha256_init_portable(fz_sha256 *sha)
{
    /* FIPS 180-4, section 5.3.3. */
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha->state, initial, sizeof initial);
    sha->length = 0;
    sha->compress = compress_portable;
}

void fz_sha256_init(fz_sha256 *sha)
{
    fz_sha256_init_portable(sha);
    if (fz_sha256_x86_available())
        sha->compress = fz_sha256_x86_compress;
}

void fz_sha256_update(fz_sha256 *sha, const void *bytes, size_t length)
{
    const uint8_t *p = bytes;
    size_t held = (size_t)(sha->length % 64);
    if (length == 0)
        return;
    sha->length += length;
    if (held > 0) {
        size_t take = length < 64 - held ? length : 64 - held;
        memcpy(sha->block + held, p, take);
        if (held + take < 64)
            return;
        sha->compress(sha->state, sha->block, 1);
        p += take;
        length -= take;
    }
    sha->compress(sha->state, p, length / 64);
    memcpy(sha->block, p + length / 64 * 64, length % 64);
}

static void finish(fz_sha256 *sha)
{
    uint8_t tail[128] = {0};
    size_t held = (size_t)(sha->length % 64);
    size_t total = held < 56 ? 64 : 128;
    uint64_t bits = sha->length * 8;
    memcpy(tail, sha->block, held);
    tail[held] = 0x80;
    for (size_t i = 0; i < 8; i++)
        tail[total - 1 - i] = (uint8_t)(bits >> 8 * i);
    sha->compress(sha->state, tail, total / 64);
}

void fz_sha256_hex(fz_sha256 *sha, char hex[65])
{
    static const char digits[] = "0123456789abcdef";
    finish(sha);
    for (size_t i = 0; i < 64; i++)
        hex[i] = digits[sha->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    hex[64] = '\0';
}
