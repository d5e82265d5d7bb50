#include <frenzy/memory.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <frenzy/memory_terms.h>

const double fz_memory_levels[FZ_MEMORY_QUANTILES] = {0.01, 0.025, 0.05, 0.1,  0.15,  0.25, 0.5,
                                                      0.75, 0.85,  0.9,  0.95, 0.975, 0.99};

const char *fz_precision_name(fz_precision precision)
{
    static const char *const names[] = {"bf16-mixed", "fp16-mixed", "fp8", "bf16", "fp32"};
    return names[precision];
}

void fz_memory_node_name(const fz_training_run *run, char *text, uint32_t size)
{
    (void)snprintf(text, size, "%s/%s", fz_memory_framework_of(run->profile)->name,
                   fz_precision_name(run->precision));
}

static const fz_memory_node *find(const fz_memory_node *nodes, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(nodes[i].name, name) == 0)
            return &nodes[i];
    return NULL;
}

/* Special to general: framework with precision, family, all. The table always has "all". */
static uint32_t chain(const fz_memory_node *nodes, uint32_t count, const fz_training_run *run,
                      const fz_memory_node *out[3])
{
    char name[64];
    uint32_t n = 0;
    fz_memory_node_name(run, name, sizeof name);
    const char *const names[] = {name, fz_memory_framework_of(run->profile)->family, "all"};
    for (int i = 0; i < 3; i++) {
        out[n] = find(nodes, count, names[i]);
        n += out[n] != NULL;
    }
    return n;
}

const fz_memory_node *fz_memory_node_of(const fz_memory_node *nodes, uint32_t count,
                                        const fz_training_run *run)
{
    const fz_memory_node *at[3];
    return chain(nodes, count, run, at) > 0 ? at[0] : &nodes[0];
}

const fz_memory_node *fz_memory_residuals_of(const fz_memory_node *nodes, uint32_t count,
                                             const fz_training_run *run)
{
    const fz_memory_node *at[3];
    uint32_t n = chain(nodes, count, run, at);
    for (uint32_t i = 0; i < n; i++)
        if (at[i]->rows[run->tuning] >= FZ_MEMORY_MIN_ROWS)
            return at[i];
    return n > 0 ? at[n - 1] : &nodes[0];
}

double fz_memory_quantile(const fz_memory_node *node, fz_tuning tuning, double level)
{
    const double *q = node->residuals[tuning];
    if (level <= fz_memory_levels[0])
        return q[0];
    for (int i = 1; i < FZ_MEMORY_QUANTILES; i++)
        if (level <= fz_memory_levels[i]) {
            double share =
                (level - fz_memory_levels[i - 1]) / (fz_memory_levels[i] - fz_memory_levels[i - 1]);
            return q[i - 1] + share * (q[i] - q[i - 1]);
        }
    return q[FZ_MEMORY_QUANTILES - 1];
}

fz_status fz_memory_prepare(const fz_training_run *run, double confidence, fz_memory_basis *out,
                            fz_error *err)
{
    uint32_t count = 0;
    const fz_memory_node *nodes = fz_memory_table(&count);
    if (!(confidence >= 0.5 && confidence <= 0.98))
        return fz_fail(err, FZ_EINVAL, "confidence %g: 0.5 to 0.98 is expected", confidence);
    const fz_memory_node *spread = fz_memory_residuals_of(nodes, count, run);
    *out = (fz_memory_basis){
        .traits = &fz_memory_framework_of(run->profile)->traits,
        .constants = fz_memory_node_of(nodes, count, run)->constants,
        .lo = exp(fz_memory_quantile(spread, run->tuning, (1 - confidence) / 2)),
        .hi = exp(fz_memory_quantile(spread, run->tuning, (1 + confidence) / 2)),
    };
    return FZ_OK;
}

double fz_memory_need(const fz_memory_basis *basis, const fz_training_run *run)
{
    fz_memory_terms terms;
    return fz_memory_fullest(run, basis->traits, basis->constants, &terms);
}

fz_status fz_memory_estimate(const fz_training_run *run, double confidence, fz_memory *out, fz_error *err)
{
    fz_memory_basis basis = {0};
    fz_memory_terms terms = {0};
    FZ_TRY(fz_memory_check(run, err));
    FZ_TRY(fz_memory_prepare(run, confidence, &basis, err));
    out->need = fz_memory_fullest(run, basis.traits, basis.constants, &terms);
    (void)fz_memory_sum(&terms, basis.constants, run->metric, &out->parts);
    out->stage = terms.stage;
    out->lo = out->need * basis.lo;
    out->hi = out->need * basis.hi;
    return FZ_OK;
}
