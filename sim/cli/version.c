#include <stdio.h>
#include <string.h>

#include "core/support/sha256.h"
#include "sim/cli/inputs.h"
#include "sim/cli/libraries.h"
#include "sim/store/schema.h"

const char *fz_program_version(void)
{
    return FZ_VERSION;
}

void fz_program_version_print(void)
{
    printf("frenzy %s\n%-8s %s\n%-8s %u, of results databases\n", FZ_VERSION, "commit", FZ_COMMIT, "schema",
           fz_store_schema_version);
    fz_libraries_print();
}

/* Hashes the program's own file; false where it cannot be read. */
static bool own_hash(char hex[65])
{
    enum { PIECE = 1 << 16 };
    unsigned char bytes[PIECE];
    fz_sha256 sha;
    FILE *file = fopen("/proc/self/exe", "rb");
    size_t got = 0;
    if (file == NULL)
        return false;
    fz_sha256_init(&sha);
    while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0)
        fz_sha256_update(&sha, bytes, got);
    bool good = ferror(file) == 0;
    fclose(file);
    fz_sha256_hex(&sha, hex);
    return good;
}

void fz_program_build(char text[FZ_BUILD_TEXT])
{
    char hex[65];
    if (own_hash(hex))
        snprintf(text, FZ_BUILD_TEXT, "%s build %.12s", FZ_VERSION, hex);
    else
        snprintf(text, FZ_BUILD_TEXT, "%s", FZ_VERSION);
}
