#include "calib/fit/memory_solve.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include <frenzy/units.h>

#include "calib/fit/memory_prior.h"

#define SIGMA      0.06 /* of ln(predicted / measured), between runs of one class */
#define HUBER      2.0  /* sigmas beyond which a residual pulls with constant force */
#define MARGIN     0.27 /* a censored run is likely some way on its side of the capacity */
#define ITERATIONS 12

void solve_sum(const double *deviations, const uint32_t at[3], double out[FZ_MC_N])
{
    for (int j = 0; j < FZ_MC_N; j++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += k == 0 || at[k] != at[k - 1] ? deviations[at[k] * FZ_MC_N + (uint32_t)j] : 0;
        out[j] = fmax(sum, fz_memory_priors[j].least);
    }
}

/* d need / d constant j, at the fullest stage. */
static void derivatives(const fz_memory_terms *terms, const double c[FZ_MC_N], fz_memory_metric metric,
                        double out[FZ_MC_N])
{
    fz_memory_parts parts;
    double need = fz_memory_sum(terms, c, metric, &parts);
    double allocated = need - parts.fragmentation - parts.context;
    double share = metric == FZ_METRIC_ALLOCATED     ? 0
                   : metric == FZ_METRIC_UNSPECIFIED ? c[FZ_MC_UNSPECIFIED]
                                                     : c[FZ_MC_FRAGMENTATION];
    for (int j = 0; j < FZ_MC_N; j++)
        out[j] = j < FZ_MC_N_LINEAR ? (1 + share) * terms->x[j] : 0;
    if (metric == FZ_METRIC_RESERVED || metric == FZ_METRIC_DEVICE)
        out[FZ_MC_FRAGMENTATION] = allocated;
    if (metric == FZ_METRIC_DEVICE) {
        out[FZ_MC_CONTEXT] = (double)FZ_GIB;
        out[FZ_MC_COMMUNICATOR] = terms->groups * (double)FZ_GIB;
    }
    if (metric == FZ_METRIC_UNSPECIFIED) {
        out[FZ_MC_UNSPECIFIED] = allocated;
        out[FZ_MC_UNSPECIFIED_CONTEXT] = (double)FZ_GIB;
    }
}

/* ln(predicted / measured); for a censored row what is on the wrong side of the capacity. */
static double residual_of(const solve_row *r, double need)
{
    if (r->row->outcome == FZ_ROW_OK)
        return log(need / r->row->measured);
    double over = log(need / r->capacity);
    return r->row->outcome == FZ_ROW_FITS ? fmax(over + MARGIN, 0) : fmin(over - MARGIN, 0);
}

typedef struct normal {
    gsl_matrix *a;
    gsl_vector *g;
} normal;

/* Adds one row's weighted outer product; its derivatives are the same for each of its nodes. */
static void add_row(normal *n, const solve_row *r, const double d[FZ_MC_N], double residual, double weight)
{
    for (int k = 0; k < 3; k++) {
        if (k > 0 && r->at[k] == r->at[k - 1])
            continue;
        for (int j = 0; j < FZ_MC_N; j++) {
            size_t row = (size_t)r->at[k] * FZ_MC_N + (size_t)j;
            *gsl_vector_ptr(n->g, row) -= weight * d[j] * residual;
            for (int q = 0; q < 3; q++) {
                if (q > 0 && r->at[q] == r->at[q - 1])
                    continue;
                for (int i = 0; i < FZ_MC_N; i++)
                    *gsl_matrix_ptr(n->a, row, (size_t)r->at[q] * FZ_MC_N + (size_t)i) +=
                        weight * d[j] * d[i];
            }
        }
    }
}

