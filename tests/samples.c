#include "tests/samples.h"

#include <CUnit/CUnit.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ------------------------------------------------------------------------------------------- */

static void file_read(fz_samples *samples, const char *path, const char *name)
{
    char bytes[16384];
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    const char *end = memchr(bytes, '\n', length);
    CU_ASSERT_FATAL(length < sizeof bytes && end != NULL);
    size_t head = (size_t)(end - bytes) + 1;
    fz_sample *grown = realloc(samples->items, (samples->n + 1) * sizeof *grown);
    CU_ASSERT_PTR_NOT_NULL_FATAL(grown);
    samples->items = grown;
    fz_sample *sample = &grown[samples->n++];
    (void)snprintf(sample->format, sizeof sample->format, "%.*s", (int)(head - 1), bytes);
    (void)snprintf(sample->name, sizeof sample->name, "%s", name);
    sample->length = length - head;
    sample->text = malloc(sample->length + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sample->text);
    memcpy(sample->text, bytes + head, sample->length);
    sample->text[sample->length] = '\0';
}

static void folder_read(fz_samples *samples, const char *path, bool of_folders)
{
    char inside[512];
    DIR *folder = opendir(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(inside, sizeof inside, "%.200s/%.200s", path, entry->d_name);
        if (of_folders)
            folder_read(samples, inside, false);
        else
            file_read(samples, inside, entry->d_name);
    }
    (void)closedir(folder);
}

static int sample_compare(const void *left, const void *right)
{
    const fz_sample *a = left, *b = right;
    int order = strcmp(a->format, b->format);
    return order != 0 ? order : strcmp(a->name, b->name);
}

fz_samples fz_samples_open(const char *root, const char *kind)
{
    char path[512];
    fz_samples samples = {0};
    (void)snprintf(path, sizeof path, "%.200s/tests/fuzz/corpus/%.100s", root, kind);
    folder_read(&samples, path, true);
    CU_ASSERT_FATAL(samples.n > 0);
    qsort(samples.items, samples.n, sizeof *samples.items, sample_compare);
    return samples;
}

void fz_samples_close(fz_samples *samples)
{
    for (size_t i = 0; i < samples->n; i++)
        free(samples->items[i].text);
    free(samples->items);
    *samples = (fz_samples){0};
}

/* ---- damage ------------------------------------------------------------------------------------------ */

/* `n` bytes at `at` become `piece`. */
static size_t splice(char *text, size_t length, size_t at, size_t n, const char *piece)
{
    size_t more = strlen(piece);
    memmove(text + at + more, text + at + n, length - at - n);
    memcpy(text + at, piece, more);
    return length - n + more;
}

static size_t line_begin(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != '\n')
        at++;
    return at < length ? at + 1 : length;
}

/* The line at `at` and the next one change places. */
static void lines_swap(char *text, size_t length, size_t at)
{
    char first[4096];
    size_t begin = line_begin(text, at), middle = line_end(text, length, at),
           end = line_end(text, length, middle);
    if (middle == end || middle - begin > sizeof first)
        return;
    memcpy(first, text + begin, middle - begin);
    memmove(text + begin, text + middle, end - middle);
    memcpy(text + begin + (end - middle), first, middle - begin);
}

/* The field at `at` becomes `piece`. */
static size_t field_replace(char *text, size_t length, size_t at, char separator, const char *piece)
{
    size_t begin = at, end = at;
    while (begin > 0 && text[begin - 1] != separator && text[begin - 1] != '\n')
        begin--;
    while (end < length && text[end] != separator && text[end] != '\n')
        end++;
    return splice(text, length, begin, end - begin < 24 ? end - begin : 24, piece);
}

size_t fz_damage(char *text, size_t length, char separator, fz_random *random)
{
    static const char *const pieces[] = {"\"", ",", "\n",    "-1",   "1e400", "nan", "99999999999999999999",
                                         "#",  " ", "0.5",   "\xff", "x_",    ":",   "[",
                                         "]",  "{", "[1-9]", "=",    "\\\n",  "\t",  "2020-13-01 00:00:00"};
    static const char *const values[] = {"",    "many", "-7",   "1e400",      "0",
                                         "1.5", "\x80", "null", "1e999999999"};
    size_t at = length > 0 ? fz_random_below(random, (uint32_t)length) : 0, left = length - at;
    size_t n = left > 0 ? fz_random_below(random, left < 20 ? (uint32_t)left : 20) : 0;
    char twice[21] = "";
    switch (length > 0 ? fz_random_below(random, 7) : 6) {
    case 0:
        text[at] = (char)fz_random_next(random);
        return length;
    case 1:
        return splice(text, length, at, n, "");
    case 2:
        memcpy(twice, text + at, n);
        return splice(text, length, at, 0, twice);
    case 3:
        return at;
    case 4:
        lines_swap(text, length, at);
        return length;
    case 5:
        return field_replace(text, length, at, separator,
                             values[fz_random_below(random, sizeof values / sizeof *values)]);
    default:
        return splice(text, length, at, 0, pieces[fz_random_below(random, sizeof pieces / sizeof *pieces)]);
    }
}
