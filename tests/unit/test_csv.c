#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/csv.h"
#include "core/support/sha256.h"
#include "tests/harness.h"
#include "tests/temp.h"

static fz_temp temp;

static fz_csv *open_bytes(const void *bytes, size_t length, const fz_csv_options *options)
{
    fz_csv *csv = NULL;
    fz_error err = {0};
    fz_status status = fz_csv_open(fz_temp_write(&temp, "t.csv", bytes, length), options, &csv, &err);
    if (status != FZ_OK)
        printf("unexpected: %s:%u:%u: %s\n", err.file, err.line, err.column, err.message);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    return csv;
}

static fz_csv *open_text(const char *text, const fz_csv_options *options)
{
    return open_bytes(text, strlen(text), options);
}

/* The next row as one text, fields joined by '|'; "END" at the end. */
static const char *next(fz_csv *csv, char *line, size_t size)
{
    const fz_csv_field *fields = NULL;
    uint32_t n = 0;
    size_t used = 0;
    CU_ASSERT_EQUAL_FATAL(fz_csv_next(csv, &fields, &n, NULL), FZ_OK);
    if (fields == NULL)
        return "END";
    line[0] = '\0';
    for (uint32_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL(strlen(fields[i].text), fields[i].length);
        used += (size_t)snprintf(line + used, size - used, "%s%s", i > 0 ? "|" : "", fields[i].text);
    }
    return line;
}

#define EXPECT(csv, row)                                                                                     \
    do {                                                                                                     \
        char buffer[256];                                                                                    \
        CU_ASSERT_STRING_EQUAL(next(csv, buffer, sizeof buffer), row);                                       \
    } while (0)

/* Opens and reads to the end; the first error. */
static fz_status read_all(const char *path, const fz_csv_options *options, uint32_t *rows, fz_error *err)
{
    fz_csv *csv = NULL;
    const fz_csv_field *fields = NULL;
    uint32_t n = 0;
    *rows = 0;
    *err = (fz_error){0};
    fz_status status = fz_csv_open(path, options, &csv, err);
    while (status == FZ_OK) {
        status = fz_csv_next(csv, &fields, &n, err);
        if (status != FZ_OK || fields == NULL)
            break;
        ++*rows;
    }
    fz_csv_close(csv);
    return status;
}

static void bad_bytes(const char *bytes, size_t length, const fz_csv_options *options, uint32_t line,
                      uint32_t column, const char *part)
{
    fz_error err;
    uint32_t rows = 0;
    const char *path = fz_temp_write(&temp, "bad.csv", bytes, length);
    CU_ASSERT_EQUAL(read_all(path, options, &rows, &err), FZ_EPARSE);
    CU_ASSERT_EQUAL(err.line, line);
    CU_ASSERT_EQUAL(err.column, column);
    CU_ASSERT_STRING_EQUAL(err.file, path);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, part));
    if (err.line != line || err.column != column || strstr(err.message, part) == NULL)
        printf("\n%s:%u:%u: %s (expected %u:%u: %s)\n", err.file, err.line, err.column, err.message, line,
               column, part);
}

static void bad(const char *text, uint32_t line, uint32_t column, const char *part)
{
    bad_bytes(text, strlen(text), NULL, line, column, part);
}

static void plain_rows(void)
{
    fz_csv *csv = open_text("a,b,c\n1,2,3\n4,,6\n,,\n", NULL);
    CU_ASSERT_EQUAL(fz_csv_n_columns(csv), 3);
    CU_ASSERT_STRING_EQUAL(fz_csv_column_name(csv, 1), "b");
    CU_ASSERT_EQUAL(fz_csv_find_column(csv, "c"), 2);
    CU_ASSERT_EQUAL(fz_csv_find_column(csv, "d"), -1);
    EXPECT(csv, "1|2|3");
    CU_ASSERT_EQUAL(fz_csv_line(csv), 2);
    EXPECT(csv, "4||6");
    EXPECT(csv, "||");
    EXPECT(csv, "END");
    EXPECT(csv, "END");
    fz_csv_close(csv);
}

