/* "Did you mean": the nearest of a list of names. */
#ifndef FRENZY_SUPPORT_SUGGEST_H
#define FRENZY_SUPPORT_SUGGEST_H

#include <stdint.h>

/* The name nearest to `word` by edit distance (insert, delete, replace, swap of neighbours), if it is
 * near enough to be a typing error (at most a third of the longer word, at least 1, but not all of it); the
 * first of several. Letter case does not count; words above 63 bytes have no nearest. NULL if none. */
const char *fz_suggest(const char *word, const char *const *names, uint32_t n_names);

#endif
