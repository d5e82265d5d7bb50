/* The inputs of a replay: trace, cluster and models, read with their complaints, and the settings. */
#ifndef FRENZY_SIM_CLI_INPUTS_H
#define FRENZY_SIM_CLI_INPUTS_H

#include "sim/cli/options.h"
#include "sim/engine/engine.h"
#include "sim/experiment/settings.h"
#include "sim/plugin/roster.h"
#include "sim/store/store.h"
#include "workloads/canonical.h"
#include "workloads/cluster_file.h"

typedef struct fz_inputs {
    fz_trace *trace;
    fz_trace_report report;
    fz_cluster_file *cluster;
    const fz_model *const *models;
    fz_work_tables *tables; /* of --profiles; NULL: none */
    fz_arena *arena;        /* of the models */
} fz_inputs;

/* Reads everything; prints errors, and warnings about rows. `profiles` may be NULL. Returns FZ_EXIT_DONE or the
 * exit code. What was read must be released in any case. */
int fz_inputs_read(const char *trace_path, const char *cluster_path, const char *profiles, fz_inputs *inputs);
/* The option of the commands that replay. */
#define FZ_OPTION_PROFILES                                                                                   \
    {                                                                                                        \
        "profiles", "PATH", "tables of jobs that name a profile in place of a run time (Sia, Pollux, Gavel)" \
    }
void fz_inputs_release(fz_inputs *inputs);

/* Reads a frenzy trace, CPU jobs and lines of the file included; a foreign trace is refused with the command
 * that imports it. Prints what is wrong; FZ_EXIT_DONE or the exit code. */
int fz_trace_open(const char *path, fz_bad_rows bad_rows, fz_trace **trace, fz_trace_report *report);

/* Warnings about the rows that reading a trace dropped or changed. */
void fz_trace_report_say(const fz_trace *trace, const fz_trace_report *report);
/* What its header lines say was assumed about it. */
void fz_trace_assumptions_say(const fz_trace *trace);

/* FZ_EUSAGE when what --`option` is to write would replace the file `other`. Either may be NULL. */
fz_status fz_output_spares(const char *option, const char *path, const char *other, fz_error *err);

/* The built-in policies and those of every --plugin. The roster must be released in any case. */
fz_status fz_roster_from_args(const fz_args *args, fz_roster *roster, fz_error *err);

/* Policies by name, with "did you mean"; FZ_EUSAGE. `text` may be a list joined by commas. */
fz_status fz_scheds_parse(const fz_roster *roster, const char *text, const fz_sched_ops **scheds,
                          uint32_t max, uint32_t *n, fz_error *err);

/* Applies every --set of the command line to the settings of each policy; FZ_EUSAGE when one of them
 * suits none. */
fz_status fz_settings_from_args(const fz_args *args, const fz_sched_ops *const *scheds, uint32_t n_scheds,
                                fz_settings *settings, fz_error *err);

/* What the database keeps of a run of these inputs. `config` is filled; it and the rest are borrowed. */
#define FZ_CONFIG_TEXT 4096
fz_store_run fz_inputs_store_run(const fz_inputs *inputs, const fz_sched_ops *sched,
                                 const fz_settings *settings, uint64_t seed, char config[FZ_CONFIG_TEXT]);

/* Warnings that follow from a run: rejected jobs, estimates, settings without effect. */
void fz_run_remarks(const fz_inputs *inputs, const fz_sched_ops *sched, const fz_settings *settings,
                    const fz_summary *summary);

/* "0.1.0"; and what `--version` prints: it, the commit, the database schema and the libraries. */
const char *fz_program_version(void);
void fz_program_version_print(void);

/* The version with the first digits of the hash of the program's own file: results of a scheduler that was
 * changed and built again are never taken for those of the one before. */
#define FZ_BUILD_TEXT 64
void fz_program_build(char text[FZ_BUILD_TEXT]);

#endif
