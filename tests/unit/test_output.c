/* Files that appear whole or not at all. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "core/support/input.h"
#include "core/support/output.h"
#include "tests/harness.h"
#include "tests/temp.h"

#include <stdlib.h>

static fz_temp temp;

static void expect_content(const char *path, const char *expected)
{
    char *text = NULL;
    size_t length = 0;
    CU_ASSERT_EQUAL_FATAL(fz_input_slurp(path, 1 << 20, &text, &length, NULL, NULL), FZ_OK);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
}

static int files_in_folder(void)
{
    int n = 0;
    DIR *folder = opendir(temp.folder);
    CU_ASSERT_PTR_NOT_NULL(folder);
    if (folder == NULL)
        return -1;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        n += entry->d_name[0] != '.';
    (void)closedir(folder);
    return n;
}

static void replaces_as_a_whole(void)
{
    fz_output *output = NULL;
    char path[sizeof temp.path];
    (void)snprintf(path, sizeof path, "%s", fz_temp_text(&temp, "a.txt", "old"));
    CU_ASSERT_EQUAL_FATAL(fz_output_open(path, &output, NULL), FZ_OK);
    fz_output_text(output, "new ");
    fz_output_write(output, "textual", 4);
    expect_content(path, "old");
    CU_ASSERT_EQUAL(fz_output_commit(output, NULL), FZ_OK);
    expect_content(path, "new text");
    CU_ASSERT_EQUAL(files_in_folder(), 1);
    CU_ASSERT_EQUAL_FATAL(fz_output_open(path, &output, NULL), FZ_OK);
    fz_output_text(output, "newer");
    fz_output_discard(output);
    fz_output_discard(NULL);
    expect_content(path, "new text");
    CU_ASSERT_EQUAL(files_in_folder(), 1);
}

static void more_than_the_buffer(void)
{
    fz_output *output = NULL;
    enum { LINES = 50000 };
    char path[sizeof temp.path], *text = NULL;
    size_t length = 0;
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "big.txt"));
    CU_ASSERT_EQUAL_FATAL(fz_output_open(path, &output, NULL), FZ_OK);
    for (int i = 0; i < LINES; i++)
        fz_output_text(output, "0123456\n");
    CU_ASSERT_EQUAL(fz_output_commit(output, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_input_slurp(path, 1 << 20, &text, &length, NULL, NULL), FZ_OK);
    CU_ASSERT_EQUAL(length, (size_t)8 * LINES);
    for (size_t i = 0; i < length; i += 8)
        CU_ASSERT_FATAL(memcmp(text + i, "0123456\n", 8) == 0);
    free(text);
}

static void csv_fields(void)
{
    static const char *const fields[] = {"plain", "", "a,b", "say \"hi\"", "two\nlines", " blank", "a b"};
    fz_output *output = NULL;
    char path[sizeof temp.path];
    (void)snprintf(path, sizeof path, "%s", fz_temp_path(&temp, "fields.csv"));
    CU_ASSERT_EQUAL_FATAL(fz_output_open(path, &output, NULL), FZ_OK);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        fz_output_csv(output, fields[i]);
        fz_output_text(output, ";");
    }
    CU_ASSERT_EQUAL(fz_output_commit(output, NULL), FZ_OK);
    expect_content(path, "plain;;\"a,b\";\"say \"\"hi\"\"\";\"two\nlines\";\" blank\";a b;");
}

static void what_cannot_be_written(void)
{
    fz_output *output = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_output_open(temp.folder, &output, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "directory"));
    CU_ASSERT_EQUAL(fz_output_open(fz_temp_path(&temp, "missing/a.txt"), &output, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.file, "missing/a.txt"));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "No such file"));
    CU_ASSERT_EQUAL(fz_output_open("/dev/null", &output, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "no regular file"));
}

int main(void)
{
    static const fz_test tests[] = {
        {"replaces a file as a whole", replaces_as_a_whole},
        {"more than the buffer", more_than_the_buffer},
        {"CSV fields", csv_fields},
        {"what cannot be written", what_cannot_be_written},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("output", tests);
    fz_temp_close(&temp);
    return failed;
}
