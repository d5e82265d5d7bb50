/* Step times: tables, and what lies between them. */
#include <math.h>
#include <string.h>

#include "workloads/apps/app.h"

#define MOST_DIGITS 16u

/* ---- places ------------------------------------------------------------------------------------------------- */

static uint64_t rotation(const uint32_t *gpus_by_node, uint32_t n_nodes, uint32_t first)
{
    uint64_t digits = 0;
    for (uint32_t i = 0; i < n_nodes; i++)
        digits = digits * 10 + gpus_by_node[(first + i) % n_nodes];
    return digits;
}

fz_app_place fz_app_place_of(const fz_app_gpu *gpu, const uint32_t *gpus_by_node, uint32_t n_nodes)
{
    fz_app_place place = {.gpu = gpu, .nodes = n_nodes};
    bool listable = n_nodes <= MOST_DIGITS;
    for (uint32_t i = 0; i < n_nodes; i++) {
        place.gpus += gpus_by_node[i];
        listable &= gpus_by_node[i] <= 9;
    }
    for (uint32_t first = 0; listable && first < n_nodes; first++) {
        uint64_t digits = rotation(gpus_by_node, n_nodes, first);
        if (first == 0 || digits < place.placement)
            place.placement = digits;
    }
    return place;
}

fz_app_place fz_app_place_packed(const fz_app_gpu *gpu, uint32_t gpus, uint32_t node_gpus)
{
    uint32_t by_node[MOST_DIGITS], n_nodes = (gpus + node_gpus - 1) / node_gpus;
    if (n_nodes > MOST_DIGITS)
        return (fz_app_place){.gpu = gpu, .nodes = n_nodes, .gpus = gpus};
    for (uint32_t i = 0; i < n_nodes; i++)
        by_node[i] = i + 1 < n_nodes ? node_gpus : gpus - i * node_gpus;
    return fz_app_place_of(gpu, by_node, n_nodes);
}

/* ---- curves ------------------------------------------------------------------------------------------------- */

static double between(double x, double x0, double x1, double y0, double y1)
{
    return x1 > x0 ? y0 + (y1 - y0) * ((x - x0) / (x1 - x0)) : y0;
}

/* Linear in the local batch; the ends hold beyond them. */
static fz_app_step curve_at(const fz_app_curve *curve, double local)
{
    const fz_app_point *p = curve->points;
    uint32_t n = curve->n_points, hi = 0;
    while (hi < n && p[hi].local < local)
        hi++;
    if (hi == 0 || hi == n)
        return (fz_app_step){.step_s = p[hi == n ? n - 1 : 0].step_s,
                             .sync_s = p[hi == n ? n - 1 : 0].sync_s};
    const fz_app_point *a = &p[hi - 1], *b = &p[hi];
    return (fz_app_step){.step_s = between(local, a->local, b->local, a->step_s, b->step_s),
                         .sync_s = between(local, a->local, b->local, a->sync_s, b->sync_s)};
}

