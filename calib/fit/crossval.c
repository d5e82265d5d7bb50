#include "calib/fit/crossval.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <frenzy/memory_terms.h>

typedef struct fitter {
    const fz_fit_model *model;
    const fz_fit_sample *samples;
    uint32_t n_samples;
    double confidence;
    fz_arena *arena;
    fz_fit_row *rows; /* those in use */
    uint32_t *index;  /* of each in `samples` */
    uint32_t n_rows;
    uint32_t *parent; /* of each node */
    double *deviations;
    bool *use;
    fz_fit_result *out;
    fz_error *err;
} fitter;

static const fz_fit_sample *sample_of(const fitter *f, uint32_t row)
{
    return &f->samples[f->index[row]];
}

/* ---- nodes ---------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static uint32_t unique(const char **names, uint32_t n)
{
    uint32_t kept = 0;
    qsort(names, n, sizeof *names, by_name);
    for (uint32_t i = 0; i < n; i++)
        if (kept == 0 || strcmp(names[i], names[kept - 1]) != 0)
            names[kept++] = names[i];
    return kept;
}

static const char *family_of(const fz_fit_sample *sample)
{
    return fz_memory_framework_of(sample->run->profile)->family;
}

static uint32_t node_named(const fz_fit_result *fit, const char *name)
{
    for (uint32_t i = 0; i < fit->n_nodes; i++)
        if (strcmp(fit->nodes[i].name, name) == 0)
            return i;
    return 0;
}

static fz_status make_nodes(fitter *f)
{
    const char **families = FZ_NEW(f->arena, f->n_rows, const char *);
    const char **leaves = FZ_NEW(f->arena, f->n_rows, const char *);
    f->out->nodes = FZ_NEW(f->arena, 1 + 2 * (size_t)f->n_rows, fz_fitted_node);
    f->parent = FZ_NEW(f->arena, 1 + 2 * (size_t)f->n_rows, uint32_t);
    if (families == NULL || leaves == NULL || f->out->nodes == NULL || f->parent == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < f->n_rows; i++) {
        char name[64];
        fz_fitted_name(sample_of(f, i)->run, name, sizeof name);
        families[i] = family_of(sample_of(f, i));
        leaves[i] = fz_arena_strdup(f->arena, name);
        if (leaves[i] == NULL)
            return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    }
    uint32_t n_families = unique(families, f->n_rows);
    uint32_t n_leaves = unique(leaves, f->n_rows);
    f->out->nodes[f->out->n_nodes++].name = "all";
    for (uint32_t i = 0; i < n_families; i++)
        if (strcmp(families[i], "all") != 0)
            f->out->nodes[f->out->n_nodes++].name = families[i];
    for (uint32_t i = 0; i < n_leaves; i++)
        f->out->nodes[f->out->n_nodes++].name = leaves[i];
    return FZ_OK;
}

static void link_rows(fitter *f)
{
    for (uint32_t i = 0; i < f->n_rows; i++) {
        uint32_t *at = f->rows[i].at;
        char name[64];
        fz_fitted_name(sample_of(f, i)->run, name, sizeof name);
        at[0] = 0;
        at[1] = node_named(f->out, family_of(sample_of(f, i)));
        at[2] = node_named(f->out, name);
        f->parent[at[2]] = at[1];
    }
}

static uint32_t most_group(const fitter *f)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < f->n_samples; i++)
        most = f->samples[i].group > most ? f->samples[i].group : most;
    return most;
}

/* Rows of one configuration share a weight, less than in proportion: they differ by GPU and version. */
static fz_status collect(fitter *f)
{
    uint32_t *size = FZ_NEW(f->arena, (size_t)most_group(f) + 1, uint32_t);
    f->rows = FZ_NEW(f->arena, f->n_samples + 1, fz_fit_row);
    f->index = FZ_NEW(f->arena, f->n_samples + 1, uint32_t);
    f->use = FZ_NEW(f->arena, f->n_samples + 1, bool);
    if (size == NULL || f->rows == NULL || f->index == NULL || f->use == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < f->n_samples; i++) {
        const fz_fit_sample *sample = &f->samples[i];
        if (!sample->use)
            continue;
        size[sample->group]++;
        f->index[f->n_rows] = i;
        f->rows[f->n_rows++] =
            (fz_fit_row){.row = sample->row, .outcome = sample->outcome, .measured = sample->measured};
    }
    for (uint32_t i = 0; i < f->n_rows; i++)
        f->rows[i].weight = 1 / sqrt((double)size[sample_of(f, i)->group]);
    return f->n_rows > 0 ? FZ_OK : fz_fail(f->err, FZ_EINVAL, "no row of the file can be used for a fit");
}

