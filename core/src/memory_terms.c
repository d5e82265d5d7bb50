#include <frenzy/memory_terms.h>

#include <math.h>
#include <stddef.h>

#include <frenzy/units.h>

#include "memory_activations.h"
#include "memory_states.h"
#include "memory_weights.h"

/* ---- checks --------------------------------------------------------------------------------------------- */

static fz_status bad(fz_error *err, const char *field, double value, const char *why)
{
    return fz_fail(err, FZ_EINVAL, "%s %.0f: %s", field, value, why);
}

static fz_status check_sizes(const fz_training_run *run, fz_error *err)
{
    const double largest = 4294967296.0;
    if (run->model->vocab == 0)
        return fz_fail(err, FZ_EINVAL, "the model's vocab is not known");
    if (run->seq_len < 1 || (double)run->seq_len > largest)
        return bad(err, "seq_len", (double)run->seq_len, "1 to 2^32 is expected");
    if (run->micro_batch < 1 || (double)run->micro_batch > largest)
        return bad(err, "micro_batch", (double)run->micro_batch, "1 to 2^32 is expected");
    if (run->zero > 3)
        return bad(err, "zero", run->zero, "0 to 3 is expected");
    if (!(run->trainable >= 0 && run->frozen_bytes >= 0 && run->frozen_bytes <= 4))
        return fz_fail(err, FZ_EINVAL, "trainable and frozen_bytes are 0 or more, frozen_bytes at most 4");
    return FZ_OK;
}

static fz_status check_degrees(const fz_training_run *run, fz_error *err)
{
    const fz_model *m = run->model;
    if (run->tensor > 1 && m->heads % run->tensor != 0)
        return bad(err, "tensor", run->tensor, "does not divide the heads");
    if (run->pipeline > m->layers + 2)
        return bad(err, "pipeline", run->pipeline, "more stages than layers");
    if (run->expert > 1 && (m->experts == 0 || m->experts % run->expert != 0))
        return bad(err, "expert", run->expert, "does not divide the experts");
    if (run->context > 1 && run->seq_len % run->context != 0)
        return bad(err, "context", run->context, "does not divide the sequence");
    if ((uint64_t)run->first_stage_layers + run->last_stage_layers > m->layers)
        return bad(err, "first and last stage", (double)run->first_stage_layers + run->last_stage_layers,
                   "more layers than the model has");
    return FZ_OK;
}

fz_status fz_memory_check(const fz_training_run *run, fz_error *err)
{
    FZ_TRY(check_sizes(run, err));
    return check_degrees(run, err);
}

/* ---- one stage ------------------------------------------------------------------------------------------ */

/* Data, tensor, pipeline, context and expert groups, and the world. */
static double groups_of(const fz_training_run *run)
{
    const uint32_t degrees[] = {run->data, run->tensor, run->pipeline, run->context, run->expert};
    double groups = 0;
    for (unsigned i = 0; i < sizeof degrees / sizeof degrees[0]; i++)
        groups += degrees[i] > 1;
    return groups > 0 ? groups + 1 : 0;
}

/* Elements of the layers that are whole at a time. Where frozen and trained weights share a flat tensor, far
 * more than one layer is: an eighth of all counts as one. */
static double gathered(const fz_training_run *run, weights_held held)
{
    return run->tuning == FZ_TUNE_ADAPTER ? (held.layers + held.experts) / 8 : memory_largest_layer(run);
}

