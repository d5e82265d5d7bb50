#include "workloads/bundled.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"

static const char *const folders[FZ_BUNDLED_KINDS] = {"clusters", "models", "traces", "generate/profiles",
                                                      "mixes"};

/* The program holds each file byte by byte. */
static void same_as_file(const char *folder, const fz_bundled *bundled)
{
    char path[512];
    snprintf(path, sizeof path, "%s/workloads/%s/%s", FZ_SOURCE_DIR, folder, bundled->file);
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL(file);
    if (file == NULL)
        return;
    bool same = true;
    for (uint64_t i = 0; i < bundled->length && same; i++)
        same = fgetc(file) == (unsigned char)bundled->bytes[i];
    CU_ASSERT(same);
    CU_ASSERT_EQUAL(fgetc(file), EOF);
    CU_ASSERT_EQUAL(bundled->bytes[bundled->length], '\0');
    (void)fclose(file);
}

static void every_file(void)
{
    for (unsigned kind = 0; kind < FZ_BUNDLED_KINDS; kind++) {
        uint32_t count, n_names;
        const fz_bundled *files = fz_bundled_all((fz_bundled_kind)kind, &count);
        const char *const *names = fz_bundled_names((fz_bundled_kind)kind, &n_names);
        CU_ASSERT_EQUAL(count, n_names);
        for (uint32_t i = 0; i < count; i++) {
            same_as_file(folders[kind], &files[i]);
            CU_ASSERT_STRING_EQUAL(names[i], files[i].name);
            CU_ASSERT(i == 0 || strcmp(names[i - 1], names[i]) < 0);
        }
    }
}

static void by_name(void)
{
    const fz_bundled *model = fz_bundled_find(FZ_BUNDLED_MODEL, "gpt2");
    CU_ASSERT_STRING_EQUAL(model != NULL ? model->file : "(unknown)", "gpt2.json");
    CU_ASSERT_PTR_EQUAL(fz_bundled_find(FZ_BUNDLED_MODEL, "GPT2.json"), model);
    CU_ASSERT_PTR_NULL(fz_bundled_find(FZ_BUNDLED_CLUSTER, "gpt2"));
    CU_ASSERT_PTR_NULL(fz_bundled_find(FZ_BUNDLED_MODEL, "gpt"));
    CU_ASSERT_PTR_NULL(fz_bundled_find(FZ_BUNDLED_MODEL, ""));
}

int main(void)
{
    static const fz_test tests[] = {{"every file, byte by byte", every_file}, {"by name", by_name}};
    return FZ_TEST_MAIN("bundled", tests);
}
