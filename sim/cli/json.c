#include "sim/cli/json.h"

#include <assert.h>
#include <math.h>

#include "core/support/timetext.h"

static void text_write(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(file, "\\u%04x", *at);
        else
            fputc(*at, file);
    }
    fputc('"', file);
}

static void line_start(const fz_json *json)
{
    fputc('\n', json->file);
    for (uint32_t i = 0; i < json->depth; i++)
        fputs("  ", json->file);
}

/* Comma, new line, indent and key in front of an element. */
static void element(fz_json *json, const char *key)
{
    if (json->filled[json->depth])
        fputc(',', json->file);
    if (json->depth > 0)
        line_start(json);
    json->filled[json->depth] = true;
    if (key != NULL) {
        text_write(json->file, key);
        fputs(": ", json->file);
    }
}

static void bracket_open(fz_json *json, const char *key, char bracket)
{
    assert(json->depth + 1 < FZ_JSON_DEPTH);
    element(json, key);
    fputc(bracket, json->file);
    json->filled[++json->depth] = false;
}

static void bracket_close(fz_json *json, char bracket)
{
    bool filled = json->filled[json->depth--];
    if (filled)
        line_start(json);
    fputc(bracket, json->file);
}

fz_json fz_json_start(FILE *file, const char *schema)
{
    fz_json json = {.file = file};
    bracket_open(&json, NULL, '{');
    fz_json_text(&json, "schema", schema);
    return json;
}

void fz_json_end(fz_json *json)
{
    bracket_close(json, '}');
    fputc('\n', json->file);
}

void fz_json_open(fz_json *json, const char *key)
{
    bracket_open(json, key, '{');
}

void fz_json_close(fz_json *json)
{
    bracket_close(json, '}');
}

void fz_json_open_list(fz_json *json, const char *key)
{
    bracket_open(json, key, '[');
}

void fz_json_close_list(fz_json *json)
{
    bracket_close(json, ']');
}

void fz_json_text(fz_json *json, const char *key, const char *value)
{
    element(json, key);
    text_write(json->file, value);
}

void fz_json_count(fz_json *json, const char *key, uint64_t value)
{
    element(json, key);
    fprintf(json->file, "%llu", (unsigned long long)value);
}

void fz_json_bool(fz_json *json, const char *key, bool value)
{
    element(json, key);
    fputs(value ? "true" : "false", json->file);
}

void fz_json_number(fz_json *json, const char *key, double value)
{
    if (!isfinite(value)) {
        fz_json_null(json, key);
        return;
    }
    char text[FZ_NUMBER_TEXT];
    fz_number_text(value, text);
    element(json, key);
    fputs(text, json->file);
}

void fz_json_figure(fz_json *json, const char *key, double value)
{
    if (value < 0)
        fz_json_null(json, key);
    else
        fz_json_number(json, key, value);
}

void fz_json_null(fz_json *json, const char *key)
{
    element(json, key);
    fputs("null", json->file);
}