/* Byte order mark, CRLF, comments before the header, blank lines, blanks around names, no last newline. */
static void what_real_files_have(void)
{
    fz_csv *csv = open_text(
        "\xef\xbb\xbf# frenzy-trace: 1\r\n\r\n#  source: x  \r\n a , b\r\n\r\n1,2\r\n   \r\n#3,4", NULL);
    CU_ASSERT_EQUAL(fz_csv_n_comments(csv), 2);
    CU_ASSERT_STRING_EQUAL(fz_csv_comment(csv, 0), "frenzy-trace: 1");
    CU_ASSERT_STRING_EQUAL(fz_csv_comment(csv, 1), "source: x");
    CU_ASSERT_EQUAL(fz_csv_comment_place(csv, 1).line, 3);
    CU_ASSERT_EQUAL(fz_csv_comment_place(csv, 1).column, 4);
    CU_ASSERT_STRING_EQUAL(fz_csv_column_name(csv, 0), "a");
    CU_ASSERT_STRING_EQUAL(fz_csv_column_name(csv, 1), "b");
    EXPECT(csv, "1|2");
    CU_ASSERT_EQUAL(fz_csv_line(csv), 6);
    EXPECT(csv, "#3|4"); /* a comment only before the header */
    CU_ASSERT_EQUAL(fz_csv_line(csv), 8);
    EXPECT(csv, "END");
    fz_csv_close(csv);
}

static void quotes(void)
{
    fz_csv *csv =
        open_text("name,text\n\"a,b\",\"say \"\"hi\"\"\"\n\"\",\"\"\"\"\n\"two\nlines\",x\ny,\"\r\n\"", NULL);
    EXPECT(csv, "a,b|say \"hi\"");
    EXPECT(csv, "|\"");
    EXPECT(csv, "two\nlines|x");
    CU_ASSERT_EQUAL(fz_csv_line(csv), 4);
    EXPECT(csv, "y|\r\n");
    CU_ASSERT_EQUAL(fz_csv_line(csv), 6);
    EXPECT(csv, "END");
    fz_csv_close(csv);
    csv = open_text("only\n\"\"\n\nx\n", NULL); /* a quoted empty field is a row, a blank line is not */
    EXPECT(csv, "");
    EXPECT(csv, "x");
    EXPECT(csv, "END");
    fz_csv_close(csv);
}

static void columns_and_lines_of_fields(void)
{
    fz_csv *csv = open_text("a,b,c,d\n12,\"x\n\"\"y\"\"\nzz\",\"q\",5\n", NULL);
    const fz_csv_field *fields = NULL;
    uint32_t n = 0;
    fz_error err;
    CU_ASSERT_EQUAL_FATAL(fz_csv_next(csv, &fields, &n, NULL), FZ_OK);
    static const uint32_t lines[] = {2, 2, 4, 4}, columns[] = {1, 4, 5, 9};
    for (uint32_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(fz_csv_fail(csv, &fields[i], &err, "bad %d", 7), FZ_EPARSE);
        CU_ASSERT_EQUAL(err.line, lines[i]);
        CU_ASSERT_EQUAL(err.column, columns[i]);
        CU_ASSERT_STRING_EQUAL(err.message, "bad 7");
    }
    fz_csv_close(csv);
}

static void blank_separated(void)
{
    const fz_csv_options swf = {.blanks = true, .no_header = true, .comment = ';'};
    fz_csv *csv = open_text("; Version: 2\n;\n  1   0\t-1 \r\n; inside\n\n2 \"q\" 3.5 7", &swf);
    CU_ASSERT_EQUAL(fz_csv_n_comments(csv), 2);
    CU_ASSERT_STRING_EQUAL(fz_csv_comment(csv, 0), "Version: 2");
    CU_ASSERT_STRING_EQUAL(fz_csv_comment(csv, 1), "");
    EXPECT(csv, "1|0|-1");
    CU_ASSERT_EQUAL(fz_csv_line(csv), 3);
    EXPECT(csv, "2|\"q\"|3.5|7");
    CU_ASSERT_EQUAL(fz_csv_line(csv), 6);
    EXPECT(csv, "END");
    fz_csv_close(csv);
    csv = open_text("; nothing but this", &swf);
    CU_ASSERT_STRING_EQUAL(fz_csv_comment(csv, 0), "nothing but this");
    EXPECT(csv, "END");
    fz_csv_close(csv);
}

static void other_separators(void)
{
    const fz_csv_options tsv = {.separator = '\t', .no_header = true};
    fz_csv *csv = open_text("a b\tc,d\t\ne\n", &tsv);
    EXPECT(csv, "a b|c,d|");
    EXPECT(csv, "e");
    EXPECT(csv, "END");
    fz_csv_close(csv);
}

