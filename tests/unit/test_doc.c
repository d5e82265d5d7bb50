#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/doc.h"
#include "tests/harness.h"
#include "tests/temp.h"

static fz_temp temp;

static fz_doc *parse_bytes(const char *text, size_t length)
{
    fz_doc *doc = NULL;
    fz_error err = {0};
    fz_status status = fz_doc_parse("t.yaml", text, length, &doc, &err);
    if (status != FZ_OK)
        printf("\nunexpected: %s:%u:%u: %s\n", err.file, err.line, err.column, err.message);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    return doc;
}

static fz_doc *parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void bad_bytes(const char *text, size_t length, uint32_t line, uint32_t column, const char *part)
{
    fz_doc *doc = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_doc_parse("t.yaml", text, length, &doc, &err), FZ_EPARSE);
    CU_ASSERT_PTR_NULL(doc);
    CU_ASSERT_EQUAL(err.line, line);
    CU_ASSERT_EQUAL(err.column, column);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, part));
    if (err.line != line || err.column != column || strstr(err.message, part) == NULL)
        printf("\n%s:%u:%u: %s (expected %u:%u: %s)\n", err.file, err.line, err.column, err.message, line,
               column, part);
    CU_ASSERT_EQUAL(fz_doc_parse("t.yaml", text, length, &doc, NULL), FZ_EPARSE);
}

static void bad(const char *text, uint32_t line, uint32_t column, const char *part)
{
    bad_bytes(text, strlen(text), line, column, part);
}

static void place_is(const fz_doc_node *node, uint32_t line, uint32_t column)
{
    CU_ASSERT(node != NULL && node->line == line && node->column == column);
}

static void yaml_tree(void)
{
    fz_doc *doc = parse("# a comment\nname: two words\npools:\n  - count: 4\n    gpu: \"T4\"\n  - {count: 8, "
                        "gpu: 'A100'}\nempty:\n");
    const fz_doc_node *root = fz_doc_root(doc), *pools = fz_doc_get(root, "pools");
    CU_ASSERT_EQUAL(root->kind, FZ_DOC_MAP);
    CU_ASSERT_EQUAL(root->n_items, 3);
    CU_ASSERT_STRING_EQUAL(root->items[0].key, "name");
    CU_ASSERT_STRING_EQUAL(root->items[0].text, "two words");
    place_is(&root->items[0], 2, 7);
    CU_ASSERT(root->items[0].key_line == 2 && root->items[0].key_column == 1);
    CU_ASSERT_EQUAL_FATAL(pools->n_items, 2);
    CU_ASSERT_EQUAL(pools->kind, FZ_DOC_LIST);
    CU_ASSERT_PTR_NULL(pools->items[0].key);
    place_is(fz_doc_get(&pools->items[0], "gpu"), 5, 10);
    CU_ASSERT_TRUE(fz_doc_get(&pools->items[0], "gpu")->quoted);
    place_is(fz_doc_get(&pools->items[1], "count"), 6, 13);
    CU_ASSERT_FALSE(fz_doc_get(&pools->items[1], "count")->quoted);
    CU_ASSERT_TRUE(fz_doc_is_null(fz_doc_get(root, "empty")));
    CU_ASSERT_TRUE(fz_doc_is_null(fz_doc_get(root, "absent")));
    CU_ASSERT_PTR_NULL(fz_doc_get(pools, "count"));
    fz_doc_free(doc);
}

static void json_tree(void)
{
    fz_doc *doc = parse("\n {\"name\":\"x\",\n  \"list\": [1, -2.5e3,true , null, \"\", {}, "
                        "[]],\r\n\t\"last\"\n\t:\t\"\xc3\xa9\", \"z\":0}\n");
    const fz_doc_node *root = fz_doc_root(doc), *list = fz_doc_get(root, "list");
    place_is(root, 2, 2);
    place_is(fz_doc_get(root, "name"), 2, 10);
    CU_ASSERT_EQUAL_FATAL(list->n_items, 7);
    CU_ASSERT_STRING_EQUAL(list->items[1].text, "-2.5e3");
    place_is(&list->items[2], 3, 22);
    CU_ASSERT_TRUE(fz_doc_is_null(&list->items[3]));
    CU_ASSERT_FALSE(fz_doc_is_null(&list->items[4]));
    CU_ASSERT_EQUAL(list->items[5].kind, FZ_DOC_MAP);
    CU_ASSERT_EQUAL(list->items[6].kind, FZ_DOC_LIST);
    CU_ASSERT_EQUAL(list->items[6].n_items, 0);
    place_is(fz_doc_get(root, "last"), 5, 4);
    CU_ASSERT_STRING_EQUAL(fz_doc_get(root, "last")->text, "\xc3\xa9");
    place_is(fz_doc_get(root, "z"), 5, 13); /* columns count characters, not bytes */
    fz_doc_free(doc);
}

