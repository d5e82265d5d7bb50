#include <stdio.h>

#include "core/support/sha256.h"

bool fz_sha256_file(const char *path, char hex[65])
{
    enum { PIECE = 1 << 16 };
    unsigned char bytes[PIECE];
    fz_sha256 sha;
    FILE *file = fopen(path, "rb");
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
