/* Command lines: one table gives parsing, complaints and --help. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/options.h"
#include "tests/harness.h"

static const fz_option options[] = {
    {"cluster", "FILE", "where"},
    {"set", "KEY=VALUE", "what"},
    {"seed", "N", "which"},
    {"force", NULL, "a flag"},
};
static const fz_command command = {
    .name = "try",
    .summary = "a command",
    .arguments = "TRACE [options]",
    .examples = "  frenzy try t.csv\n",
    .notes = "",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 2,
};

enum { MAX_WORDS = 600 };

/* A command line of words, which getopt may put in another order. */
typedef struct line {
    char *argv[MAX_WORDS + 1];
    int argc;
    char text[8192];
} line;

static void split(line *self, const char *text)
{
    char *rest = NULL;
    self->argc = 0;
    (void)snprintf(self->text, sizeof(self->text), "try %s", text);
    for (char *word = strtok_r(self->text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (self->argc < MAX_WORDS)
            self->argv[self->argc++] = strcmp(word, "''") == 0 ? word + 2 : word;
    self->argv[self->argc] = NULL;
}

static fz_args parsed(line *words, const char *text)
{
    fz_args args;
    bool help = true;
    fz_error err = {0};
    split(words, text);
    CU_ASSERT_EQUAL_FATAL(fz_args_parse(&command, words->argc, words->argv, &args, &help, &err), FZ_OK);
    CU_ASSERT(!help);
    return args;
}

static void expect_refused(const char *text, const char *part)
{
    line words;
    fz_args args;
    bool help = false;
    fz_error err = {0};
    split(&words, text);
    CU_ASSERT_EQUAL(fz_args_parse(&command, words.argc, words.argv, &args, &help, &err), FZ_EUSAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, part));
    if (strstr(err.message, part) == NULL)
        printf("\n%s: %s (expected %s)\n", text, err.message, part);
}

static void in_any_order(void)
{
    line words;
    fz_args args =
        parsed(&words, "--cluster c.json t.csv --set a=1 --force --set=b=2 u.csv --cluster d.json");
    CU_ASSERT_STRING_EQUAL(fz_args_get(&args, "cluster"), "d.json"); /* the last one counts */
    CU_ASSERT_STRING_EQUAL(fz_args_nth(&args, "set", 0), "a=1");
    CU_ASSERT_STRING_EQUAL(fz_args_nth(&args, "set", 1), "b=2");
    CU_ASSERT_PTR_NULL(fz_args_nth(&args, "set", 2));
    CU_ASSERT(fz_args_has(&args, "force"));
    CU_ASSERT(!fz_args_has(&args, "json"));
    CU_ASSERT_PTR_NULL(fz_args_get(&args, "seed"));
    CU_ASSERT_EQUAL_FATAL(args.n_rest, 2);
    CU_ASSERT_STRING_EQUAL(args.rest[0], "t.csv");
    CU_ASSERT_STRING_EQUAL(args.rest[1], "u.csv");
}

/* Parsing twice in one process, as this program does, must not remember anything. */
static void after_two_dashes(void)
{
    line words;
    fz_args args = parsed(&words, "--json -- --force");
    CU_ASSERT(fz_args_has(&args, "json"));
    CU_ASSERT(!fz_args_has(&args, "force"));
    CU_ASSERT_STRING_EQUAL(args.rest[0], "--force");
    args = parsed(&words, "-"); /* standard input or output is no option */
    CU_ASSERT_STRING_EQUAL(args.rest[0], "-");
}

static void what_is_wrong(void)
{
    expect_refused("", "something is missing: frenzy try TRACE");
    expect_refused("a b c", "'c' is one argument too many");
    expect_refused("t --clutser c", "did you mean '--cluster'");
    expect_refused("t --clutser=c", "did you mean '--cluster'");
    expect_refused("t --zzzzzzzz", "unknown option '--zzzzzzzz'; see frenzy try --help");
    expect_refused("t -x", "unknown option '-x'");
    expect_refused("t --cluster", "option '--cluster' needs a value");
    expect_refused("t -xh", "unknown option '-x'");
    expect_refused("t --force=1", "option '--force' takes no value");
    expect_refused("t --cluster ''", "--cluster: FILE is empty");
    expect_refused("''", "argument 1 is empty");
}

static void too_many_options(void)
{
    char text[4096] = "t";
    for (int i = 0; i <= FZ_MAX_VALUES; i++)
        (void)strcat(text, " --force");
    expect_refused(text, "too many options");
}

static void help_wins(void)
{
    static const char *const lines[] = {"--help", "-h", "--help a b c d", "--cluster c -h"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        line words;
        fz_args args;
        bool help = false;
        split(&words, lines[i]);
        CU_ASSERT_EQUAL(fz_args_parse(&command, words.argc, words.argv, &args, &help, NULL), FZ_OK);
        CU_ASSERT(help);
    }
}

static bool count_is(const char *text, fz_status status, uint64_t expected, const char *part)
{
    line words;
    fz_error err = {0};
    uint64_t value = 77;
    fz_args args = parsed(&words, text);
    bool good = fz_args_count(&args, "seed", 1, 1000, &value, &err) == status && value == expected &&
                strstr(err.message, part) != NULL;
    if (!good)
        printf("\n%s: %llu, %s\n", text, (unsigned long long)value, err.message);
    return good;
}

static void counts(void)
{
    CU_ASSERT(count_is("t", FZ_OK, 77, "")); /* absent: left as it was */
    CU_ASSERT(count_is("t --seed 1", FZ_OK, 1, ""));
    CU_ASSERT(count_is("t --seed 1000", FZ_OK, 1000, ""));
    CU_ASSERT(count_is("t --seed 0", FZ_EUSAGE, 77, "--seed: 0 is out of range, expected 1 to 1000"));
    CU_ASSERT(count_is("t --seed 1001", FZ_EUSAGE, 77, "out of range"));
    CU_ASSERT(count_is("t --seed 99999999999999999999999", FZ_EUSAGE, 77, "out of range"));
    CU_ASSERT(count_is("t --seed -1", FZ_EUSAGE, 77, "not a whole number"));
    CU_ASSERT(count_is("t --seed 1.5", FZ_EUSAGE, 77, "not a whole number"));
    CU_ASSERT(count_is("t --seed ten", FZ_EUSAGE, 77, "not a whole number"));
}

static bool number_is(const char *text, fz_status status, double expected, const char *part)
{
    line words;
    fz_error err = {0};
    double value = 77;
    fz_args args = parsed(&words, text);
    return fz_args_number(&args, "seed", -1, 1, &value, &err) == status && value == expected &&
           strstr(err.message, part) != NULL;
}

static void numbers(void)
{
    CU_ASSERT(number_is("t", FZ_OK, 77, ""));
    CU_ASSERT(number_is("t --seed -0.5", FZ_OK, -0.5, ""));
    CU_ASSERT(number_is("t --seed 1e-3", FZ_OK, 1e-3, ""));
    CU_ASSERT(number_is("t --seed 1.01", FZ_EUSAGE, 77, "out of range, expected -1 to 1"));
    CU_ASSERT(number_is("t --seed nan", FZ_EUSAGE, 77, "not a number"));
    CU_ASSERT(number_is("t --seed inf", FZ_EUSAGE, 77, "not a number"));
    CU_ASSERT(number_is("t --seed 1s", FZ_EUSAGE, 77, "not a number"));
}

static void one_standard_output(void)
{
    line words;
    fz_error err = {0};
    fz_args args = parsed(&words, "t --cluster - --json");
    CU_ASSERT_EQUAL(fz_args_one_output(&args, "cluster", &err), FZ_EUSAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "standard output"));
    args = parsed(&words, "t --cluster -");
    CU_ASSERT_EQUAL(fz_args_one_output(&args, "cluster", &err), FZ_OK);
    args = parsed(&words, "t --cluster c --json");
    CU_ASSERT_EQUAL(fz_args_one_output(&args, "cluster", &err), FZ_OK);
    args = parsed(&words, "t --json");
    CU_ASSERT_EQUAL(fz_args_one_output(&args, "cluster", &err), FZ_OK);
}

int main(void)
{
    static const fz_test tests[] = {
        {"in any order", in_any_order},
        {"after two dashes", after_two_dashes},
        {"what is wrong", what_is_wrong},
        {"too many options", too_many_options},
        {"help wins", help_wins},
        {"counts", counts},
        {"numbers", numbers},
        {"one standard output", one_standard_output},
    };
    return FZ_TEST_MAIN("options", tests);
}