/* What libyaml alone would not read: each is legal JSON. */
static void json_that_is_not_yaml(void)
{
    fz_doc *doc = parse("\t{\n\t\"a\"\t:\t[\t1\t,\t2\t]\t,\n\t\"b\":\t3\n\t}\n\t");
    place_is(fz_doc_get(fz_doc_root(doc), "b"), 3, 7);
    fz_doc_free(doc);

    doc = parse("{\"s\": \"\\uD83D\\uDE00\\u00e9\\/\\t\\u20AC\", \"after\": 1}");
    CU_ASSERT_STRING_EQUAL(fz_doc_get(fz_doc_root(doc), "s")->text,
                           "\xf0\x9f\x98\x80\xc3\xa9/\t\xe2\x82\xac");
    place_is(fz_doc_get(fz_doc_root(doc), "after"), 1, 48);
    fz_doc_free(doc);

    char text[5100] = "{\"";
    memset(text + 2, 'k', 5000);
    (void)snprintf(text + 5002, sizeof text - 5002, "\": 7, \"b\": 8}");
    doc = parse(text);
    CU_ASSERT_EQUAL(strlen(fz_doc_root(doc)->items[0].key), 5000);
    place_is(&fz_doc_root(doc)->items[0], 1, 5006);
    place_is(fz_doc_get(fz_doc_root(doc), "b"), 1, 5014);
    fz_doc_free(doc);

    doc = parse("{\"del\": \"\x7f\", \"not-a-character\": \"\xef\xbf\xbf\"}");
    fz_doc_free(doc);
}

/* Flow style is YAML, though it starts like JSON. */
static void yaml_that_starts_like_json(void)
{
    fz_doc *doc = parse("{a: 1, b: [x y, 'it''s'], # why\n c: \"q\",}");
    const fz_doc_node *root = fz_doc_root(doc);
    CU_ASSERT_STRING_EQUAL(fz_doc_get(root, "b")->items[0].text, "x y");
    CU_ASSERT_STRING_EQUAL(fz_doc_get(root, "b")->items[1].text, "it's");
    place_is(fz_doc_get(root, "c"), 2, 5);
    fz_doc_free(doc);
    doc = parse("\xef\xbb\xbf{\"a\": 1}");
    place_is(fz_doc_get(fz_doc_root(doc), "a"), 1, 7);
    fz_doc_free(doc);
}

static void bad_yaml(void)
{
    bad("", 1, 1, "the file is empty");
    bad("# nothing\n", 1, 1, "the file is empty");
    bad("a: 1\nb: 2\na: 3\n", 3, 1, "key 'a' appears twice; it stands in line 1 already");
    bad("a: &x 1\nb: *x\n", 1, 4, "anchors");
    bad("b: *x\n", 1, 4, "aliases");
    bad("b: !!str 5\n", 1, 4, "tags");
    bad("a: 1\n---\nb: 2\n", 2, 1, "second document");
    bad("? [a, b]\n: 1\n", 1, 3, "cannot be a key");
    bad("a:\n\t- 1\n", 2, 1, "found character that cannot start any token");
    bad("a: [1, 2\nb: 3\n", 2, 2, "while parsing a flow sequence that starts in line 1");
    bad("a: 1\n  b: 2\n", 2, 4, "mapping values are not allowed");
    bad("a: \"x\\q\"\n", 1, 6, "unknown escape");
    bad("a: \"x\\0y\"\n", 1, 4, "zero character");
    bad("a: \"x\n", 2, 1, "while scanning a quoted scalar that starts in line 1");
    bad("a: b\na2: \x01\n", 2, 5, "control characters are not allowed");
    bad("a: b\n\xc3\xa9: \xff\n", 2, 4, "not UTF-8");
    bad("a: \xed\xa0\x80\n", 1, 4, "not UTF-8");
    bad_bytes("a: b\0\n", 6, 1, 5, "zero byte");
}