static void add_priors(normal *n, const double *deviations, uint32_t n_nodes)
{
    for (uint32_t node = 0; node < n_nodes; node++)
        for (uint32_t j = 0; j < FZ_MC_N; j++) {
            const fz_memory_prior *p = &fz_memory_priors[j];
            double sd = node == 0 ? p->spread : p->family;
            double mean = node == 0 ? p->mean : 0;
            size_t at = (size_t)node * FZ_MC_N + j;
            *gsl_matrix_ptr(n->a, at, at) += 1 / (sd * sd);
            *gsl_vector_ptr(n->g, at) -= (deviations[at] - mean) / (sd * sd);
        }
}

static void build(normal *n, const solve_problem *p, const double *deviations)
{
    gsl_matrix_set_zero(n->a);
    gsl_vector_set_zero(n->g);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const solve_row *r = &p->rows[i];
        double c[FZ_MC_N], d[FZ_MC_N];
        fz_memory_terms terms;
        if (p->use != NULL && !p->use[i])
            continue;
        solve_sum(deviations, r->at, c);
        double need = fz_memory_fullest(&r->row->run, r->traits, c, &terms);
        double residual = residual_of(r, need) / SIGMA;
        if (r->row->outcome != FZ_ROW_OK && residual == 0)
            continue;
        derivatives(&terms, c, r->row->run.metric, d);
        for (int j = 0; j < FZ_MC_N; j++)
            d[j] /= need * SIGMA;
        double pull = fabs(residual) > HUBER ? HUBER / fabs(residual) : 1;
        add_row(n, r, d, residual, r->weight * pull);
    }
    add_priors(n, deviations, p->n_nodes);
}

static void to_errors(gsl_matrix *inverse, uint32_t n_nodes, const uint32_t *parent, double *errors)
{
    for (uint32_t node = 0; node < n_nodes; node++)
        for (uint32_t j = 0; j < FZ_MC_N; j++) {
            uint32_t chain[3] = {node, parent[node], parent[parent[node]]};
            double variance = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    if ((a == 0 || chain[a] != chain[a - 1]) && (b == 0 || chain[b] != chain[b - 1]))
                        variance += gsl_matrix_get(inverse, (size_t)chain[a] * FZ_MC_N + j,
                                                   (size_t)chain[b] * FZ_MC_N + j);
            errors[node * FZ_MC_N + j] = sqrt(fmax(variance, 0));
        }
}

static fz_status iterate(normal *n, const solve_problem *p, double *deviations, double *errors,
                         const uint32_t *parent, fz_error *err)
{
    size_t size = (size_t)p->n_nodes * FZ_MC_N;
    for (int i = 0; i < ITERATIONS; i++) {
        build(n, p, deviations);
        if (gsl_linalg_cholesky_decomp1(n->a) != GSL_SUCCESS ||
            gsl_linalg_cholesky_svx(n->a, n->g) != GSL_SUCCESS)
            return fz_fail(err, FZ_EINVAL, "the fit of the memory constants did not converge");
        for (size_t k = 0; k < size; k++)
            deviations[k] += gsl_vector_get(n->g, k);
    }
    if (errors != NULL && gsl_linalg_cholesky_invert(n->a) == GSL_SUCCESS)
        to_errors(n->a, p->n_nodes, parent, errors);
    return FZ_OK;
}

fz_status solve_constants(const solve_problem *problem, double *deviations, double *errors,
                          const uint32_t *parent, fz_error *err)
{
    size_t size = (size_t)problem->n_nodes * FZ_MC_N;
    normal n = {gsl_matrix_alloc(size, size), gsl_vector_alloc(size)};
    memset(deviations, 0, size * sizeof *deviations);
    for (uint32_t j = 0; j < FZ_MC_N; j++)
        deviations[j] = fz_memory_priors[j].mean;
    fz_status status = n.a != NULL && n.g != NULL ? iterate(&n, problem, deviations, errors, parent, err)
                                                  : fz_fail(err, FZ_ENOMEM, "out of memory");
    gsl_matrix_free(n.a);
    gsl_vector_free(n.g);
    return status;
}
