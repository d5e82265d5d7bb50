/* The JSON writer: commas, escapes, numbers that read back. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/json.h"
#include "tests/harness.h"

typedef void (*fill)(fz_json *json);

/* What `body` writes; free() it. */
static char *written(fill body)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        abort();
    fz_json json = fz_json_start(file, "test-1");
    body(&json);
    fz_json_end(&json);
    (void)fclose(file);
    return text;
}

static void expect_text(fill body, const char *expected)
{
    char *text = written(body);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
}

/* Read by an independent program. */
static json_t *reread(fill body)
{
    char *text = written(body);
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        printf("\n%s in %s\n", error.text, text);
    free(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    return root;
}

static void nothing(fz_json *json)
{
    (void)json;
}

static void nested(fz_json *json)
{
    fz_json_open_list(json, "empty");
    fz_json_close_list(json);
    fz_json_open_list(json, "list");
    fz_json_count(json, NULL, UINT64_MAX);
    fz_json_open(json, NULL);
    fz_json_bool(json, "yes", true);
    fz_json_bool(json, "no", false);
    fz_json_close(json);
    fz_json_close_list(json);
    fz_json_null(json, "none");
}

static void layout(void)
{
    expect_text(nothing, "{\n  \"schema\": \"test-1\"\n}\n");
    expect_text(nested, "{\n"
                        "  \"schema\": \"test-1\",\n"
                        "  \"empty\": [],\n"
                        "  \"list\": [\n"
                        "    18446744073709551615,\n"
                        "    {\n"
                        "      \"yes\": true,\n"
                        "      \"no\": false\n"
                        "    }\n"
                        "  ],\n"
                        "  \"none\": null\n"
                        "}\n");
}

static const char odd[] = "a\"b\\c\n\t\x01\x1f\x7f caf\xc3\xa9 \xe2\x82\xac";

static void odd_texts(fz_json *json)
{
    fz_json_text(json, odd, odd);
    fz_json_text(json, "empty", "");
}

static void texts_come_back(void)
{
    json_t *root = reread(odd_texts);
    const char *value = json_string_value(json_object_get(root, odd)); /* the key was escaped as well */
    CU_ASSERT_PTR_NOT_NULL_FATAL(value);
    CU_ASSERT_STRING_EQUAL(value, odd);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(root, "empty")), "");
    json_decref(root);
}

static const double numbers[] = {0, 1, -1, 0.1, 1.0 / 3, 1e300, 5e-324, 123456789.123456789, 2e15, -0.5};
enum { N_NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };

static void all_numbers(fz_json *json)
{
    fz_json_open_list(json, "numbers");
    for (int i = 0; i < N_NUMBERS; i++)
        fz_json_number(json, NULL, numbers[i]);
    fz_json_close_list(json);
    fz_json_number(json, "nan", NAN);
    fz_json_number(json, "inf", INFINITY);
    fz_json_figure(json, "absent", -1);
    fz_json_figure(json, "zero", 0);
}

static void numbers_come_back(void)
{
    json_t *root = reread(all_numbers);
    const json_t *list = json_object_get(root, "numbers");
    CU_ASSERT_EQUAL(json_array_size(list), N_NUMBERS);
    for (size_t i = 0; i < N_NUMBERS; i++)
        CU_ASSERT_EQUAL(json_number_value(json_array_get(list, i)), numbers[i]);
    CU_ASSERT(json_is_null(json_object_get(root, "nan")));
    CU_ASSERT(json_is_null(json_object_get(root, "inf")));
    CU_ASSERT(json_is_null(json_object_get(root, "absent")));
    CU_ASSERT(json_is_number(json_object_get(root, "zero")));
    json_decref(root);
}

int main(void)
{
    static const fz_test tests[] = {
        {"layout", layout},
        {"texts come back", texts_come_back},
        {"numbers come back", numbers_come_back},
    };
    return FZ_TEST_MAIN("json", tests);
}
