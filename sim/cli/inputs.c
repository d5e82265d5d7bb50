#include "sim/cli/inputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/support/suggest.h"
#include "sim/cli/say.h"
#include "workloads/models.h"

/* ---- reading -------------------------------------------------------------------------------------------- */

static const char *deed(char what)
{
    return what == 'd' ? "dropped" : what == 'c' ? "changed" : "noted";
}

void fz_trace_report_say(const fz_trace *trace, const fz_trace_report *report)
{
    for (uint32_t i = 0; i < report->n_findings; i++) {
        const fz_finding *finding = &report->findings[i];
        fz_say_warning("%s: %llu row%s %s: %s (first in line %u)", trace->path,
                       (unsigned long long)finding->rows, finding->rows == 1 ? "" : "s", deed(finding->what),
                       finding->cause, finding->first_line);
    }
}

/* What the trace says of itself: that something in it was made up. */
void fz_trace_assumptions_say(const fz_trace *trace)
{
    for (uint32_t i = 0; i < trace->n_headers; i++)
        if (strcmp(trace->headers[i].key, "assumed") == 0)
            fz_say_warning("%s: assumed: %s", trace->path, trace->headers[i].value);
}

/* A foreign trace is not guessed at: the user is told how to import it. */
static int trace_refuse(const char *path, const fz_error *err)
{
    const fz_trace_format *format = NULL;
    int code = fz_say_input_error(err);
    if (err->status == FZ_EPARSE && fz_trace_format_probe(path, &format, NULL) == FZ_OK &&
        strcmp(format->name, "canonical") != 0)
        fz_say_note("this looks like a %s trace; turn it into a frenzy trace first:\n"
                    "  frenzy import %s %s --out trace.csv",
                    format->name, format->name, path);
    return code;
}

int fz_trace_open(const char *path, fz_bad_rows bad_rows, fz_trace **trace, fz_trace_report *report)
{
    fz_error err = {0};
    fz_import_options how = {.bad_rows = bad_rows, .cpu_jobs = true, .lines = true};
    if (fz_trace_read_with(path, &how, trace, report, &err) != FZ_OK)
        return trace_refuse(path, &err);
    return FZ_EXIT_DONE;
}

int fz_inputs_read(const char *trace_path, const char *cluster_path, const char *profiles, fz_inputs *inputs)
{
    fz_error err = {0};
    *inputs = (fz_inputs){.arena = fz_arena_new(NULL)};
    if (inputs->arena == NULL) {
        fz_fail(&err, FZ_ENOMEM, "no memory");
        return fz_say_error(&err);
    }
    if (fz_trace_read(trace_path, FZ_BAD_ROWS_DEFAULT, &inputs->trace, &inputs->report, &err) != FZ_OK)
        return trace_refuse(trace_path, &err);
    fz_trace_report_say(inputs->trace, &inputs->report);
    fz_trace_assumptions_say(inputs->trace);
    if (fz_cluster_file_read(cluster_path, &inputs->cluster, &err) != FZ_OK ||
        fz_models_of_trace(inputs->trace, inputs->arena, &inputs->models, &err) != FZ_OK ||
        (profiles != NULL && fz_work_tables_read(profiles, &inputs->tables, &err) != FZ_OK))
        return fz_say_input_error(&err);
    if (inputs->cluster->note[0] != '\0')
        fz_say_warning("%s: %s", inputs->cluster->path, inputs->cluster->note);
    return FZ_EXIT_DONE;
}

fz_status fz_output_spares(const char *option, const char *path, const char *other, fz_error *err)
{
    struct stat a;
    struct stat b;
    if (path == NULL || other == NULL || strcmp(path, "-") == 0)
        return FZ_OK;
    bool same_file =
        stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    if (!same_file && strcmp(path, other) != 0)
        return FZ_OK;
    return fz_fail(err, FZ_EUSAGE, "--%s %s would replace %s, which is used too; name another file", option,
                   path, other);
}

void fz_inputs_release(fz_inputs *inputs)
{
    fz_trace_free(inputs->trace);
    fz_work_tables_free(inputs->tables);
    fz_cluster_file_free(inputs->cluster);
    fz_arena_free(inputs->arena);
}

/* ---- policies and settings ------------------------------------------------------------------------------ */

fz_status fz_roster_from_args(const fz_args *args, fz_roster *roster, fz_error *err)
{
    const char *path = NULL;
    FZ_TRY(fz_roster_init(roster, err));
    for (uint32_t k = 0; (path = fz_args_nth(args, "plugin", k)) != NULL; k++)
        FZ_TRY(fz_roster_load(roster, path, err));
    return FZ_OK;
}

