/* Descriptions of clusters with random damage, through every format: reading never breaks, an error names the file and
 * the place, and what was written can be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/samples.h"
#include "tests/temp.h"
#include "workloads/cluster_file.h"
#include "workloads/cluster_formats/formats.h"

enum { ROUNDS = 4000, LONGEST = 4096 };
#define SEED UINT64_C(20231105)

static fz_temp temp;

static bool import_damaged(const char *format, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    fz_error err = {0};
    fz_cluster_file *file = NULL;
    fz_cluster_source source = {.paths = &path, .n_paths = 1};
    fz_status status = fz_cluster_import(fz_cluster_format_find(format), &source, &text, &length, &err);
    if (status != FZ_OK) {
        bool said = err.message[0] != '\0' && err.file[0] != '\0' && err.line > 0 && err.column > 0 &&
                    (status == FZ_EPARSE || status == FZ_EIO);
        CU_ASSERT_TRUE(said);
        if (!said)
            (void)fprintf(stderr, "%s: %u:%u: %s\n", format, err.line, err.column, err.message);
        return false;
    }
    CU_ASSERT_EQUAL(fz_cluster_file_parse("again", text, length, &file, &err), FZ_OK);
    fz_cluster_file_free(file);
    free(text);
    return true;
}

static void damaged_files(void)
{
    uint32_t read = 0;
    fz_random random = {SEED};
    fz_samples samples = fz_samples_open(FZ_SOURCE_DIR, "cluster_formats");
    (void)printf("seed %llu\n", (unsigned long long)SEED);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        char text[LONGEST];
        const fz_sample *sample = &samples.items[round % samples.n];
        size_t length = sample->length;
        CU_ASSERT_FATAL(fz_cluster_format_find(sample->format) != NULL && length + 256 < sizeof text);
        memcpy(text, sample->text, length);
        for (uint32_t i = fz_random_below(&random, 4); i > 0; i--)
            length = fz_damage(text, length, ',', &random);
        read += import_damaged(sample->format, fz_temp_write(&temp, "damaged", text, length));
    }
    CU_ASSERT(read > ROUNDS / 5); /* else the damage is too heavy to say much */
    fz_samples_close(&samples);
}

int main(void)
{
    static const fz_test tests[] = {{"damaged files", damaged_files}};
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("cluster_imports", tests);
    fz_temp_close(&temp);
    return failed;
}
