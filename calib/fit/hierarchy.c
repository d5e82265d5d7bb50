#include "calib/fit/hierarchy.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#define HUBER      2.0  /* sigmas beyond which a residual pulls with constant force */
#define MARGIN     0.27 /* a censored row likely lies so far on its side of the limit, in ln */
#define ITERATIONS 12

static bool counts_twice(const uint32_t at[3], int k)
{
    return k > 0 && at[k] == at[k - 1];
}

void fz_fit_sum(const fz_fit_model *model, const double *deviations, const uint32_t at[3], double *out)
{
    for (uint32_t j = 0; j < model->n_constants; j++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += counts_twice(at, k) ? 0 : deviations[(size_t)at[k] * model->n_constants + j];
        out[j] = fmax(sum, model->priors[j].least);
    }
}

static double residual_of(const fz_fit_row *r, double predicted)
{
    double over = log(predicted / r->measured);
    switch (r->outcome) {
    case FZ_FIT_MEASURED:
        break;
    case FZ_FIT_BELOW:
        return fmax(over + MARGIN, 0);
    case FZ_FIT_ABOVE:
        return fmin(over - MARGIN, 0);
    }
    return over;
}

typedef struct normal {
    gsl_matrix *a;
    gsl_vector *g;
} normal;

/* Adds one row's weighted outer product; its derivatives are the same for each of its nodes. */
static void add_row(normal *n, const fz_fit_row *r, uint32_t size, const double *d, double residual,
                    double weight)
{
    for (int k = 0; k < 3; k++) {
        if (counts_twice(r->at, k))
            continue;
        for (uint32_t j = 0; j < size; j++) {
            size_t row = (size_t)r->at[k] * size + j;
            *gsl_vector_ptr(n->g, row) -= weight * d[j] * residual;
            for (int q = 0; q < 3; q++)
                for (uint32_t i = 0; i < size && !counts_twice(r->at, q); i++)
                    *gsl_matrix_ptr(n->a, row, (size_t)r->at[q] * size + i) += weight * d[j] * d[i];
        }
    }
}

static void add_priors(normal *n, const fz_fit_problem *p, const double *deviations)
{
    uint32_t size = p->model->n_constants;
    for (uint32_t node = 0; node < p->n_nodes; node++)
        for (uint32_t j = 0; j < size; j++) {
            const fz_prior *prior = &p->model->priors[j];
            double sd = node == 0 ? prior->spread : prior->family;
            double mean = node == 0 ? prior->mean : 0;
            size_t at = (size_t)node * size + j;
            *gsl_matrix_ptr(n->a, at, at) += 1 / (sd * sd);
            *gsl_vector_ptr(n->g, at) -= (deviations[at] - mean) / (sd * sd);
        }
}

static void build(normal *n, const fz_fit_problem *p, const double *deviations)
{
    uint32_t size = p->model->n_constants;
    gsl_matrix_set_zero(n->a);
    gsl_vector_set_zero(n->g);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const fz_fit_row *r = &p->rows[i];
        double c[FZ_FITTED_MAX], d[FZ_FITTED_MAX];
        if (p->use != NULL && !p->use[i])
            continue;
        fz_fit_sum(p->model, deviations, r->at, c);
        double predicted = p->model->predict(r->row, c, d);
        double residual = residual_of(r, predicted) / p->model->sigma;
        if (r->outcome != FZ_FIT_MEASURED && residual == 0)
            continue;
        for (uint32_t j = 0; j < size; j++)
            d[j] /= predicted * p->model->sigma;
        double pull = fabs(residual) > HUBER ? HUBER / fabs(residual) : 1;
        add_row(n, r, size, d, residual, r->weight * pull);
    }
    add_priors(n, p, deviations);
}

/* The variance of a node's sum: all pairs along its chain of parents. */
static double variance_of(const gsl_matrix *inverse, const fz_fit_problem *p, uint32_t node, uint32_t j)
{
    uint32_t size = p->model->n_constants;
    const uint32_t chain[3] = {node, p->parent[node], p->parent[p->parent[node]]};
    double variance = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3 && !counts_twice(chain, a); b++)
            if (!counts_twice(chain, b))
                variance += gsl_matrix_get(inverse, (size_t)chain[a] * size + j, (size_t)chain[b] * size + j);
    return variance;
}

static void to_errors(const gsl_matrix *inverse, const fz_fit_problem *p, double *errors)
{
    uint32_t size = p->model->n_constants;
    for (uint32_t node = 0; node < p->n_nodes; node++)
        for (uint32_t j = 0; j < size; j++)
            errors[(size_t)node * size + j] = sqrt(fmax(variance_of(inverse, p, node, j), 0));
}

static fz_status iterate(normal *n, const fz_fit_problem *p, double *deviations, double *errors,
                         fz_error *err)
{
    size_t size = (size_t)p->n_nodes * p->model->n_constants;
    for (int i = 0; i < ITERATIONS; i++) {
        build(n, p, deviations);
        if (gsl_linalg_cholesky_decomp1(n->a) != GSL_SUCCESS ||
            gsl_linalg_cholesky_svx(n->a, n->g) != GSL_SUCCESS)
            return fz_fail(err, FZ_EINVAL, "the fit did not converge");
        for (size_t k = 0; k < size; k++)
            deviations[k] += gsl_vector_get(n->g, k);
    }
    if (errors != NULL && gsl_linalg_cholesky_invert(n->a) == GSL_SUCCESS)
        to_errors(n->a, p, errors);
    return FZ_OK;
}

fz_status fz_fit_solve(const fz_fit_problem *problem, double *deviations, double *errors, fz_error *err)
{
    size_t size = (size_t)problem->n_nodes * problem->model->n_constants;
    normal n = {gsl_matrix_alloc(size, size), gsl_vector_alloc(size)};
    memset(deviations, 0, size * sizeof *deviations);
    for (uint32_t j = 0; j < problem->model->n_constants; j++)
        deviations[j] = problem->model->priors[j].mean;
    fz_status status = n.a != NULL && n.g != NULL ? iterate(&n, problem, deviations, errors, err)
                                                  : fz_fail(err, FZ_ENOMEM, "out of memory");
    gsl_matrix_free(n.a);
    gsl_vector_free(n.g);
    return status;
}
