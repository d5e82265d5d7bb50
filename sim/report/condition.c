#include "sim/report/condition.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/support/number.h"

#define MAX_DEPTH 64

/* A recursive descent over the text; the first error stays. */
typedef struct parser {
    const char *text, *at;
    const fz_results *results;
    fz_error *err;
    fz_status status;
    int depth;
} parser;

static double either(parser *self);

static double refuse(parser *self, const char *what)
{
    if (self->status == FZ_OK)
        self->status = fz_fail(self->err, FZ_EUSAGE, "--fail-if, character %d: %s",
                               (int)(self->at - self->text) + 1, what);
    return 0;
}

static void blanks(parser *self)
{
    while (*self->at == ' ' || *self->at == '\t')
        self->at++;
}

static bool take(parser *self, const char *token)
{
    blanks(self);
    size_t n = strlen(token);
    if (strncmp(self->at, token, n) != 0)
        return false;
    if (isalpha((unsigned char)token[0]) && (isalnum((unsigned char)self->at[n]) || self->at[n] == '_'))
        return false;
    self->at += n;
    return true;
}

/* ---- names ---------------------------------------------------------------------------------------------- */

/* The mean of a figure over all runs with this label; NAN if there is none. */
static double mean_of(const fz_results *results, const char *label, size_t length, fz_figure_id figure,
                      bool *known)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t s = 0; s < results->n_scenarios; s++)
        for (uint32_t c = 0; c < results->scenarios[s].n_contenders; c++) {
            const fz_contender *self = &results->scenarios[s].contenders[c];
            if (strlen(self->label) != length || strncmp(self->label, label, length) != 0)
                continue;
            *known = true;
            for (uint32_t i = 0; i < self->n_runs; i++) {
                double value = fz_figure_value(&self->runs[i], figure);
                sum += value >= 0 ? value : (double)NAN;
                n++;
            }
        }
    return n > 0 ? sum / n : (double)NAN;
}

static double figure_read(parser *self, const char *label, size_t length)
{
    const char *name = self->at;
    while (isalnum((unsigned char)*self->at) || *self->at == '_')
        self->at++;
    size_t n = (size_t)(self->at - name);
    for (int f = 0; f < FZ_N_FIGURES; f++) {
        if (strlen(fz_figures[f].key) != n || strncmp(fz_figures[f].key, name, n) != 0)
            continue;
        bool known = self->results == NULL;
        double value = known ? 0 : mean_of(self->results, label, length, (fz_figure_id)f, &known);
        return known ? value : refuse(self, "there is no scheduler of this label in the results");
    }
    self->at = name;
    return refuse(self, "no such figure; there are jct_avg_s, jct_p50_s, jct_p99_s, queue_avg_s, makespan_s, "
                        "alloc_frac, ooms, finished, not_finished");
}

static double count_of(const parser *self, bool failed)
{
    if (self->results == NULL)
        return 0;
    return failed ? self->results->n_failures : self->results->n_runs;
}

static double name_read(parser *self)
{
    const char *label = self->at;
    size_t length = 0;
    if (*label == '"') {
        const char *end = strchr(label + 1, '"');
        if (end == NULL)
            return refuse(self, "this quote has no end");
        length = (size_t)(end - ++label);
        self->at = end + 1;
    } else {
        while (isalnum((unsigned char)*self->at) || *self->at == '_' || *self->at == '-')
            self->at++;
        length = (size_t)(self->at - label);
        if (*self->at != '.' && length == 6 && strncmp(label, "failed", 6) == 0)
            return count_of(self, true);
        if (*self->at != '.' && length == 4 && strncmp(label, "runs", 4) == 0)
            return count_of(self, false);
    }
    if (length == 0 || *self->at != '.')
        return refuse(self, "expected a number, `failed`, `runs`, or SCHEDULER.FIGURE");
    self->at++;
    return figure_read(self, label, length);
}

/* ---- values --------------------------------------------------------------------------------------------- */

static double operand(parser *self)
{
    blanks(self);
    if (self->status != FZ_OK || ++self->depth > MAX_DEPTH)
        return refuse(self, "too deep");
    double value = 0;
    if (take(self, "(")) {
        value = either(self);
        if (!take(self, ")"))
            refuse(self, "a ) is missing");
    } else if (take(self, "-")) {
        value = -operand(self);
    } else if (isdigit((unsigned char)*self->at) || *self->at == '.') {
        size_t length = strspn(self->at, "0123456789.eE");
        if (fz_number_real(self->at, length, &value) != FZ_NUMBER_OK)
            refuse(self, "this is no number");
        self->at += length;
    } else {
        value = name_read(self);
    }
    self->depth--;
    return value;
}

static double product(parser *self)
{
    double value = operand(self);
    while (self->status == FZ_OK) {
        if (take(self, "*"))
            value *= operand(self);
        else if (take(self, "/"))
            value /= operand(self);
        else
            break;
    }
    return value;
}

static double sum(parser *self)
{
    double value = product(self);
    while (self->status == FZ_OK) {
        if (take(self, "+"))
            value += product(self);
        else if (take(self, "-"))
            value -= product(self);
        else
            break;
    }
    return value;
}

/* ---- conditions: 1 and 0 -------------------------------------------------------------------------------- */

static double comparison(parser *self)
{
    double a = sum(self);
    if (take(self, "<="))
        return a <= sum(self);
    if (take(self, ">="))
        return a >= sum(self);
    if (take(self, "=="))
        return a == sum(self);
    if (take(self, "!="))
        return a != sum(self);
    if (take(self, "<"))
        return a < sum(self);
    if (take(self, ">"))
        return a > sum(self);
    return a;
}

static double negation(parser *self)
{
    bool negate = false;
    while (take(self, "not"))
        negate = !negate;
    double value = comparison(self);
    return negate ? value == 0 : value;
}

static double both(parser *self)
{
    double value = negation(self);
    while (self->status == FZ_OK && take(self, "and")) {
        double next = negation(self);
        value = value != 0 && next != 0;
    }
    return value;
}

static double either(parser *self)
{
    double value = both(self);
    while (self->status == FZ_OK && take(self, "or")) {
        double next = both(self);
        value = value != 0 || next != 0;
    }
    return value;
}

fz_status fz_condition_holds(const char *text, const fz_results *results, bool *holds, fz_error *err)
{
    parser self = {.text = text, .at = text, .results = results, .err = err};
    double value = either(&self);
    blanks(&self);
    if (self.status == FZ_OK && *self.at != '\0')
        refuse(&self, "this does not belong here");
    *holds = self.status == FZ_OK && value != 0;
    return self.status;
}