/* ---- residuals ------------------------------------------------------------------------------------------ */

static void fill_quantiles(double *values, size_t n, double out[FZ_FITTED_QUANTILES])
{
    gsl_sort(values, 1, n);
    for (int q = 0; q < FZ_FITTED_QUANTILES; q++) {
        double at = fz_fitted_levels[q] * (double)(n + 1) - 1; /* the next run is one of n + 1 */
        double low = floor(fmin(fmax(at, 0), (double)(n - 1)));
        double high = fmin(low + 1, (double)(n - 1));
        double share = fmin(fmax(at - low, 0), 1);
        out[q] = values[(size_t)low] + share * (values[(size_t)high] - values[(size_t)low]);
    }
}

static bool below(const fz_fit_row *r, uint32_t node)
{
    return r->at[0] == node || r->at[1] == node || r->at[2] == node;
}

/* Quantiles of a node's residuals ln(measured / predicted), over the rows in use (NULL: all). */
static void spread_node(fitter *f, const fz_prediction *predicted, const bool *use, uint32_t node,
                        uint32_t class_of_rows, double *scratch)
{
    size_t n = 0;
    for (uint32_t i = 0; i < f->n_rows; i++)
        if ((use == NULL || use[i]) && f->rows[i].outcome == FZ_FIT_MEASURED &&
            sample_of(f, i)->residual_class == class_of_rows && below(&f->rows[i], node))
            scratch[n++] = log(f->rows[i].measured / predicted[f->index[i]].value);
    f->out->nodes[node].rows[class_of_rows] = (uint32_t)n;
    if (n > 0)
        fill_quantiles(scratch, n, f->out->nodes[node].residuals[class_of_rows]);
}

