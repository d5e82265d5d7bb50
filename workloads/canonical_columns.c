#include "workloads/canonical_columns.h"

#include <string.h>

#include "core/support/suggest.h"

#define OWN(name, kind, in_row, in_trace)                                                                    \
    {                                                                                                        \
        name, FZ_COLUMN_##kind, offsetof(fz_trace_row, in_row), offsetof(fz_trace, in_trace)                 \
    }
#define EXTRA(name, kind)                                                                                    \
    {                                                                                                        \
        name, FZ_COLUMN_EXTRA_##kind, 0, 0                                                                   \
    }

const fz_column fz_canonical_columns[] = {
    {"job_id", FZ_COLUMN_ID, 0, 0},
    OWN("submit_s", SUBMIT, submit, submit),
    OWN("duration_s", TIME, duration, duration),
    OWN("req_gpus", GPUS, req_gpus, req_gpus),
    OWN("req_workers", COUNT32, req_workers, req_workers),
    OWN("req_nodes", COUNT32, req_nodes, req_nodes),
    OWN("req_gpu_types", TEXT, req_types, req_types),
    OWN("durations_s", DURATIONS, durations, durations),
    OWN("req_gpu_mem", GIB, req_gpu_mem, req_gpu_mem),
    OWN("req_cpus", NUMBER, req_cpus, req_cpus),
    OWN("req_mem", GIB, req_mem, req_mem),
    OWN("est_s", TIME, estimate, estimate),
    OWN("limit_s", TIME, limit, limit),
    OWN("deadline_s", POINT, deadline, deadline),
    OWN("model", TEXT, model, model),
    OWN("seq_len", COUNT32, seq_len, seq_len),
    OWN("global_batch", COUNT64, global_batch, global_batch),
    OWN("steps", STEPS, steps, steps),
    {"tokens", FZ_COLUMN_TOKENS, 0, 0},
    OWN("user", TEXT, user, user),
    OWN("vc", TEXT, vc, vc),
    OWN("state", STATE, state, state),
    OWN("start_s", POINT, start, start),
    OWN("end_s", POINT, end, end),
    EXTRA("name", TEXT),
    EXTRA("job_class", TEXT),
    EXTRA("priority", NUMBER),
    EXTRA("preemptible", FLAG),
    EXTRA("attempts", WHOLE),
    EXTRA("run_gpus", NUMBER),
    EXTRA("run_gpu_type", TEXT),
    EXTRA("run_nodes", WHOLE),
    EXTRA("req_net_gbps", NUMBER),
    EXTRA("req_max_gpus", WHOLE),
    EXTRA("min_gpus", WHOLE),
    EXTRA("max_gpus", WHOLE),
    EXTRA("elastic", TEXT),
    EXTRA("value_curve", TEXT),
    EXTRA("work_kind", WORK),
    EXTRA("precision", TEXT),
    EXTRA("optimizer", TEXT),
    EXTRA("recompute", TEXT),
    EXTRA("zero_stage", WHOLE),
    EXTRA("plan", TEXT),
    EXTRA("micro_batch", WHOLE),
    EXTRA("batch_mode", TEXT),
    EXTRA("framework", TEXT),
    EXTRA("tuning", TEXT),
    EXTRA("lora_rank", WHOLE),
    EXTRA("quant", TEXT),
    EXTRA("attention", TEXT),
    EXTRA("depends_on", TEXT),
    EXTRA("think_s", NUMBER),
};

enum { N_COLUMNS = sizeof fz_canonical_columns / sizeof *fz_canonical_columns };

const uint32_t fz_canonical_n_columns = N_COLUMNS;

/* By fz_trace_state. */
static const char *const states[] = {"UNKNOWN", "COMPLETED", "CANCELLED", "FAILED",
                                     "TIMEOUT", "NODE_FAIL", "RUNNING",   "PENDING"};

enum { N_STATES = sizeof states / sizeof *states };

const char *fz_trace_state_text(fz_trace_state state)
{
    return state == FZ_TRACE_UNKNOWN ? "" : states[state];
}

bool fz_trace_state_parse(const char *text, fz_trace_state *out)
{
    for (uint32_t i = 0; i < N_STATES; i++) {
        if (strcmp(states[i], text) == 0) {
            *out = (fz_trace_state)i;
            return true;
        }
    }
    return false;
}

const char *fz_canonical_suggest_column(const char *name)
{
    const char *names[N_COLUMNS];
    for (uint32_t i = 0; i < N_COLUMNS; i++)
        names[i] = fz_canonical_columns[i].name;
    return fz_suggest(name, names, N_COLUMNS);
}

const char *fz_trace_state_suggest(const char *text)
{
    return fz_suggest(text, states, N_STATES);
}