static void bad_input(void)
{
    bad("", 1, 1, "the file is empty");
    bad("\n\n", 3, 1, "no header");
    bad("# only a comment", 1, 1, "no header");
    bad("a,b\n1\n", 2, 1, "1 fields, the header has 2");
    bad("a,b\n1,2\n1,2,3\n", 3, 1, "3 fields, the header has 2");
    bad("a,b\n1,\"x\n2,3\n", 2, 3, "never closes");
    bad("a,b\n1,\"x\"y\n", 2, 6, "follows a closing quote");
    bad("a,b\n\"x\n\"y,2\n", 3, 2, "follows a closing quote");
    bad("a,b\n1,x\"y\n", 2, 4, "a quote inside a field");
    bad("a,b\r1,2\r", 1, 4, "carriage return");
    bad("a,b,a\n", 1, 5, "columns 1 and 3 are both named 'a'");
    bad_bytes("a,b\n1,\0002\n", 9, NULL, 2, 3, "zero byte");
    bad_bytes("a,b\n1,\"\0002\"\n", 11, NULL, 2, 4, "zero byte");
    bad_bytes("# \0\na\n", 6, NULL, 1, 1, "zero byte");
    bad_bytes("\0", 1, NULL, 1, 1, "zero byte");
}

static void bytes_in_memory(void)
{
    static const char text[] = "a,b\n1,2\n3,\"4\"";
    fz_csv *csv = NULL, *file = NULL;
    char hex[65], file_hex[65];
    fz_error err;
    CU_ASSERT_EQUAL_FATAL(fz_csv_open_bytes("demo.csv", text, strlen(text), NULL, &csv, NULL), FZ_OK);
    CU_ASSERT_STRING_EQUAL(fz_csv_path(csv), "demo.csv");
    EXPECT(csv, "1|2");
    EXPECT(csv, "3|4");
    EXPECT(csv, "END");
    fz_csv_sha256(csv, hex);
    fz_csv_close(csv);
    file = open_text(text, NULL);
    EXPECT(file, "1|2");
    EXPECT(file, "3|4");
    EXPECT(file, "END");
    fz_csv_sha256(file, file_hex);
    fz_csv_close(file);
    CU_ASSERT_STRING_EQUAL(hex, file_hex);
    CU_ASSERT_EQUAL(fz_csv_open_bytes("none", "", 0, NULL, &csv, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.file, "none");
}

static void nothing_to_open(void)
{
    fz_error err;
    uint32_t rows = 0;
    CU_ASSERT_EQUAL(read_all(fz_temp_path(&temp, "missing.csv"), NULL, &rows, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.file, "missing.csv"));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "No such file"));
    CU_ASSERT_EQUAL(read_all(temp.folder, NULL, &rows, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "directory"));
    CU_ASSERT_EQUAL(read_all(fz_temp_text(&temp, "z.zst", "\x28\xb5\x2f\xfd rest"), NULL, &rows, &err),
                    FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "zstd"));
    CU_ASSERT_EQUAL(read_all(fz_temp_write(&temp, "u.csv",
                                           "\xff\xfe"
                                           "a\0",
                                           4),
                             NULL, &rows, &err),
                    FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "UTF-16"));
}

static void sizes_have_limits(void)
{
    size_t size = 20u << 20;
    char *big = fz_temp_bytes(size, 'x');
    bad_bytes(big, size, NULL, 1, 1, "longer than 1 MiB");
    big[0] = '"';
    bad_bytes(big, size, NULL, 1, 1, "closing quote may be missing");
    for (size_t i = 0; i < size; i += 100000)
        big[i] = ',';
    bad_bytes(big, size, NULL, 1, 1, "longer than 16 MiB");
    memset(big, ',', 10000);
    bad_bytes(big, 10000, NULL, 1, 8193, "more than 8,192 fields");
    big[0] = '#';
    memset(big + 1, 'x', size - 1);
    bad_bytes(big, size, NULL, 1, 1, "longer than 16 MiB");
    free(big);
}

