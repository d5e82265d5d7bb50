#include "workloads/cluster_formats/slurm_conf.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/support/input.h"
#include "core/support/number.h"
#include "core/support/utf8.h"

#define LARGEST ((size_t)64 << 20)

const char *fz_slurm_get(const fz_slurm_line *line, const char *key)
{
    for (uint32_t i = 0; i < line->n_pairs; i++)
        if (strcasecmp(line->pairs[i].key, key) == 0)
            return line->pairs[i].value;
    return NULL;
}

fz_status fz_slurm_count(const fz_slurm_line *line, const char *key, uint64_t max, uint64_t *out,
                         fz_error *err)
{
    const char *value = fz_slurm_get(line, key);
    if (value == NULL)
        return FZ_OK;
    fz_number_result result = fz_number_count(value, strlen(value), max, out);
    if (result == FZ_NUMBER_OK)
        return FZ_OK;
    return fz_fail_at(err, FZ_EPARSE, line->path, line->number, 1,
                      "%s: '%.60s' %s; a whole number is expected", key, value, fz_number_problem(result));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Cuts the next pair off `at`; NULL at the end. A value may stand in quotes. */
static char *pair_cut(char *at, char **key, char **value)
{
    while (is_blank(*at))
        at++;
    *key = at;
    *value = NULL;
    if (*at == '\0')
        return NULL;
    while (*at != '\0' && !is_blank(*at) && *at != '=')
        at++;
    if (*at != '=')
        return at;
    *at++ = '\0';
    bool quoted = *at == '"';
    *value = quoted ? ++at : at;
    while (*at != '\0' && (quoted ? *at != '"' : !is_blank(*at)))
        at++;
    if (*at != '\0')
        *at++ = '\0';
    return at;
}

static fz_status line_parse(char *text, fz_slurm_line *line, fz_error *err)
{
    char *key = NULL, *value = NULL;
    line->n_pairs = 0;
    for (char *at = pair_cut(text, &key, &value); at != NULL; at = pair_cut(at, &key, &value)) {
        if (value == NULL && strncasecmp(key, "include", 7) == 0)
            return fz_fail_at(err, FZ_EPARSE, line->path, line->number, 1,
                              "Include is not followed; give one file with everything in it");
        if (value == NULL)
            return fz_fail_at(err, FZ_EPARSE, line->path, line->number, 1,
                              "'%.40s' is no Key=value pair of a Slurm configuration", key);
        if (line->n_pairs == FZ_SLURM_PAIRS)
            return fz_fail_at(err, FZ_EPARSE, line->path, line->number, 1, "more than %d pairs in one line",
                              FZ_SLURM_PAIRS);
        line->pairs[line->n_pairs].key = key;
        line->pairs[line->n_pairs++].value = value;
    }
    return FZ_OK;
}

/* Joins what backslashes continue, and ends the logical line with a zero, in place; returns what follows. */
static char *line_cut(char *text, uint32_t *lines)
{
    bool comment = false;
    for (*lines = 1; *text != '\0'; text++) {
        bool end = *text == '\n';
        char *before = end && text[-1] == '\r' ? text - 2 : text - 1; /* a zero byte stands before the file */
        if (end && *before == '\\' && !comment) {
            memset(before, ' ', (size_t)(text - before) + 1);
            ++*lines;
        } else if (end) {
            *text = '\0';
            return text + 1;
        }
        comment = comment || *text == '#';
        if (comment)
            *text = ' ';
    }
    return text;
}

static fz_status lines_each(const char *path, char *text,
                            fz_status (*each)(void *context, const fz_slurm_line *line, fz_error *err),
                            void *context, fz_error *err)
{
    fz_slurm_line line = {.path = path, .number = 1};
    while (*text != '\0') {
        uint32_t lines = 0;
        char *next = line_cut(text, &lines);
        FZ_TRY(line_parse(text, &line, err));
        if (line.n_pairs > 0)
            FZ_TRY(each(context, &line, err));
        line.number += lines;
        text = next;
    }
    return FZ_OK;
}

fz_status fz_slurm_lines(const char *path,
                         fz_status (*each)(void *context, const fz_slurm_line *line, fz_error *err),
                         void *context, fz_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FZ_TRY(fz_input_slurp(path, LARGEST, &text, &length, NULL, err));
    char *padded = calloc(length + 2, 1);
    fz_status status = FZ_OK;
    if (padded == NULL) {
        status = fz_fail(err, FZ_ENOMEM, "no memory to read %s", path);
    } else if (strlen(text) < length) {
        fz_place place = fz_place_of(text, strlen(text));
        status = fz_fail_at(err, FZ_EPARSE, path, place.line, place.column,
                            "a zero byte; a text file is expected");
    } else {
        memcpy(padded + 1, text, length);
        status = lines_each(path, padded + 1, each, context, err);
    }
    free(padded);
    free(text);
    return status;
}
