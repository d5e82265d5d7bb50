#include <frenzy/fitted.h>

#include <stdio.h>
#include <string.h>

#include <frenzy/memory_terms.h>

const double fz_fitted_levels[FZ_FITTED_QUANTILES] = {0.01, 0.025, 0.05, 0.1,  0.15,  0.25, 0.5,
                                                      0.75, 0.85,  0.9,  0.95, 0.975, 0.99};

const char *fz_precision_name(fz_precision precision)
{
    static const char *const names[] = {"bf16-mixed", "fp16-mixed", "fp8", "bf16", "fp32"};
    return names[precision];
}

void fz_fitted_name(const fz_training_run *run, char *text, uint32_t size)
{
    (void)snprintf(text, size, "%s/%s", fz_memory_framework_of(run->profile)->name,
                   fz_precision_name(run->precision));
}

static const fz_fitted_node *find(fz_fitted_table table, const char *name)
{
    for (uint32_t i = 0; i < table.n_nodes; i++)
        if (strcmp(table.nodes[i].name, name) == 0)
            return &table.nodes[i];
    return NULL;
}

/* Special to general: framework with precision, family, all. */
static uint32_t chain(fz_fitted_table table, const fz_training_run *run, const fz_fitted_node *out[3])
{
    char name[64];
    uint32_t n = 0;
    fz_fitted_name(run, name, sizeof name);
    const char *const names[] = {name, fz_memory_framework_of(run->profile)->family, "all"};
    for (int i = 0; i < 3; i++) {
        out[n] = find(table, names[i]);
        n += out[n] != NULL;
    }
    return n;
}

const fz_fitted_node *fz_fitted_of(fz_fitted_table table, const fz_training_run *run)
{
    const fz_fitted_node *at[3];
    return chain(table, run, at) > 0 ? at[0] : &table.nodes[0];
}

const fz_fitted_node *fz_fitted_spread_of(fz_fitted_table table, const fz_training_run *run,
                                          uint32_t class_of_run)
{
    const fz_fitted_node *at[3];
    uint32_t n = chain(table, run, at);
    for (uint32_t i = 0; i < n; i++)
        if (at[i]->rows[class_of_run] >= FZ_FITTED_MIN_ROWS)
            return at[i];
    return n > 0 ? at[n - 1] : &table.nodes[0];
}

double fz_fitted_quantile(const fz_fitted_node *node, uint32_t class_of_run, double level)
{
    const double *q = node->residuals[class_of_run];
    if (level <= fz_fitted_levels[0])
        return q[0];
    for (int i = 1; i < FZ_FITTED_QUANTILES; i++)
        if (level <= fz_fitted_levels[i]) {
            double share =
                (level - fz_fitted_levels[i - 1]) / (fz_fitted_levels[i] - fz_fitted_levels[i - 1]);
            return q[i - 1] + share * (q[i] - q[i - 1]);
        }
    return q[FZ_FITTED_QUANTILES - 1];
}