/* Rows longer than the buffer, and rows across its border at every place. */
static void rows_across_the_buffer(void)
{
    size_t size = 3u << 20, used = 0;
    char *text = fz_temp_bytes(size, '\0');
    used += (size_t)sprintf(text, "i,t\n");
    uint32_t rows = 0;
    for (; used < size - 2000; rows++)
        used += (size_t)sprintf(text + used, "%u,\"%.*s\"\"\n\"\r\n", rows, (int)(rows % 97),
                                "0123456789012345678901234567890123456789012345678901234567890123456789012345"
                                "678901234567890123456789");
    fz_csv *csv = open_bytes(text, used, NULL);
    for (uint32_t i = 0; i < rows; i++) {
        const fz_csv_field *fields = NULL;
        uint32_t n = 0;
        uint64_t value = 0;
        CU_ASSERT_EQUAL_FATAL(fz_csv_next(csv, &fields, &n, NULL), FZ_OK);
        CU_ASSERT_EQUAL_FATAL(fz_csv_count(csv, &fields[0], "i", UINT64_MAX, &value, NULL), FZ_OK);
        CU_ASSERT_FATAL(value == i && fields[1].length == i % 97 + 2);
        CU_ASSERT_FATAL(fields[1].text[i % 97] == '"' && fz_csv_line(csv) == 2 + 2 * i);
    }
    EXPECT(csv, "END");
    char expected[65], hex[65];
    fz_sha256 sha;
    fz_sha256_init(&sha);
    fz_sha256_update(&sha, text, used);
    fz_sha256_hex(&sha, expected);
    fz_csv_sha256(csv, hex);
    CU_ASSERT_STRING_EQUAL(hex, expected);
    fz_csv_close(csv);
    free(text);
}

static void a_field_of_a_megabyte(void)
{
    size_t size = (1u << 20) + 100;
    char *text = fz_temp_bytes(size, 'y');
    text[0] = 'a', text[1] = ',', text[3] = '\n';
    text[4 + (1 << 20)] = ',';
    text[size - 1] = '\n';
    fz_csv *csv = open_bytes(text, size, NULL);
    const fz_csv_field *fields = NULL;
    uint32_t n = 0;
    CU_ASSERT_EQUAL_FATAL(fz_csv_next(csv, &fields, &n, NULL), FZ_OK);
    CU_ASSERT_EQUAL(fields[0].length, 1u << 20);
    fz_csv_close(csv);
    free(text);
}

static const char gzip_text[] = "job,t\na,1\nb,2\nc,3.25\n";

static size_t slurp(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t n = fread(bytes, 1, size, file);
    (void)fclose(file);
    return n;
}

static void gzip_files(void)
{
    fz_error err;
    uint32_t rows = 0;
    char packed[1024], plain[65], unpacked[65];
    size_t n =
        slurp(fz_temp_gzip(&temp, "t.csv.gz", gzip_text, strlen(gzip_text)), packed, sizeof packed / 2);
    for (int k = 0; k < 2; k++) {
        fz_csv *csv = NULL;
        const char *path = k == 0 ? fz_temp_path(&temp, "t.csv.gz") : fz_temp_text(&temp, "t.csv", gzip_text);
        CU_ASSERT_EQUAL_FATAL(fz_csv_open(path, NULL, &csv, &err), FZ_OK);
        EXPECT(csv, "a|1");
        EXPECT(csv, "b|2");
        EXPECT(csv, "c|3.25");
        EXPECT(csv, "END");
        fz_csv_sha256(csv, k == 0 ? unpacked : plain);
        fz_csv_close(csv);
    }
    CU_ASSERT_STRING_EQUAL(plain, unpacked);
    /* two members, then padding: one file; the header of the second is a row of it */
    memcpy(packed + n, packed, n);
    memset(packed + 2 * n, 0, 20);
    CU_ASSERT_EQUAL(read_all(fz_temp_write(&temp, "two.gz", packed, 2 * n + 20), NULL, &rows, &err), FZ_OK);
    CU_ASSERT_EQUAL(rows, 7);
    CU_ASSERT_EQUAL(read_all(fz_temp_gzip(&temp, "empty.gz", "", 0), NULL, &rows, &err), FZ_EPARSE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "the file is empty"));
}

/* A gzip file cut anywhere is an error; so is one with a changed byte, or with other bytes behind it. */
static void damaged_gzip_files(void)
{
    fz_error err;
    uint32_t rows = 0;
    char packed[1024];
    size_t n = slurp(fz_temp_gzip(&temp, "t.gz", gzip_text, strlen(gzip_text)), packed, sizeof packed / 2);
    memcpy(packed + n, packed, n);
    for (size_t cut = 1; cut < 2 * n; cut++) {
        fz_status status = read_all(fz_temp_write(&temp, "cut.gz", packed, cut), NULL, &rows, &err);
        CU_ASSERT_EQUAL(status, cut == n ? FZ_OK : FZ_EIO);
        if (cut != n)
            CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "the file is cut"));
    }
    packed[n - 6] ^= 1; /* in the checksum */
    CU_ASSERT_EQUAL(read_all(fz_temp_write(&temp, "sum.gz", packed, n), NULL, &rows, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "damaged"));
    packed[n - 6] ^= 1;
    packed[n] = 'x';
    CU_ASSERT_EQUAL(read_all(fz_temp_write(&temp, "tail.gz", packed, n + 1), NULL, &rows, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "other bytes follow"));
}

