/* UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef FRENZY_SUPPORT_UTF8_H
#define FRENZY_SUPPORT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* How many leading bytes are valid UTF-8: `length` if all are. */
size_t fz_utf8_valid(const char *text, size_t length);

/* Where something stands in a text: line and character, from 1. */
typedef struct fz_place {
    uint32_t line, column;
} fz_place;

/* The place of a byte. */
fz_place fz_place_of(const char *text, size_t offset);

/* Writes one character (1 to 4 bytes); returns the place behind it. */
char *fz_utf8_write(char *to, uint32_t character);

#endif
