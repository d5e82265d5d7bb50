#include "calib/fit/memory_fit.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/fit/memory_solve.h"

bool fz_memory_row_used(const fz_memory_row *row, double capacity)
{
    return row->skip == NULL && !row->computed && (row->outcome == FZ_ROW_OK || capacity > 0);
}

typedef struct fitter {
    const fz_memory_rows *all;
    const double *capacity;
    double confidence;
    fz_arena *arena;
    solve_row *rows; /* those in use */
    uint32_t *index; /* of each in `all` */
    uint32_t n_rows;
    uint32_t *parent; /* of each node */
    double *deviations;
    bool *use;
    fz_memory_fit *out;
    fz_error *err;
} fitter;

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

static const char *family_of(const solve_row *r)
{
    return fz_memory_framework_of(r->row->run.profile)->family;
}

static uint32_t node_named(const fz_memory_fit *fit, const char *name)
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
    f->out->nodes = FZ_NEW(f->arena, 1 + 2 * (size_t)f->n_rows, fz_memory_node);
    f->parent = FZ_NEW(f->arena, 1 + 2 * (size_t)f->n_rows, uint32_t);
    if (families == NULL || leaves == NULL || f->out->nodes == NULL || f->parent == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < f->n_rows; i++) {
        char name[64];
        fz_memory_node_name(&f->rows[i].row->run, name, sizeof name);
        families[i] = family_of(&f->rows[i]);
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
        solve_row *r = &f->rows[i];
        char name[64];
        fz_memory_node_name(&r->row->run, name, sizeof name);
        r->at[0] = 0;
        r->at[1] = node_named(f->out, family_of(r));
        r->at[2] = node_named(f->out, name);
        f->parent[r->at[2]] = r->at[1];
    }
}

/* Rows of one configuration share a weight, less than in proportion: they differ by GPU and version. */
static fz_status collect(fitter *f)
{
    uint32_t *size = FZ_NEW(f->arena, f->all->n_groups + 1, uint32_t);
    f->rows = FZ_NEW(f->arena, f->all->n_rows + 1, solve_row);
    f->index = FZ_NEW(f->arena, f->all->n_rows + 1, uint32_t);
    f->use = FZ_NEW(f->arena, f->all->n_rows + 1, bool);
    if (size == NULL || f->rows == NULL || f->index == NULL || f->use == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < f->all->n_rows; i++) {
        const fz_memory_row *row = &f->all->rows[i];
        if (!fz_memory_row_used(row, f->capacity[i]))
            continue;
        size[row->group]++;
        f->index[f->n_rows] = i;
        f->rows[f->n_rows++] = (solve_row){.row = row,
                                           .traits = &fz_memory_framework_of(row->run.profile)->traits,
                                           .capacity = f->capacity[i]};
    }
    for (uint32_t i = 0; i < f->n_rows; i++)
        f->rows[i].weight = 1 / sqrt((double)size[f->rows[i].row->group]);
    return f->n_rows > 0 ? FZ_OK : fz_fail(f->err, FZ_EINVAL, "no row of the file can be used for a fit");
}

/* ---- residuals ------------------------------------------------------------------------------------------ */

static void fill_quantiles(double *values, size_t n, double out[FZ_MEMORY_QUANTILES])
{
    gsl_sort(values, 1, n);
    for (int q = 0; q < FZ_MEMORY_QUANTILES; q++) {
        double at = fz_memory_levels[q] * (double)(n + 1) - 1; /* the next run is one of n + 1 */
        double low = floor(fmin(fmax(at, 0), (double)(n - 1)));
        double high = fmin(low + 1, (double)(n - 1));
        double share = fmin(fmax(at - low, 0), 1);
        out[q] = values[(size_t)low] + share * (values[(size_t)high] - values[(size_t)low]);
    }
}

static bool below(const solve_row *r, uint32_t node)
{
    return r->at[0] == node || r->at[1] == node || r->at[2] == node;
}