static fz_status spread(fitter *f, const fz_prediction *predicted, const bool *use)
{
    double *scratch = malloc((f->n_rows + 1) * sizeof *scratch);
    if (scratch == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    for (uint32_t node = 0; node < f->out->n_nodes; node++)
        for (uint32_t k = 0; k < FZ_FITTED_CLASSES; k++)
            spread_node(f, predicted, use, node, k, scratch);
    free(scratch);
    return FZ_OK;
}

static void set_interval(const fitter *f, uint32_t row, fz_prediction *p)
{
    const fz_fit_sample *sample = sample_of(f, row);
    fz_fitted_table table = {f->out->nodes, f->out->n_nodes};
    const fz_fitted_node *node = fz_fitted_spread_of(table, sample->run, sample->residual_class);
    p->lo = p->value * exp(fz_fitted_quantile(node, sample->residual_class, (1 - f->confidence) / 2));
    p->hi = p->value * exp(fz_fitted_quantile(node, sample->residual_class, (1 + f->confidence) / 2));
}

/* ---- cross-validation ----------------------------------------------------------------------------------- */

static double predict(const fitter *f, uint32_t row)
{
    double c[FZ_FITTED_MAX];
    fz_fit_sum(f->model, f->deviations, f->rows[row].at, c);
    return f->model->predict(f->rows[row].row, c, NULL);
}

static fz_fit_problem problem_of(const fitter *f, const bool *use)
{
    return (fz_fit_problem){.model = f->model,
                            .rows = f->rows,
                            .n_rows = f->n_rows,
                            .n_nodes = f->out->n_nodes,
                            .parent = f->parent,
                            .use = use};
}

/* Fits without the rows whose part is `part`, and predicts these. */
static fz_status leave_out(fitter *f, const uint32_t *part_of, uint32_t part, fz_prediction *out)
{
    fz_fit_problem problem = problem_of(f, f->use);
    for (uint32_t i = 0; i < f->n_rows; i++)
        f->use[i] = part_of[i] != part;
    FZ_TRY(fz_fit_solve(&problem, f->deviations, NULL, f->err));
    for (uint32_t i = 0; i < f->n_rows; i++)
        if (!f->use[i])
            out[f->index[i]].value = predict(f, i);
    return FZ_OK;
}

/* The intervals of a part come from the residuals of the others. */
static fz_status intervals(fitter *f, const uint32_t *part_of, uint32_t part, fz_prediction *out)
{
    for (uint32_t i = 0; i < f->n_rows; i++)
        f->use[i] = part_of[i] != part;
    FZ_TRY(spread(f, out, f->use));
    for (uint32_t i = 0; i < f->n_rows; i++)
        if (!f->use[i])
            set_interval(f, i, &out[f->index[i]]);
    return FZ_OK;
}

static fz_status cross_validate(fitter *f, const uint32_t *part_of, uint32_t n_parts, fz_prediction **out)
{
    *out = FZ_NEW(f->arena, f->n_samples + 1, fz_prediction);
    if (*out == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    for (uint32_t part = 0; part < n_parts; part++)
        FZ_TRY(leave_out(f, part_of, part, *out));
    for (uint32_t part = 0; part < n_parts; part++)
        FZ_TRY(intervals(f, part_of, part, *out));
    return FZ_OK;
}

/* Folds deal out the groups in the order of the file. */
static fz_status by_group(fitter *f)
{
    uint32_t *part = FZ_NEW(f->arena, f->n_rows, uint32_t);
    if (part == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < f->n_rows; i++)
        part[i] = sample_of(f, i)->group % FZ_FIT_FOLDS;
    return cross_validate(f, part, FZ_FIT_FOLDS, &f->out->by_group);
}

static fz_status by_source(fitter *f)
{
    uint32_t *part = FZ_NEW(f->arena, f->n_rows, uint32_t);
    uint32_t n = 0;
    if (part == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < f->n_rows; i++) {
        uint32_t k = 0;
        while (k < i && strcmp(sample_of(f, k)->source, sample_of(f, i)->source) != 0)
            k++;
        part[i] = k < i ? part[k] : n++;
    }
    return cross_validate(f, part, n, &f->out->by_source);
}

/* Runs of one configuration resemble each other, so that quantiles of left-out residuals are a little narrow: all
 * are widened by the factor that makes the intervals of left-out groups cover what they promise. */
static double coverage(const fitter *f, double factor)
{
    double inside = 0, n = 0;
    for (uint32_t i = 0; i < f->n_rows; i++) {
        const fz_prediction *p = &f->out->by_group[f->index[i]];
        double measured = f->rows[i].measured;
        if (f->rows[i].outcome != FZ_FIT_MEASURED)
            continue;
        inside += log(measured / p->value) >= factor * log(p->lo / p->value) &&
                  log(measured / p->value) <= factor * log(p->hi / p->value);
        n++;
    }
    return inside / n;
}

static double widening(const fitter *f)
{
    double factor = 1;
    while (factor < 2 && coverage(f, factor) < f->confidence)
        factor += 0.01;
    return factor;
}

static void widen(fz_prediction *predicted, uint32_t n, double factor)
{
    for (uint32_t i = 0; i < n; i++) {
        fz_prediction *p = &predicted[i];
        if (p->value > 0) {
            p->lo = p->value * pow(p->lo / p->value, factor);
            p->hi = p->value * pow(p->hi / p->value, factor);
        }
    }
}

static fz_status final_spread(fitter *f)
{
    double factor = widening(f);
    widen(f->out->by_group, f->n_samples, factor);
    widen(f->out->by_source, f->n_samples, factor);
    FZ_TRY(spread(f, f->out->by_group, NULL));
    for (uint32_t node = 0; node < f->out->n_nodes; node++)
        for (int q = 0; q < 2 * FZ_FITTED_QUANTILES; q++)
            f->out->nodes[node].residuals[q / FZ_FITTED_QUANTILES][q % FZ_FITTED_QUANTILES] *= factor;
    return FZ_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static fz_status final_constants(fitter *f)
{
    uint32_t size = f->model->n_constants;
    double *errors = FZ_NEW(f->arena, (size_t)f->out->n_nodes * size, double);
    fz_fit_problem problem = problem_of(f, NULL);
    if (errors == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    FZ_TRY(fz_fit_solve(&problem, f->deviations, errors, f->err));
    for (uint32_t node = 0; node < f->out->n_nodes; node++) {
        uint32_t at[3] = {0, f->parent[node], node};
        fz_fit_sum(f->model, f->deviations, at, f->out->nodes[node].constants);
        memcpy(f->out->nodes[node].errors, errors + (size_t)node * size, size * sizeof *errors);
    }
    return FZ_OK;
}

fz_status fz_fit_cross_validate(const fz_fit_model *model, const fz_fit_sample *samples, uint32_t n_samples,
                                double confidence, fz_arena *arena, fz_fit_result *out, fz_error *err)
{
    fitter f = {.model = model,
                .samples = samples,
                .n_samples = n_samples,
                .confidence = confidence,
                .arena = arena,
                .out = out,
                .err = err};
    *out = (fz_fit_result){0};
    FZ_TRY(collect(&f));
    FZ_TRY(make_nodes(&f));
    link_rows(&f);
    f.deviations = FZ_NEW(arena, (size_t)out->n_nodes * model->n_constants, double);
    if (f.deviations == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    FZ_TRY(by_source(&f));
    FZ_TRY(by_group(&f));
    FZ_TRY(final_constants(&f));
    return final_spread(&f);
}
