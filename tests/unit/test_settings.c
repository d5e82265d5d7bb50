/* --set: what a key may be, whose it is, and what comes out as text. */
#include <stdio.h>
#include <string.h>

#include "sim/experiment/settings.h"
#include "tests/harness.h"

static int world_index(const char *name)
{
    uint32_t n = 0;
    const fz_param *params = fz_world_params(&n);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(params[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int sched_index(const fz_sched_ops *sched, const char *name)
{
    for (uint32_t i = 0; i < sched->n_params; i++)
        if (strcmp(sched->params[i].name, name) == 0)
            return (int)i;
    return -1;
}

static const fz_sched_ops *has(void)
{
    const fz_sched_ops *sched = fz_sched_find("has");
    CU_ASSERT_PTR_NOT_NULL_FATAL(sched);
    return sched;
}

static bool apply(const fz_sched_ops *sched, fz_settings *settings, const char *text)
{
    bool applied = false;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_settings_apply(sched, settings, text, &applied, &err), FZ_OK);
    return applied;
}

static void expect_refused(const fz_sched_ops *sched, const char *text, const char *part)
{
    bool applied = false;
    fz_error err = {0};
    fz_settings settings = fz_settings_default(sched);
    CU_ASSERT_EQUAL(fz_settings_apply(sched, &settings, text, &applied, &err), FZ_EUSAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, part));
    if (strstr(err.message, part) == NULL)
        printf("\n%s: %s\n", text, err.message);
}

static void every_table_fits(void)
{
    uint32_t n = 0;
    (void)fz_world_params(&n);
    CU_ASSERT(n <= FZ_MAX_PARAMS);
    const fz_sched_ops *const *all = fz_sched_all(&n);
    for (uint32_t i = 0; i < n; i++)
        CU_ASSERT(all[i]->n_params <= FZ_MAX_PARAMS);
}

static void keys_of_the_world(void)
{
    fz_settings settings = fz_settings_default(has());
    CU_ASSERT_EQUAL(fz_world_from(settings.world).mem_error_sigma, 0);
    CU_ASSERT(apply(has(), &settings, "mem_error_sigma=0.25"));
    CU_ASSERT(apply(has(), &settings, "enforce_limit=1"));
    CU_ASSERT_EQUAL(settings.world[world_index("mem_error_sigma")], 0.25);
    CU_ASSERT(fz_world_from(settings.world).enforce_limit);
    CU_ASSERT(apply(has(), &settings, "mem_error_sigma=0.5")); /* the last one counts */
    CU_ASSERT_EQUAL(fz_world_from(settings.world).mem_error_sigma, 0.5);
}

static void keys_of_the_policy(void)
{
    int pick = sched_index(has(), "plan_pick");
    fz_settings settings = fz_settings_default(has());
    CU_ASSERT_FATAL(pick >= 0);
    CU_ASSERT(apply(has(), &settings, "plan_pick=last"));
    CU_ASSERT_EQUAL(settings.sched[pick], 1);
    CU_ASSERT(apply(has(), &settings, "has.plan_pick=first"));
    CU_ASSERT_EQUAL(settings.sched[pick], 0);
}

static void keys_of_others(void)
{
    fz_settings settings = fz_settings_default(has());
    fz_settings before = settings;
    CU_ASSERT(!apply(has(), &settings, "fifo.consolidate=1"));
    CU_ASSERT(!apply(has(), &settings, "ha.plan_pick=last")); /* a part of a name is no name */
    CU_ASSERT(!apply(has(), &settings, "hass.plan_pick=last"));
    CU_ASSERT(!apply(has(), &settings, "plan_pic=last"));
    CU_ASSERT(!apply(has(), &settings, "has.mem_error_sigma=1")); /* the world's, not the policy's */
    CU_ASSERT_EQUAL(memcmp(&settings, &before, sizeof(settings)), 0);
}

static void values_that_are_refused(void)
{
    expect_refused(has(), "plan_pick", "key=value");
    expect_refused(has(), "=1", "key=value");
    expect_refused(has(), "", "key=value");
    expect_refused(has(), "plan_pick=middle", "none of first|last");
    expect_refused(has(), "plan_pick=", "none of first|last");
    expect_refused(has(), "plan_pick=fir", "none of first|last");
    expect_refused(has(), "mem_error_sigma=", "not a number");
    expect_refused(has(), "mem_error_sigma=much", "not a number");
    expect_refused(has(), "mem_error_sigma=1x", "not a number");
    expect_refused(has(), "mem_error_sigma=nan", "not a number");
    expect_refused(has(), "mem_error_sigma=inf", "not a number");
    expect_refused(has(), "mem_error_sigma=-0.1", "out of range");
    expect_refused(has(), "mem_error_sigma=3.5", "expected 0 to 3");
    expect_refused(has(), "enforce_limit=2", "neither 0 nor 1");
    expect_refused(has(), "enforce_limit=0.5", "neither 0 nor 1");
}

static void unknown_keys(void)
{
    const fz_sched_ops *scheds[] = {fz_sched_find("fifo"), has()};
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_settings_unknown(scheds, 2, "plan_pik=last", &err), FZ_EUSAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "did you mean 'plan_pick'"));
    CU_ASSERT_EQUAL(fz_settings_unknown(scheds, 2, "has.plan_pik=last", &err), FZ_EUSAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "did you mean 'plan_pick'"));
    CU_ASSERT_EQUAL(fz_settings_unknown(scheds, 2, "mem_eror_sigma=1", &err), FZ_EUSAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "did you mean 'mem_error_sigma'"));
    CU_ASSERT_EQUAL(fz_settings_unknown(scheds, 2, "zzzzzzzz=1", &err), FZ_EUSAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "zzzzzzzz"));
    CU_ASSERT_EQUAL(fz_settings_unknown(scheds, 1, "nobody.consolidate=1", &err), FZ_EUSAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "nobody.consolidate"));
    char longer[300];
    memset(longer, 'k', sizeof(longer));
    memcpy(longer + sizeof(longer) - 3, "=1", 3);
    CU_ASSERT_EQUAL(fz_settings_unknown(scheds, 2, longer, &err), FZ_EUSAGE);
}

