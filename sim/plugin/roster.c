#include "sim/plugin/roster.h"

#include <math.h>
#include <string.h>

fz_status fz_roster_init(fz_roster *roster, fz_error *err)
{
    uint32_t n = 0;
    const fz_sched_ops *const *built_in = fz_sched_all(&n);
    *roster = (fz_roster){.arena = fz_arena_new(NULL)};
    roster->all = roster->arena != NULL ? FZ_NEW(roster->arena, FZ_MAX_POLICIES, const fz_sched_ops *) : NULL;
    if (roster->all == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for the list of schedulers");
    for (; roster->n < n; roster->n++)
        roster->all[roster->n] = built_in[roster->n];
    return FZ_OK;
}

void fz_roster_release(fz_roster *roster)
{
    fz_arena_free(roster->arena);
    *roster = (fz_roster){0};
}

const fz_sched_ops *fz_roster_find(const fz_roster *roster, const char *name)
{
    for (uint32_t i = 0; i < roster->n; i++)
        if (strcmp(roster->all[i]->name, name) == 0)
            return roster->all[i];
    return NULL;
}

/* ---- what a policy from outside must say ------------------------------------------------------------------ */

static bool is_set(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* A name is a word of the command line, of labels and of file names. */
bool fz_roster_name_good(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    static const char all[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    return is_set(name) && strchr(letters, name[0]) != NULL && strspn(name, all) == strlen(name) &&
           strlen(name) < 64;
}

static uint32_t choices_count(const char *choices)
{
    uint32_t n = 1;
    for (const char *at = choices; *at != '\0'; at++)
        n += *at == '|';
    return n;
}

/* NULL, or what is wrong. */
static const char *param_fault(const fz_param *param)
{
    if (!fz_roster_name_good(param->name))
        return "has no name of lower-case letters, digits and '_'";
    if (!is_set(param->help))
        return "has no help text";
    switch (param->kind) {
    case FZ_PARAM_FLAG:
        return param->fallback == 0 || param->fallback == 1 ? NULL
                                                            : "is a flag, but its default is neither 0 nor 1";
    case FZ_PARAM_NUMBER:
        return param->min <= param->fallback && param->fallback <= param->max && isfinite(param->min) &&
                       isfinite(param->max)
                   ? NULL
                   : "has a default outside its range";
    case FZ_PARAM_CHOICE:
        if (!is_set(param->choices))
            return "is a choice without choices";
        return param->fallback >= 0 && param->fallback < choices_count(param->choices) &&
                       param->fallback == floor(param->fallback)
                   ? NULL
                   : "has a default that is none of its choices";
    default:
        return "is of an unknown kind";
    }
}

static fz_status params_check(const fz_sched_ops *ops, const char *file, fz_error *err)
{
    if (ops->n_params > FZ_MAX_PARAMS || (ops->n_params > 0 && ops->params == NULL))
        return fz_fail_at(err, FZ_EPARSE, file, 0, 0, "policy '%s' has %u parameters; there may be %u",
                          ops->name, ops->n_params, ops->params != NULL ? FZ_MAX_PARAMS : 0);
    for (uint32_t i = 0; i < ops->n_params; i++) {
        const char *name = ops->params[i].name;
        const char *fault = param_fault(&ops->params[i]);
        if (fault != NULL)
            return fz_fail_at(err, FZ_EPARSE, file, 0, 0, "policy '%s': parameter %u ('%.64s') %s", ops->name,
                              i + 1, name != NULL ? name : "", fault);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(name, ops->params[k].name) == 0)
                return fz_fail_at(err, FZ_EPARSE, file, 0, 0, "policy '%s' has two parameters '%s'",
                                  ops->name, name);
    }
    return FZ_OK;
}

static fz_status ops_check(const fz_sched_ops *ops, const char *file, fz_error *err)
{
    if (!fz_roster_name_good(ops->name))
        return fz_fail_at(
            err, FZ_EPARSE, file, 0, 0,
            "the name of a policy is a lower-case letter, then letters, digits and '_', not '%.64s'",
            ops->name != NULL ? ops->name : "");
    if (!is_set(ops->summary) || strchr(ops->summary, '\n') != NULL)
        return fz_fail_at(err, FZ_EPARSE, file, 0, 0, "policy '%s' has no summary of one line", ops->name);
    if (!is_set(ops->manual))
        return fz_fail_at(err, FZ_EPARSE, file, 0, 0, "policy '%s' has no manual", ops->name);
    if (ops->decide == NULL)
        return fz_fail_at(err, FZ_EPARSE, file, 0, 0, "policy '%s' has no decide()", ops->name);
    return params_check(ops, file, err);
}

/* ---- adding --------------------------------------------------------------------------------------------- */

fz_status fz_roster_add(fz_roster *roster, const fz_sched_ops *ops, const char *file, const char *origin,
                        fz_error *err)
{
    FZ_TRY(ops_check(ops, file, err));
    const fz_sched_ops *other = fz_roster_find(roster, ops->name);
    if (other != NULL)
        return fz_fail_at(err, FZ_EPARSE, file, 0, 0,
                          "there is a scheduler '%s' already (%s); give this one another name", ops->name,
                          other->origin != NULL ? other->origin : "built in");
    if (roster->n == FZ_MAX_POLICIES)
        return fz_fail_at(err, FZ_EPARSE, file, 0, 0, "more than %u schedulers", FZ_MAX_POLICIES);
    fz_sched_ops *copy = FZ_NEW(roster->arena, 1, fz_sched_ops);
    char *text = fz_arena_strdup(roster->arena, origin);
    if (copy == NULL || text == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for one more scheduler");
    *copy = *ops;
    copy->origin = text;
    roster->all[roster->n++] = copy;
    return FZ_OK;
}