void fz_memory_stage_terms(const fz_training_run *run, const fz_memory_traits *traits, uint32_t stage,
                           fz_memory_terms *out)
{
    uint32_t last = (run->pipeline > 0 ? run->pipeline : 1) - 1;
    weights_held held = memory_weights(run, traits, stage);
    state_bytes states = memory_states(run, traits, held);
    double data = memory_degree(run->data) * memory_degree(run->context);
    *out = (fz_memory_terms){
        .weights = states.weights,
        .gradients = states.gradients,
        .optimizer = states.optimizer,
        .activations = memory_activations(run, traits, stage),
        .groups = groups_of(run),
        .stage = stage,
    };
    double heads = (stage == last) * (1 + (double)run->predict_layers);
    out->x[FZ_MC_LOGITS] =
        heads * memory_tokens(run) * memory_padded_vocab(run, traits) / memory_degree(run->tensor);
    out->x[FZ_MC_FUSED_LOSS] = run->fused_loss ? out->x[FZ_MC_LOGITS] : 0;
    out->x[FZ_MC_WORK] = memory_widest_tensor(run);
    out->x[FZ_MC_GATHER] = run->zero >= 3 && data > 1 ? 2 * gathered(run, held) : 0;
    out->x[FZ_MC_ROOT] = run->zero >= 3 && data > 1 ? 2 * held.ends : 0;
    out->x[FZ_MC_FIXED] = (double)FZ_GIB;
    out->x[FZ_MC_ACTIVATIONS] = out->activations;
    out->x[FZ_MC_STATES] = out->weights + out->gradients + out->optimizer;
    out->x[FZ_MC_STEP] = 2 * states.trained / (run->zero >= 2 ? data : 1);
    out->x[FZ_MC_BUCKETS] = run->zero > 0 && data > 1 ? (double)FZ_GIB : 0;
}

/* ---- sums ----------------------------------------------------------------------------------------------- */

static fz_memory_parts allocated_parts(const fz_memory_terms *terms, const double constants[FZ_MC_N])
{
    double c[FZ_MC_N_LINEAR];
    for (int j = 0; j < FZ_MC_N_LINEAR; j++)
        c[j] = constants[j] * terms->x[j];
    double states = 1 + constants[FZ_MC_STATES];
    return (fz_memory_parts){
        .weights = terms->weights * states,
        .gradients = terms->gradients * states,
        .optimizer = terms->optimizer * states,
        .activations = terms->activations + c[FZ_MC_ACTIVATIONS],
        .logits = c[FZ_MC_LOGITS] + c[FZ_MC_FUSED_LOSS],
        .buffers = c[FZ_MC_WORK] + c[FZ_MC_GATHER] + c[FZ_MC_ROOT] + c[FZ_MC_FIXED] + c[FZ_MC_STEP] +
                   c[FZ_MC_BUCKETS],
    };
}

double fz_memory_sum(const fz_memory_terms *terms, const double constants[FZ_MC_N], fz_memory_metric metric,
                     fz_memory_parts *parts)
{
    fz_memory_parts p = allocated_parts(terms, constants);
    double allocated = p.weights + p.gradients + p.optimizer + p.activations + p.logits + p.buffers;
    if (metric == FZ_METRIC_UNSPECIFIED) {
        p.fragmentation = allocated * constants[FZ_MC_UNSPECIFIED];
        p.context = constants[FZ_MC_UNSPECIFIED_CONTEXT] * (double)FZ_GIB;
    } else if (metric != FZ_METRIC_ALLOCATED) {
        p.fragmentation = allocated * constants[FZ_MC_FRAGMENTATION];
    }
    if (metric == FZ_METRIC_DEVICE)
        p.context =
            (constants[FZ_MC_CONTEXT] + constants[FZ_MC_COMMUNICATOR] * terms->groups) * (double)FZ_GIB;
    if (parts != NULL)
        *parts = p;
    return allocated + p.fragmentation + p.context;
}

static bool is_wanted(const fz_training_run *run, uint32_t stage, uint32_t last)
{
    return run->rank == FZ_RANK_MAX || (run->rank == FZ_RANK_FIRST ? stage == 0 : stage == last);
}

/* The first, the last, and the second, which is longer than the first at times. */
double fz_memory_fullest(const fz_training_run *run, const fz_memory_traits *traits,
                         const double constants[FZ_MC_N], fz_memory_terms *terms)
{
    uint32_t last = (run->pipeline > 0 ? run->pipeline : 1) - 1;
    const uint32_t stages[] = {0, last, 1};
    uint32_t n = last == 0 ? 1 : last == 1 ? 2 : 3;
    double most = -1;
    for (uint32_t i = 0; i < n; i++) {
        fz_memory_terms at;
        if (!is_wanted(run, stages[i], last))
            continue;
        fz_memory_stage_terms(run, traits, stages[i], &at);
        double need = fz_memory_sum(&at, constants, run->metric, NULL);
        if (need > most) {
            most = need;
            *terms = at;
        }
    }
    return most;
}
