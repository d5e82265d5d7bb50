#include "core/support/utf8.h"

/* Length of the character at `p`, of which `left` bytes are there; 0 if it is not valid. */
static size_t character(const unsigned char *p, size_t left)
{
    unsigned char low = 0x80, high = 0xbf; /* bounds of the second byte */
    size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    if (n < 2)
        return n;
    if (p[0] == 0xe0)
        low = 0xa0;
    else if (p[0] == 0xed)
        high = 0x9f;
    else if (p[0] == 0xf0)
        low = 0x90;
    else if (p[0] == 0xf4)
        high = 0x8f;
    if (n > left || p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

size_t fz_utf8_valid(const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t i = 0;
    while (i < length) {
        size_t n = character(p + i, length - i);
        if (n == 0)
            break;
        i += n;
    }
    return i;
}

char *fz_utf8_write(char *to, uint32_t character_code)
{
    static const uint8_t lead[4] = {0x00, 0xc0, 0xe0, 0xf0};
    unsigned n = character_code < 0x80 ? 0 : character_code < 0x800 ? 1 : character_code < 0x10000 ? 2 : 3;
    *to++ = (char)(lead[n] | character_code >> 6 * n);
    while (n-- > 0)
        *to++ = (char)(0x80 | (character_code >> 6 * n & 0x3f));
    return to;
}

fz_place fz_place_of(const char *text, size_t offset)
{
    fz_place place = {1, 1};
    for (size_t i = 0; i < offset; i++) {
        if (text[i] == '\n')
            place = (fz_place){place.line + 1, 1};
        else if (((unsigned char)text[i] & 0xc0) != 0x80)
            place.column++;
    }
    return place;
}
