/* Streaming JSON writer: objects and lists are opened and closed, keys and values come in order. Indented
 * by two blanks; commas and escapes are taken care of. */
#ifndef FRENZY_SIM_CLI_JSON_H
#define FRENZY_SIM_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define FZ_JSON_DEPTH 32

typedef struct fz_json {
    FILE *file;
    uint32_t depth;
    bool filled[FZ_JSON_DEPTH]; /* by depth: has an element */
} fz_json;

fz_json fz_json_start(FILE *file, const char *schema); /* opens the top object with its "schema" */
void fz_json_end(fz_json *json);                       /* closes it, with a line end */

/* `key` is NULL inside a list. */
void fz_json_open(fz_json *json, const char *key); /* { */
void fz_json_close(fz_json *json);
void fz_json_open_list(fz_json *json, const char *key); /* [ */
void fz_json_close_list(fz_json *json);
void fz_json_text(fz_json *json, const char *key, const char *value);
void fz_json_count(fz_json *json, const char *key, uint64_t value);
void fz_json_bool(fz_json *json, const char *key, bool value);
void fz_json_number(fz_json *json, const char *key, double value); /* null unless finite */
/* A figure that is -1 where it does not exist: null then. */
void fz_json_figure(fz_json *json, const char *key, double value);
void fz_json_null(fz_json *json, const char *key);

#endif