static fz_status sched_unknown(const fz_roster *roster, const char *name, fz_error *err)
{
    const char *names[FZ_MAX_POLICIES];
    char list[512] = "";
    for (uint32_t i = 0; i < roster->n; i++) {
        names[i] = roster->all[i]->name;
        size_t length = strlen(list);
        snprintf(list + length, sizeof(list) - length, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *near = fz_suggest(name, names, roster->n);
    if (near != NULL)
        return fz_fail(err, FZ_EUSAGE, "unknown scheduler '%s' (did you mean '%s'?); there are %s", name,
                       near, list);
    return fz_fail(err, FZ_EUSAGE, "unknown scheduler '%s'; there are %s", name, list);
}

fz_status fz_scheds_parse(const fz_roster *roster, const char *text, const fz_sched_ops **scheds,
                          uint32_t max, uint32_t *n, fz_error *err)
{
    *n = 0;
    for (const char *at = text; at != NULL;) {
        char name[64];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof(name), "%.*s", (int)length, at);
        const fz_sched_ops *sched = fz_roster_find(roster, name);
        if (sched == NULL)
            return sched_unknown(roster, name, err);
        for (uint32_t i = 0; i < *n; i++)
            if (scheds[i] == sched)
                return fz_fail(err, FZ_EUSAGE, "scheduler '%s' is named twice", name);
        if (*n == max)
            return fz_fail(err, FZ_EUSAGE, "at most %u schedulers at once", max);
        scheds[(*n)++] = sched;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return FZ_OK;
}

fz_status fz_settings_from_args(const fz_args *args, const fz_sched_ops *const *scheds, uint32_t n_scheds,
                                fz_settings *settings, fz_error *err)
{
    for (uint32_t i = 0; i < n_scheds; i++)
        settings[i] = fz_settings_default(scheds[i]);
    const char *text = NULL;
    for (uint32_t k = 0; (text = fz_args_nth(args, "set", k)) != NULL; k++) {
        bool any = false;
        for (uint32_t i = 0; i < n_scheds; i++) {
            bool applied = false;
            FZ_TRY(fz_settings_apply(scheds[i], &settings[i], text, &applied, err));
            any |= applied;
        }
        if (!any)
            return fz_settings_unknown(scheds, n_scheds, text, err);
    }
    return FZ_OK;
}

/* ---- remarks -------------------------------------------------------------------------------------------- */

static unsigned long long count(uint64_t value)
{
    return (unsigned long long)value;
}

fz_store_run fz_inputs_store_run(const fz_inputs *inputs, const fz_sched_ops *sched,
                                 const fz_settings *settings, uint64_t seed, char config[FZ_CONFIG_TEXT])
{
    size_t length = fz_settings_text(sched, settings, config, FZ_CONFIG_TEXT);
    if (sched->origin != NULL && length < FZ_CONFIG_TEXT)
        length += (size_t)snprintf(config + length, FZ_CONFIG_TEXT - length, "origin=%s\n", sched->origin);
    if (inputs->tables != NULL && length < FZ_CONFIG_TEXT)
        snprintf(config + length, FZ_CONFIG_TEXT - length, "profiles=%s\n", inputs->tables->sha256);
    return (fz_store_run){
        .trace = inputs->trace,
        .cluster = &inputs->cluster->spec,
        .cluster_sha256 = inputs->cluster->sha256,
        .cluster_path = inputs->cluster->path,
        .scheduler = sched->name,
        .config = config,
        .version = fz_program_version(),
        .seed = seed,
    };
}

static void effects_say(const fz_inputs *inputs, const fz_sched_ops *sched, const fz_settings *settings,
                        const fz_summary *s)
{
    fz_world world = fz_world_from(settings->world);
    if (world.mem_error_sigma > 0 && !s->memory_stream_drawn)
        fz_say_warning("%s: mem_error_sigma has no effect: no job of the trace has a known model",
                       sched->name);
    if (world.enforce_limit && inputs->trace->limit == NULL)
        fz_say_warning("%s: enforce_limit has no effect: the trace has no limit_s", sched->name);
    if (world.restart_s > 0 && s->starts == s->started)
        fz_say_warning("%s: restart_s had no effect: no job was started twice", sched->name);
}

void fz_run_remarks(const fz_inputs *inputs, const fz_sched_ops *sched, const fz_settings *settings,
                    const fz_summary *s)
{
    const char *name = sched->name;
    if (s->rejected > 0)
        fz_say_warning("%s: %llu of %llu jobs fit nowhere in this cluster and were rejected", name,
                       count(s->rejected), count(s->jobs));
    if (s->oom_failed > 0)
        fz_say_warning("%s: %llu jobs ran out of memory on everything that could be tried", name,
                       count(s->oom_failed));
    if (s->timeouts > 0)
        fz_say_warning("%s: %llu jobs were ended by their limit", name, count(s->timeouts));
    if (s->unfinished > 0)
        fz_say_warning("%s: %llu jobs never finished", name, count(s->unfinished));
    if (s->from_marp > 0)
        fz_say_note("%s: %llu serverless jobs were sized by MARP's first-ranked plan", name,
                    count(s->from_marp));
    if (s->gpu_shares > 0)
        fz_say_note(
            "%s: %llu jobs ask for shares of GPUs; this version gives them the whole GPUs that hold those",
            name, count(s->gpu_shares));
    if (s->asks_cpus || s->asks_mem)
        fz_say_note("%s: the trace asks for %s%s%s; this version places by GPUs only", name,
                    s->asks_cpus ? "CPUs" : "", s->asks_cpus && s->asks_mem ? " and " : "",
                    s->asks_mem ? "host memory" : "");
    if (s->asks_nodes)
        fz_say_note("%s: the trace asks for numbers of nodes; this scheduler spreads jobs over any nodes",
                    name);
    effects_say(inputs, sched, settings, s);
}