static void numbers(void)
{
    fz_csv *csv = open_text("t,x,n,bad\n 1.5 ,2e-3,4.0,1x\n", NULL);
    const fz_csv_field *fields = NULL;
    uint32_t n = 0;
    fz_time t = 0;
    double x = 0;
    uint64_t count = 0;
    fz_error err;
    CU_ASSERT_EQUAL_FATAL(fz_csv_next(csv, &fields, &n, NULL), FZ_OK);
    CU_ASSERT(fz_csv_time(csv, &fields[0], "t", &t, &err) == FZ_OK && t == 1500000);
    CU_ASSERT(fz_csv_number(csv, &fields[1], "x", &x, &err) == FZ_OK && x == 2e-3);
    CU_ASSERT(fz_csv_count(csv, &fields[2], "n", 8, &count, &err) == FZ_OK && count == 4);
    CU_ASSERT_EQUAL(fz_csv_time(csv, &fields[3], "submit_s", &t, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "submit_s: '1x' is not a number; decimal seconds are expected");
    CU_ASSERT(err.line == 2 && err.column == 16);
    CU_ASSERT_EQUAL(fz_csv_number(csv, &fields[3], "x", &x, NULL), FZ_EPARSE);
    CU_ASSERT_EQUAL(fz_csv_count(csv, &fields[2], "gpus", 3, &count, &err), FZ_EPARSE);
    CU_ASSERT_STRING_EQUAL(err.message, "gpus: '4.0' is too large; a whole number of 0 to 3 is expected");
    fz_csv_close(csv);
}

/* Reads `text` to its end or its error. */
static fz_status read_text(const char *text, const fz_csv_options *options, fz_error *err)
{
    fz_csv *csv = NULL;
    fz_status status = fz_csv_open_bytes("t.csv", text, strlen(text), options, &csv, err);
    const fz_csv_field *fields = NULL;
    uint32_t n = 0;
    do
        status = status == FZ_OK ? fz_csv_next(csv, &fields, &n, err) : status;
    while (status == FZ_OK && fields != NULL);
    fz_csv_close(csv);
    return status;
}

static void other_encodings(void)
{
    static const struct {
        const char *text; /* Latin-1, but for the first three */
        uint32_t line, column;
    } cases[] = {
        {"id,user\na,J\xc3\xbcrgen\nb,\xe6\x9d\x8e\n", 0, 0},
        {"# K\xc3\xb6ln\nid\na\n", 0, 0},
        {"id,x_\xc3\xbc\na,1\n", 0, 0},
        {"id,user\na,ok\nb,J\xfcrgen\n", 3, 3},
        {"id,user\n\"a\nb\",J\xfcrgen-with-a-long-name\n", 3, 4},
        {"id,x_\xfc\na,1\n", 1, 4},
        {"# K\xf6ln\nid\na\n", 1, 1},
        {"id,user\na,cut\xc3\n", 2, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fz_error err = {0};
        fz_status status = read_text(cases[i].text, NULL, &err);
        CU_ASSERT_EQUAL(status, cases[i].line == 0 ? FZ_OK : FZ_EPARSE);
        CU_ASSERT(err.line == cases[i].line && err.column == cases[i].column);
        CU_ASSERT(status == FZ_OK || strstr(err.message, "save the file as UTF-8") != NULL);
    }
    static const fz_csv_options swf = {.blanks = true, .no_header = true, .comment = ';'};
    CU_ASSERT_EQUAL(read_text("; Universit\xe9\n1 2\n", &swf, NULL), FZ_OK); /* as archives have it */
}

int main(void)
{
    static const fz_test tests[] = {
        {"plain rows", plain_rows},
        {"marks, line ends, comments, blank lines", what_real_files_have},
        {"quotes", quotes},
        {"lines and columns of fields", columns_and_lines_of_fields},
        {"blank-separated files", blank_separated},
        {"other separators", other_separators},
        {"bad input", bad_input},
        {"bytes in memory", bytes_in_memory},
        {"nothing to open", nothing_to_open},
        {"sizes have limits", sizes_have_limits},
        {"rows across the buffer", rows_across_the_buffer},
        {"a field of a megabyte", a_field_of_a_megabyte},
        {"gzip files", gzip_files},
        {"damaged gzip files", damaged_gzip_files},
        {"numbers", numbers},
        {"other encodings", other_encodings},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("csv", tests);
    fz_temp_close(&temp);
    return failed;
}
