/* frenzy trace map-gpus: other names for GPU types. */
#include <stdlib.h>
#include <string.h>

#include "sim/cli/inputs.h"
#include "sim/cli/say.h"
#include "sim/cli/trace_verbs.h"
#include "workloads/ops/change.h"

enum { MAX_PAIRS = 64 };

typedef struct pairs {
    fz_gpu_rename list[MAX_PAIRS];
    char *texts[MAX_PAIRS]; /* hold both names */
    uint32_t n;
} pairs;

static fz_status pairs_read(const fz_args *args, pairs *p, fz_error *err)
{
    for (const char *next = fz_args_nth(args, "map", 0); next != NULL;
         next = fz_args_nth(args, "map", p->n)) {
        const char *equals = strchr(next, '=');
        if (p->n == MAX_PAIRS)
            return fz_fail(err, FZ_EUSAGE, "--map: at most %d names are possible", MAX_PAIRS);
        if (equals == NULL || equals == next || equals[1] == '\0' || strpbrk(next, "|:") != NULL)
            return fz_fail(err, FZ_EUSAGE, "--map: '%.60s' is not OLD=NEW", next);
        char *text = strdup(next);
        if (text == NULL)
            return fz_fail(err, FZ_ENOMEM, "no memory for a name");
        text[equals - next] = '\0';
        p->texts[p->n] = text;
        p->list[p->n++] = (fz_gpu_rename){.from = text, .to = text + (equals - next) + 1};
    }
    return p->n > 0 ? FZ_OK : fz_fail(err, FZ_EUSAGE, "--map OLD=NEW is missing");
}

static int map_run(const fz_args *args)
{
    fz_trace *trace = NULL, *out = NULL;
    pairs p = {.n = 0};
    fz_error err = {0};
    int code = fz_trace_verb_open(args, &trace);
    if (code != FZ_EXIT_DONE)
        return code;
    fz_status status = pairs_read(args, &p, &err);
    if (status == FZ_OK)
        status = fz_trace_map_gpus(trace, p.list, p.n, &out, &err);
    for (uint32_t i = 0; i < p.n && status == FZ_OK; i++)
        if (p.list[i].used == 0)
            fz_say_warning("--map %s=%s has no effect: no job names that type", p.list[i].from, p.list[i].to);
    code = fz_trace_verb_end(args, status, trace, out, "frenzy-trace-map-gpus-1", &err);
    for (uint32_t i = 0; i < p.n; i++)
        free(p.texts[i]);
    return code;
}

static const fz_option options[] = {
    {"map", "OLD=NEW", "a type by another name; may come more than once"},
    {"out", "TRACE", "write here instead of standard output"},
};

const fz_command fz_trace_map_gpus_command = {
    .name = "trace map-gpus",
    .summary = "rename GPU types, so that another cluster has them",
    .arguments = "FILE --map OLD=NEW... [--out TRACE]",
    .examples = "  frenzy trace map-gpus openb.csv --map G2=A100-40 --map V100M16=V100 --out mine.csv\n",
    .notes = "In req_gpu_types, run_gpu_type and durations_s. Each name is looked up once, so A=B B=A swaps "
             "two. `frenzy\n"
             "trace check FILE --cluster FILE` finds the types that a cluster lacks.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 1,
    .max_rest = 1,
    .run = map_run,
};