/* Quantiles of every node's residuals ln(measured / predicted), over the rows in use (NULL: all). */
static fz_status spread(fitter *f, const fz_memory_prediction *predicted, const bool *use)
{
    double *sorted = malloc((f->n_rows + 1) * sizeof *sorted);
    if (sorted == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    for (uint32_t node = 0; node < f->out->n_nodes; node++)
        for (int tuning = 0; tuning < 2; tuning++) {
            size_t n = 0;
            for (uint32_t i = 0; i < f->n_rows; i++) {
                const solve_row *r = &f->rows[i];
                if ((use == NULL || use[i]) && r->row->outcome == FZ_ROW_OK &&
                    (int)r->row->run.tuning == tuning && below(r, node))
                    sorted[n++] = log(r->row->measured / predicted[f->index[i]].need);
            }
            f->out->nodes[node].rows[tuning] = (uint32_t)n;
            if (n > 0)
                fill_quantiles(sorted, n, f->out->nodes[node].residuals[tuning]);
        }
    free(sorted);
    return FZ_OK;
}

static void set_interval(const fitter *f, const fz_memory_row *row, fz_memory_prediction *p)
{
    const fz_memory_node *node = fz_memory_residuals_of(f->out->nodes, f->out->n_nodes, &row->run);
    p->lo = p->need * exp(fz_memory_quantile(node, row->run.tuning, (1 - f->confidence) / 2));
    p->hi = p->need * exp(fz_memory_quantile(node, row->run.tuning, (1 + f->confidence) / 2));
}

/* ---- cross-validation ----------------------------------------------------------------------------------- */

static double predict(const fitter *f, const solve_row *r)
{
    double c[FZ_MC_N];
    fz_memory_terms terms;
    solve_sum(f->deviations, r->at, c);
    return fz_memory_fullest(&r->row->run, r->traits, c, &terms);
}

/* Fits without the rows whose part is `part`, and predicts these. */
static fz_status leave_out(fitter *f, const uint32_t *part_of, uint32_t part, fz_memory_prediction *out)
{
    solve_problem problem = {f->rows, f->n_rows, f->out->n_nodes, f->use};
    for (uint32_t i = 0; i < f->n_rows; i++)
        f->use[i] = part_of[i] != part;
    FZ_TRY(solve_constants(&problem, f->deviations, NULL, f->parent, f->err));
    for (uint32_t i = 0; i < f->n_rows; i++)
        if (!f->use[i])
            out[f->index[i]].need = predict(f, &f->rows[i]);
    return FZ_OK;
}

/* The intervals of a part come from the residuals of the others. */
static fz_status intervals(fitter *f, const uint32_t *part_of, uint32_t part, fz_memory_prediction *out)
{
    for (uint32_t i = 0; i < f->n_rows; i++)
        f->use[i] = part_of[i] != part;
    FZ_TRY(spread(f, out, f->use));
    for (uint32_t i = 0; i < f->n_rows; i++)
        if (!f->use[i])
            set_interval(f, f->rows[i].row, &out[f->index[i]]);
    return FZ_OK;
}

static fz_status cross_validate(fitter *f, const uint32_t *part_of, uint32_t n_parts,
                                fz_memory_prediction **out)
{
    *out = FZ_NEW(f->arena, f->all->n_rows + 1, fz_memory_prediction);
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
        part[i] = f->rows[i].row->group % FZ_FIT_FOLDS;
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
        while (k < i && strcmp(f->rows[k].row->source, f->rows[i].row->source) != 0)
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
        const fz_memory_prediction *p = &f->out->by_group[f->index[i]];
        double measured = f->rows[i].row->measured;
        if (f->rows[i].row->outcome != FZ_ROW_OK)
            continue;
        inside += log(measured / p->need) >= factor * log(p->lo / p->need) &&
                  log(measured / p->need) <= factor * log(p->hi / p->need);
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

static void widen(fz_memory_prediction *predicted, uint32_t n, double factor)
{
    for (uint32_t i = 0; i < n; i++) {
        fz_memory_prediction *p = &predicted[i];
        if (p->need > 0) {
            p->lo = p->need * pow(p->lo / p->need, factor);
            p->hi = p->need * pow(p->hi / p->need, factor);
        }
    }
}

static fz_status final_spread(fitter *f)
{
    double factor = widening(f);
    widen(f->out->by_group, f->all->n_rows, factor);
    widen(f->out->by_source, f->all->n_rows, factor);
    FZ_TRY(spread(f, f->out->by_group, NULL));
    for (uint32_t node = 0; node < f->out->n_nodes; node++)
        for (int q = 0; q < 2 * FZ_MEMORY_QUANTILES; q++)
            f->out->nodes[node].residuals[q / FZ_MEMORY_QUANTILES][q % FZ_MEMORY_QUANTILES] *= factor;
    return FZ_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static fz_status final_constants(fitter *f)
{
    double *errors = FZ_NEW(f->arena, (size_t)f->out->n_nodes * FZ_MC_N, double);
    solve_problem problem = {f->rows, f->n_rows, f->out->n_nodes, NULL};
    if (errors == NULL)
        return fz_fail(f->err, FZ_ENOMEM, "out of memory");
    FZ_TRY(solve_constants(&problem, f->deviations, errors, f->parent, f->err));
    for (uint32_t node = 0; node < f->out->n_nodes; node++) {
        uint32_t at[3] = {0, f->parent[node], node};
        solve_sum(f->deviations, at, f->out->nodes[node].constants);
        memcpy(f->out->nodes[node].errors, errors + (size_t)node * FZ_MC_N, FZ_MC_N * sizeof *errors);
    }
    return FZ_OK;
}

fz_status fz_memory_fit_rows(const fz_memory_rows *rows, const double *capacity, double confidence,
                             fz_arena *arena, fz_memory_fit *out, fz_error *err)
{
    fitter f = {
        .all = rows, .capacity = capacity, .confidence = confidence, .arena = arena, .out = out, .err = err};
    *out = (fz_memory_fit){0};
    FZ_TRY(collect(&f));
    FZ_TRY(make_nodes(&f));
    link_rows(&f);
    f.deviations = FZ_NEW(arena, (size_t)out->n_nodes * FZ_MC_N, double);
    if (f.deviations == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    FZ_TRY(by_source(&f));
    FZ_TRY(by_group(&f));
    FZ_TRY(final_constants(&f));
    return final_spread(&f);
}
