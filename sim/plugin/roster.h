/* The policies that a command may name: the built-in ones, and those that the user brought along. */
#ifndef FRENZY_SIM_PLUGIN_ROSTER_H
#define FRENZY_SIM_PLUGIN_ROSTER_H

#include <frenzy/arena.h>
#include <frenzy/status.h>

#include "sim/sched/sched.h"

#define FZ_MAX_POLICIES 256u

typedef struct fz_roster {
    const fz_sched_ops **all; /* the built-in ones first, in the order of the documentation */
    uint32_t n;
    fz_arena *arena; /* owns what was added */
} fz_roster;

/* The built-in policies. FZ_ENOMEM; the roster must be released in any case. */
fz_status fz_roster_init(fz_roster *roster, fz_error *err);
void fz_roster_release(fz_roster *roster);

const fz_sched_ops *fz_roster_find(const fz_roster *roster, const char *name); /* NULL if unknown */

/* What may be the name of a policy from outside: a lower-case letter, then letters, digits and '_'. */
bool fz_roster_name_good(const char *name);

/* Adds a copy of a policy from outside, after a check of all that its struct says; names must be new. `file` is
 * named in complaints (FZ_EPARSE); `origin` becomes that of the copy. */
fz_status fz_roster_add(fz_roster *roster, const fz_sched_ops *ops, const char *file, const char *origin,
                        fz_error *err);

/* Adds all policies of a shared object, which stays loaded until the program ends. FZ_EPARSE names the file and says
 * what is wrong: no such file, no shared object, no `frenzy_plugin` in it, made for another sched.h, a policy that
 * fz_roster_add() refuses. */
fz_status fz_roster_load(fz_roster *roster, const char *path, fz_error *err);

#endif
