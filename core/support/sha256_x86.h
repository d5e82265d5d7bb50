/* SHA-256 with the SHA extension of x86 processors. Private to sha256.c. On other processors
 * fz_sha256_x86_available() is false and the other function is never called. */
#ifndef FRENZY_SUPPORT_SHA256_X86_H
#define FRENZY_SUPPORT_SHA256_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const uint32_t fz_sha256_k[64];

bool fz_sha256_x86_available(void);
void fz_sha256_x86_compress(uint32_t state[8], const uint8_t *blocks, size_t n_blocks);

#endif
