/* Times and numbers as files and tables show them; the same in every run. */
#ifndef FRENZY_SUPPORT_TIMETEXT_H
#define FRENZY_SUPPORT_TIMETEXT_H

#include <frenzy/units.h>

/* Room for the longest text and its zero. */
#define FZ_TIME_TEXT   32
#define FZ_NUMBER_TEXT 32

/* Decimal seconds, up to 6 decimals, trailing zeros cut: 90 s is "90", 1.5 s "1.5"; "" for FZ_TIME_NONE.
 * Returns the number of characters. */
uint32_t fz_time_text(fz_time t, char text[FZ_TIME_TEXT]);

/* A whole number; the room of a time is enough. */
uint32_t fz_count_text(uint64_t value, char text[FZ_TIME_TEXT]);

/* The shortest decimal number that reads back as the same double; finite. "12", "0.1", "1e+30". */
uint32_t fz_number_text(double value, char text[FZ_NUMBER_TEXT]);

#endif