/* What is stored beside a run sets up the same run again. */
static void text_comes_back(void)
{
    uint32_t n = 0;
    const fz_sched_ops *const *all = fz_sched_all(&n);
    for (uint32_t i = 0; i < n; i++) {
        char text[4096];
        fz_settings settings = fz_settings_default(all[i]);
        CU_ASSERT(apply(all[i], &settings, "mem_error_sigma=0.1"));
        CU_ASSERT(apply(all[i], &settings, "oom_after_s=12.5"));
        size_t length = fz_settings_text(all[i], &settings, text, sizeof(text));
        CU_ASSERT_EQUAL_FATAL(length, strlen(text));
        fz_settings again = fz_settings_default(all[i]);
        char *rest = NULL;
        char *line = strtok_r(text, "\n", &rest);
        CU_ASSERT(strncmp(line, "scheduler=", 10) == 0 && strcmp(line + 10, all[i]->name) == 0);
        while ((line = strtok_r(NULL, "\n", &rest)) != NULL)
            CU_ASSERT(apply(all[i], &again, line));
        CU_ASSERT_EQUAL(memcmp(&settings, &again, sizeof(settings)), 0);
    }
}

static void text_is_cut(void)
{
    char all[4096], text[20];
    fz_settings settings = fz_settings_default(has());
    size_t length = fz_settings_text(has(), &settings, all, sizeof(all));
    CU_ASSERT_EQUAL(fz_settings_text(has(), &settings, text, sizeof(text)), length);
    CU_ASSERT_EQUAL(strlen(text), sizeof(text) - 1);
    CU_ASSERT_EQUAL(strncmp(text, all, sizeof(text) - 1), 0);
}

static void text_of_a_value(void)
{
    static const fz_param choice = {.name = "c", .kind = FZ_PARAM_CHOICE, .choices = "one|two|three"};
    static const fz_param number = {.name = "n", .kind = FZ_PARAM_NUMBER, .max = 10};
    char text[64];
    fz_param_text(&choice, 0, text, sizeof(text));
    CU_ASSERT_STRING_EQUAL(text, "one");
    fz_param_text(&choice, 2, text, sizeof(text));
    CU_ASSERT_STRING_EQUAL(text, "three");
    fz_param_text(&number, 0.1, text, sizeof(text));
    CU_ASSERT_STRING_EQUAL(text, "0.1");
}

int main(void)
{
    static const fz_test tests[] = {
        {"every table fits", every_table_fits},
        {"keys of the world", keys_of_the_world},
        {"keys of the policy", keys_of_the_policy},
        {"keys of others", keys_of_others},
        {"values that are refused", values_that_are_refused},
        {"unknown keys", unknown_keys},
        {"text comes back", text_comes_back},
        {"text is cut", text_is_cut},
        {"text of a value", text_of_a_value},
    };
    return FZ_TEST_MAIN("settings", tests);
}
