#include "core/support/suggest.h"
#include "tests/harness.h"

static const char *suggest(const char *word)
{
    static const char *const names[] = {"fifo", "fifo_skip",     "sjf",   "easy",
                                        "has",  "opportunistic", "count", "x"};
    return fz_suggest(word, names, sizeof names / sizeof names[0]);
}

static void typing_errors(void)
{
    CU_ASSERT_STRING_EQUAL(suggest("fif"), "fifo");   /* a letter lost */
    CU_ASSERT_STRING_EQUAL(suggest("fiffo"), "fifo"); /* one too many */
    CU_ASSERT_STRING_EQUAL(suggest("sjg"), "sjf");    /* replaced */
    CU_ASSERT_STRING_EQUAL(suggest("hsa"), "has");    /* swapped */
    CU_ASSERT_STRING_EQUAL(suggest("FIFO"), "fifo");  /* case */
    CU_ASSERT_STRING_EQUAL(suggest("oportunstic"), "opportunistic");
    CU_ASSERT_STRING_EQUAL(suggest("fifo-skip"), "fifo_skip");
    CU_ASSERT_STRING_EQUAL(suggest("cout"), "count");
}

static void nothing_near(void)
{
    CU_ASSERT_PTR_NULL(suggest("gandiva"));
    CU_ASSERT_PTR_NULL(suggest(""));
    CU_ASSERT_PTR_NULL(suggest("y")); /* all of it is wrong */
    CU_ASSERT_PTR_NULL(
        suggest("a-name-that-is-far-longer-than-anything-anybody-would-type-by-hand-into-a-file"));
    CU_ASSERT_PTR_NULL(fz_suggest("fifo", NULL, 0));
}

static void the_nearest_then_the_first(void)
{
    static const char *const names[] = {"abcdxx", "abcdex", "abcdey"};
    CU_ASSERT_STRING_EQUAL(fz_suggest("abcdef", names, 3), "abcdex");
}

int main(void)
{
    static const fz_test tests[] = {
        {"typing errors are found", typing_errors},
        {"other words are not", nothing_near},
        {"the nearest wins, then the first", the_nearest_then_the_first},
    };
    return FZ_TEST_MAIN("suggest", tests);
}
