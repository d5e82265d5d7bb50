/* Decimal numbers out of text, the same in every locale: [+-] digits [. digits] [e [+-] digits], blanks
 * around allowed, nothing else (no hex, no NaN, no infinity), at most 300 characters. */
#ifndef FRENZY_SUPPORT_NUMBER_H
#define FRENZY_SUPPORT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include <frenzy/units.h>

typedef enum fz_number_result {
    FZ_NUMBER_OK,
    FZ_NUMBER_NONE,     /* not a number */
    FZ_NUMBER_LARGE,    /* beyond the limit */
    FZ_NUMBER_NEGATIVE, /* a count must not be */
    FZ_NUMBER_FRACTION  /* a count must not have one */
} fz_number_result;

/* Seconds to the nearest microsecond, halves away from zero; exact. |t| <= FZ_TIME_LIMIT. */
fz_number_result fz_number_time(const char *text, size_t length, fz_time *out);

/* The nearest double; finite. */
fz_number_result fz_number_real(const char *text, size_t length, double *out);

/* A whole number of 0 to `max`, exact; 4.0 and 4e3 are whole. */
fz_number_result fz_number_count(const char *text, size_t length, uint64_t max, uint64_t *out);

/* What is wrong, for messages: "is not a number"; "" when nothing is. */
const char *fz_number_problem(fz_number_result result);

#endif