static void bad_json(void)
{
    bad("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", 3, 2, "key 'a' appears twice; it stands in line 1 already");
    bad("{\"a\": 1 \"b\": 2}", 1, 9, "a comma or } is expected");
    bad("[1, 2", 1, 6, "a comma or ] is expected");
    bad("{\"a\": \"x\n\"}\n{", 1, 9, "a line end or control character");
    bad("{\"a\": 1} 2", 1, 10, "text follows the end");
    bad("{\"a\": \"\\uD83D\"}", 1, 8, "half of a surrogate pair");
    bad("{\"a\": \"\\uDE00\\uD83D\"}", 1, 8, "half of a surrogate pair");
    bad("{\"a\": \"\\u12g4\"}", 1, 8, "hexadecimal");
    bad("{\"a\": \"\\u0000\"}", 1, 8, "zero character");
    bad("{\"a\": \"\\x\"}", 1, 8, "escape");
    bad("{\"a\": \"never", 1, 7, "never closes");
    bad("{\"a\": 1, \"b\"", 1, 13, "a colon is expected");
    bad("{a: 1, b: }]", 1, 12, "did not find expected <document start>"); /* flow style */
    bad("{", 1, 2, "a key in \" is expected");
}

static void nesting_and_numbers_of_values(void)
{
    char text[400] = "";
    for (size_t depth = 64; depth <= 65; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        text[2 * depth] = '\0';
        if (depth == 64)
            fz_doc_free(parse(text));
        else
            bad(text, 1, 65, "nested more than 64 deep");
    }
    memset(text, '[', sizeof text - 1);
    bad(text, 1, 65, "nested more than 64 deep");
    size_t size = (size_t)2 * 4000100;
    char *many = fz_temp_bytes(size, '1');
    many[0] = '[';
    for (size_t i = 3; i < size; i += 2)
        many[i] = ',';
    many[size - 1] = ']';
    fz_doc *doc = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_doc_parse("t.json", many, size, &doc, &err), FZ_EPARSE);
    CU_ASSERT(err.line == 1 && err.column == 8000001);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "more than 4,000,000 values"));
    free(many);
}