static const fz_app_curve *placed_find(const fz_app_gpu *gpu, uint64_t placement)
{
    for (uint32_t lo = 0, hi = gpu->n_placed; placement != 0 && lo < hi;) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (gpu->placed[mid].placement == placement)
            return &gpu->placed[mid];
        if (gpu->placed[mid].placement < placement)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

/* On `nodes` nodes, which are listed, with R moved into the range that is listed there; linear in R. */
static fz_app_step grid_row_at(const fz_app_gpu *gpu, uint32_t nodes, uint32_t gpus, double local)
{
    uint32_t first = 0, end = 0, hi = 0;
    while (gpu->grid[first].nodes != nodes)
        first++;
    for (end = first; end < gpu->n_grid && gpu->grid[end].nodes == nodes; end++)
        hi += gpu->grid[end].gpus < gpus;
    hi = first + hi < end ? first + hi : end - 1; /* the first with R GPUs or more, or the last */
    const fz_app_curve *above = &gpu->grid[hi];
    const fz_app_curve *below = above->gpus > gpus && hi > first ? above - 1 : above;
    fz_app_step a = curve_at(below, local), b = curve_at(above, local);
    double r = gpus;
    return (fz_app_step){.step_s = between(r, below->gpus, above->gpus, a.step_s, b.step_s),
                         .sync_s = between(r, below->gpus, above->gpus, a.sync_s, b.sync_s)};
}

static const fz_app_curve *grid_find(const fz_app_gpu *gpu, uint32_t nodes, uint32_t gpus)
{
    for (uint32_t i = 0; i < gpu->n_grid; i++)
        if (gpu->grid[i].nodes == nodes && gpu->grid[i].gpus == gpus)
            return &gpu->grid[i];
    return NULL;
}

/* Between the neighbouring numbers of nodes that are listed. */
static fz_app_step extrapolated(const fz_app_gpu *gpu, uint32_t nodes, uint32_t gpus, double local)
{
    uint32_t below = 0, above = 0;
    for (uint32_t i = 0; i < gpu->n_grid; i++) {
        uint32_t listed = gpu->grid[i].nodes;
        if (listed <= nodes)
            below = listed;
        if (listed >= nodes && above == 0)
            above = listed;
    }
    below = below > 0 ? below : above;
    above = above > 0 ? above : below;
    fz_app_step a = grid_row_at(gpu, below, gpus, local), b = grid_row_at(gpu, above, gpus, local);
    return (fz_app_step){.step_s = between(nodes, below, above, a.step_s, b.step_s),
                         .sync_s = between(nodes, below, above, a.sync_s, b.sync_s),
                         .extrapolated = true};
}

fz_app_step fz_app_step_time(const fz_app *app, const fz_app_place *place, double local)
{
    (void)app;
    uint32_t nodes = place->nodes < MOST_DIGITS ? place->nodes : MOST_DIGITS;
    const fz_app_curve *curve = placed_find(place->gpu, place->placement);
    if (curve == NULL)
        curve = grid_find(place->gpu, nodes, place->gpus);
    return curve != NULL ? curve_at(curve, local) : extrapolated(place->gpu, nodes, place->gpus, local);
}

/* ---- the batch ---------------------------------------------------------------------------------------------- */

static double largest_local(const fz_app_curve *curve)
{
    return curve->points[curve->n_points - 1].local;
}

double fz_app_most_local(const fz_app *app, const fz_app_place *place)
{
    const fz_app_gpu *gpu = place->gpu;
    if (app->rules == FZ_APP_POLLUX)
        return gpu->most_local;
    const fz_app_curve *listed = placed_find(gpu, place->placement);
    if (listed != NULL)
        return largest_local(listed);
    double most = 0;
    for (uint32_t i = 0; i < gpu->n_grid; i++)
        if (gpu->grid[i].nodes >= place->nodes && gpu->grid[i].gpus >= place->gpus)
            most = fmax(most, largest_local(&gpu->grid[i]));
    return most > 0 ? most : gpu->most_local;
}

fz_app_split fz_app_split_cap(const fz_app *app, const fz_app_place *place, fz_app_split split)
{
    double most = 0;
    for (uint32_t i = 0; app->rules == FZ_APP_SIA && i < place->gpu->n_placed; i++)
        if (place->gpu->placed[i].gpus == place->gpus)
            most = fmax(most, largest_local(&place->gpu->placed[i]));
    if (most > 0)
        split.local = fmin(split.local, most);
    double largest = app->batches[app->n_batches - 1];
    split.local = fmin(split.local, floor(largest / ((double)place->gpus * (split.accum + 1))));
    return split;
}

fz_app_split fz_app_split_batch(const fz_app *app, const fz_app_place *place, double batch)
{
    double local = ceil(batch / place->gpus - 1e-8);
    double passes = fmax(ceil(local / fz_app_most_local(app, place) - 1e-8), 1);
    fz_app_split split = {.accum = (uint32_t)passes - 1};
    if (place->gpus == 1 && batch > app->batches[0] && split.accum == 0)
        split.accum = 1;
    split.local = ceil(local / (split.accum + 1) - 1e-8);
    return fz_app_split_cap(app, place, split);
}
