#include "workloads/apps/app_tables.h"

#include <stdlib.h>
#include <string.h>

fz_status fz_app_rows_add(fz_app_rows *rows, const fz_app_row *row, fz_error *err)
{
    if (rows->n_rows == rows->capacity) {
        size_t capacity = rows->capacity > 0 ? 2 * rows->capacity : 1024;
        fz_app_row *larger = realloc(rows->rows, capacity * sizeof *larger);
        if (larger == NULL)
            return fz_fail(err, FZ_ENOMEM, "no memory for %zu rows of a profile", capacity);
        rows->rows = larger;
        rows->capacity = capacity;
    }
    rows->rows[rows->n_rows++] = *row;
    return FZ_OK;
}

void fz_app_rows_free(fz_app_rows *rows)
{
    free(rows->rows);
    *rows = (fz_app_rows){0};
}

static int compare(double a, double b)
{
    return a < b ? -1 : a > b;
}

static int placed_compare(const void *left, const void *right)
{
    const fz_app_row *a = left, *b = right;
    if (a->placement != b->placement)
        return a->placement < b->placement ? -1 : 1;
    return compare(a->point.local, b->point.local);
}

static int pair_compare(const void *left, const void *right)
{
    const fz_app_row *a = left, *b = right;
    bool a_off = a->source == FZ_APP_OFFGRID, b_off = b->source == FZ_APP_OFFGRID;
    if (a->nodes != b->nodes)
        return a->nodes < b->nodes ? -1 : 1;
    if (a->gpus != b->gpus)
        return a->gpus < b->gpus ? -1 : 1;
    if (a_off != b_off)
        return a_off ? 1 : -1;
    if (a->point.local != b->point.local)
        return compare(a->point.local, b->point.local);
    return a->placement < b->placement ? -1 : a->placement > b->placement;
}

/* Rows [from, end) as a curve; those of one local batch become their mean. */
static fz_status curve_make(fz_arena *arena, const fz_app_row *from, const fz_app_row *end, fz_app_curve *out,
                            fz_error *err)
{
    fz_app_point *points = FZ_NEW(arena, (size_t)(end - from), fz_app_point);
    if (points == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a profile");
    out->points = points;
    out->nodes = from->nodes;
    out->gpus = from->gpus;
    while (from < end) {
        fz_app_point sum = {.local = from->point.local};
        uint32_t n = 0;
        for (; from < end && from->point.local == sum.local; from++) {
            n++;
            sum.step_s += from->point.step_s;
            sum.sync_s += from->point.sync_s;
        }
        points[out->n_points++] = (fz_app_point){sum.local, sum.step_s / n, sum.sync_s / n};
    }
    return FZ_OK;
}

/* Rows [0, n_rows) in order: each run of equal keys becomes a curve. */
static fz_status curves_make(fz_arena *arena, const fz_app_row *rows, size_t n_rows, bool placed,
                             const fz_app_curve **out, uint32_t *n_out, fz_error *err)
{
    fz_app_curve *curves = FZ_NEW(arena, n_rows, fz_app_curve);
    if (curves == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a profile");
    *out = curves;
    for (size_t i = 0; i < n_rows;) {
        size_t end = i, kept = i;
        while (end < n_rows && rows[end].nodes == rows[i].nodes && rows[end].gpus == rows[i].gpus &&
               (!placed || rows[end].placement == rows[i].placement)) {
            bool off = rows[end].source == FZ_APP_OFFGRID && rows[i].source != FZ_APP_OFFGRID;
            end++;
            kept = off ? kept : end; /* between the tables only: those that are in none */
        }
        fz_app_curve *curve = &curves[(*n_out)++];
        FZ_TRY(curve_make(arena, &rows[i], &rows[kept], curve, err));
        curve->placement = placed ? rows[i].placement : 0;
        i = end;
    }
    return FZ_OK;
}

/* Of one GPU: the largest local batch over the largest step time. */
static double one_gpu_rate(const fz_app_gpu *gpu)
{
    double local = 0, step_s = 0;
    for (uint32_t i = 0; i < gpu->n_placed; i++)
        for (uint32_t k = 0; gpu->placed[i].gpus == 1 && k < gpu->placed[i].n_points; k++) {
            const fz_app_point *point = &gpu->placed[i].points[k];
            local = point->local > local ? point->local : local;
            step_s = point->step_s > step_s ? point->step_s : step_s;
        }
    return step_s > 0 ? local / step_s : 0;
}

fz_status fz_app_curves_make(fz_arena *arena, fz_app_rows *rows, fz_app_gpu *gpu, fz_error *err)
{
    size_t n_placed = 0;
    qsort(rows->rows, rows->n_rows, sizeof *rows->rows, pair_compare);
    FZ_TRY(curves_make(arena, rows->rows, rows->n_rows, false, &gpu->grid, &gpu->n_grid, err));
    for (size_t i = 0; i < rows->n_rows; i++)
        if (rows->rows[i].source == FZ_APP_PLACED)
            rows->rows[n_placed++] = rows->rows[i];
    if (n_placed == 0)
        return fz_fail(err, FZ_EPARSE, "a profile has no placements");
    qsort(rows->rows, n_placed, sizeof *rows->rows, placed_compare);
    FZ_TRY(curves_make(arena, rows->rows, n_placed, true, &gpu->placed, &gpu->n_placed, err));
    for (uint32_t i = 0; i < gpu->n_placed; i++) {
        double local = gpu->placed[i].points[gpu->placed[i].n_points - 1].local;
        gpu->most_local = local > gpu->most_local ? local : gpu->most_local;
    }
    gpu->one_gpu_rate = one_gpu_rate(gpu);
    return FZ_OK;
}
