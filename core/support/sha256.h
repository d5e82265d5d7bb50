/* SHA-256 (FIPS 180-4), incremental. */
#ifndef FRENZY_SUPPORT_SHA256_H
#define FRENZY_SUPPORT_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct fz_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    uint8_t block[64];
} fz_sha256;

void fz_sha256_init(fz_sha256 *sha);
void fz_sha256_update(fz_sha256 *sha, const void *bytes, size_t length);
/* Writes 64 lower-case hex digits and a zero. The object must be initialised again before reuse. */
void fz_sha256_hex(fz_sha256 *sha, char hex[65]);

#endif
