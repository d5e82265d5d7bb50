#include "core/support/suggest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 63 }; /* longer words are no typing errors of ours */

static char lower(char c)
{
    static const char lowered[] = "abcdefghijklmnopqrstuvwxyz";
    if (c >= 'A' && c <= 'Z')
        return lowered[c - 'A'];
    return c;
}

static unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Edit distance with swaps of neighbours, each letter moved once at most; case does not count. Three rows
 * of the usual table: two = i - 2, one = i - 1, now = i. */
static unsigned distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    unsigned rows[3][LONGEST + 1];
    unsigned *two = rows[0], *one = rows[1], *now = rows[2];
    for (unsigned j = 0; j <= n_b; j++)
        one[j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n_b; j++) {
            unsigned replace = one[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            now[j] = min(replace, min(one[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                now[j] = min(now[j], two[j - 2] + 1);
        }
        unsigned *oldest = two;
        two = one, one = now, now = oldest;
    }
    return one[n_b];
}

const char *fz_suggest(const char *word, const char *const *names, uint32_t n_names)
{
    const char *best = NULL;
    unsigned best_distance = LONGEST + 1;
    size_t n_word = strlen(word);
    for (uint32_t i = 0; i < n_names && n_word <= LONGEST; i++) {
        size_t n_name = strlen(names[i]), longer = n_name > n_word ? n_name : n_word;
        if (longer > LONGEST)
            continue;
        unsigned d = distance(word, n_word, names[i], n_name);
        unsigned near = longer < 6 ? 1 : (unsigned)(longer / 3);
        if (d <= near && d < longer && d < best_distance) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}
