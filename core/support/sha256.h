/* SHA-256 (FIPS 180-4), incremental. Uses the processor's SHA instructions where it has them; the
 * results are equal. */
#ifndef FRENZY_SUPPORT_SHA256_H
#define FRENZY_SUPPORT_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fz_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    uint8_t block[64];
    void (*compress)(uint32_t state[8], const uint8_t *blocks, size_t n_blocks);
} fz_sha256;

void fz_sha256_init(fz_sha256 *sha);
void fz_sha256_init_portable(fz_sha256 *sha); /* without the SHA instructions, to compare with */
void fz_sha256_update(fz_sha256 *sha, const void *bytes, size_t length);
/* Writes 64 lower-case hex digits and a zero. The object must be initialised again before reuse. */
void fz_sha256_hex(fz_sha256 *sha, char hex[65]);

/* The hash of a file; false where it cannot be read. */
bool fz_sha256_file(const char *path, char hex[65]);

#endif