static void files(void)
{
    fz_doc *doc = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_doc_read(fz_temp_path(&temp, "absent.yaml"), &doc, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "No such file"));
    CU_ASSERT_EQUAL(fz_doc_read(temp.folder, &doc, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "directory"));
    CU_ASSERT_EQUAL(fz_doc_read(fz_temp_text(&temp, "empty.yaml", ""), &doc, &err), FZ_EPARSE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "empty"));
    const char *path = fz_temp_text(&temp, "abc.yaml", "abc");
    CU_ASSERT_EQUAL_FATAL(fz_doc_read(path, &doc, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(fz_doc_path(doc), path);
    CU_ASSERT_STRING_EQUAL(fz_doc_root(doc)->text, "abc");
    /* FIPS 180-4 example */
    CU_ASSERT_STRING_EQUAL(fz_doc_sha256(doc),
                           "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    fz_doc_free(doc);
    size_t size = (64u << 20) + 1;
    char *big = fz_temp_bytes(size, ' ');
    CU_ASSERT_EQUAL(fz_doc_read(fz_temp_write(&temp, "big.yaml", big, size), &doc, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "larger than"));
    free(big);
}

static void unknown_keys(void)
{
    static const char *const allowed[] = {"gpu", "count", NULL};
    fz_error err = {0};
    fz_doc *doc = parse("gpu: T4\nx_mine: 1\n  \n\"cout\": 3\n");
    CU_ASSERT_EQUAL(fz_doc_check_keys(doc, fz_doc_root(doc), "a pool", allowed, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "unknown key 'cout' in a pool; did you mean 'count'?");
    CU_ASSERT(err.line == 4 && err.column == 1);
    fz_doc_free(doc);
    doc = parse("zebra: T4\n");
    CU_ASSERT_EQUAL(fz_doc_check_keys(doc, fz_doc_root(doc), "a pool", allowed, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "unknown key 'zebra' in a pool");
    fz_doc_free(doc);
    doc = parse("[1]");
    CU_ASSERT_EQUAL(fz_doc_check_keys(doc, fz_doc_root(doc), "a pool", allowed, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "a pool must be a map, not a list");
    fz_doc_free(doc);
}

static const char typed_text[] =
    "text: abc\nnumber: 2.5\ncount: 7\nyes: true\nno: False\nnothing: ~\nlist: [1]\nquoted: '5'\nword: on\n";

static void typed_values(void)
{
    fz_doc *doc = parse(typed_text);
    const fz_doc_node *root = fz_doc_root(doc);
    const char *text = "default";
    double number = 0;
    uint64_t count = 99;
    bool yes = false, no = true;
    CU_ASSERT(fz_doc_text(doc, root, "text", true, &text, NULL) == FZ_OK && strcmp(text, "abc") == 0);
    CU_ASSERT(fz_doc_text(doc, root, "quoted", true, &text, NULL) == FZ_OK && strcmp(text, "5") == 0);
    CU_ASSERT(fz_doc_text(doc, root, "nothing", false, &text, NULL) == FZ_OK && strcmp(text, "5") == 0);
    CU_ASSERT(fz_doc_number(doc, root, "number", true, 0, DBL_MAX, &number, NULL) == FZ_OK && number == 2.5);
    CU_ASSERT(fz_doc_count(doc, root, "count", true, 1, 10, &count, NULL) == FZ_OK && count == 7);
    CU_ASSERT(fz_doc_count(doc, root, "absent", false, 1, 10, &count, NULL) == FZ_OK && count == 7);
    CU_ASSERT(fz_doc_bool(doc, root, "yes", true, &yes, NULL) == FZ_OK && yes);
    CU_ASSERT(fz_doc_bool(doc, root, "no", true, &no, NULL) == FZ_OK && !no);
    fz_doc_free(doc);
}

static void typed_values_that_are_wrong(void)
{
    fz_doc *doc = parse(typed_text);
    const fz_doc_node *root = fz_doc_root(doc);
    fz_error err = {0};
    const char *text = NULL;
    double number = 1;
    uint64_t count = 1;
    bool flag = false;
    CU_ASSERT_EQUAL(fz_doc_text(doc, root, "absent", true, &text, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "'absent' is missing; a text is expected");
    CU_ASSERT(err.line == 1 && err.column == 1);
    CU_ASSERT_EQUAL(fz_doc_text(doc, root, "list", true, &text, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "'list' must be a text, not a list");
    CU_ASSERT(err.line == 7 && err.column == 7);
    CU_ASSERT_EQUAL(fz_doc_number(doc, root, "text", true, 0, 1, &number, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "'text': 'abc' is not a number");
    CU_ASSERT_EQUAL(fz_doc_number(doc, root, "number", true, 0, 1, &number, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "'number': 2.5 is out of bounds; 0 to 1 is expected");
    CU_ASSERT_EQUAL(fz_doc_number(doc, root, "number", true, 3, DBL_MAX, &number, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "'number': 2.5 is too small; at least 3 is expected");
    CU_ASSERT_EQUAL(fz_doc_number(doc, root, "quoted", true, 0, 9, &number, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "'quoted' must be a number, not a text; write it without quotes");
    CU_ASSERT_EQUAL(fz_doc_count(doc, root, "number", true, 0, 9, &count, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "'number': '2.5' must be a whole number");
    CU_ASSERT_EQUAL(fz_doc_count(doc, root, "count", true, 8, 9, &count, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "'count': 7 is out of bounds; 8 to 9 is expected");
    CU_ASSERT_EQUAL(fz_doc_count(doc, root, "count", true, 1, 6, &count, &err), FZ_EPARSE);
    CU_ASSERT_EQUAL(fz_doc_bool(doc, root, "word", true, &flag, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "'word': 'on' is neither true nor false");
    CU_ASSERT_EQUAL(fz_doc_bool(doc, fz_doc_get(root, "list"), "x", true, &flag, &err), FZ_EPARSE);
    CU_ASSERT(number == 1 && count == 1 && !flag && text == NULL);
    fz_doc_free(doc);
}

int main(void)
{
    static const fz_test tests[] = {
        {"YAML", yaml_tree},
        {"JSON", json_tree},
        {"JSON that libyaml refuses", json_that_is_not_yaml},
        {"YAML that starts like JSON", yaml_that_starts_like_json},
        {"bad YAML", bad_yaml},
        {"bad JSON", bad_json},
        {"nesting and numbers of values", nesting_and_numbers_of_values},
        {"files", files},
        {"unknown keys", unknown_keys},
        {"typed values", typed_values},
        {"typed values that are wrong", typed_values_that_are_wrong},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("doc", tests);
    fz_temp_close(&temp);
    return failed;
}
