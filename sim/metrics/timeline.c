#include "sim/metrics/timeline.h"

#include <string.h>

void fz_timeline_start(fz_timeline *timeline, fz_time origin)
{
    timeline->origin = origin;
    timeline->last = origin;
    timeline->width = FZ_SECOND;
}

static void bins_join(fz_timeline *timeline)
{
    for (uint32_t i = 0; i < FZ_TIMELINE_BINS / 2; i++) {
        const fz_timeline_bin *left = &timeline->bins[2 * (size_t)i];
        fz_timeline_bin both = {.gpus = left[0].gpus + left[1].gpus,
                                .waiting = left[0].waiting + left[1].waiting,
                                .running = left[0].running + left[1].running};
        timeline->bins[i] = both;
    }
    memset(&timeline->bins[FZ_TIMELINE_BINS / 2], 0, sizeof(timeline->bins) / 2);
    timeline->width *= 2;
}

static void bin_add(fz_timeline *timeline, fz_timeline_bin *bin, fz_time span)
{
    fz_wide gpu_time = (fz_wide)timeline->levels.gpus * (fz_wide)span;
    bin->gpus += gpu_time;
    bin->waiting += (fz_wide)timeline->levels.waiting * (fz_wide)span;
    bin->running += (fz_wide)timeline->levels.running * (fz_wide)span;
    timeline->gpu_time += gpu_time;
}

void fz_timeline_advance(fz_timeline *timeline, fz_time now)
{
    if (now <= timeline->last)
        return;
    while ((now - 1 - timeline->origin) / timeline->width >= FZ_TIMELINE_BINS)
        bins_join(timeline);
    while (timeline->last < now) {
        fz_time at = (timeline->last - timeline->origin) / timeline->width;
        fz_time edge = timeline->origin + (at + 1) * timeline->width;
        fz_time until = now < edge ? now : edge;
        bin_add(timeline, &timeline->bins[at], until - timeline->last);
        timeline->last = until;
    }
}

static uint32_t bins_used(const fz_timeline *timeline)
{
    fz_time span = timeline->last - timeline->origin;
    return (uint32_t)((span + timeline->width - 1) / timeline->width);
}

uint32_t fz_timeline_points(const fz_timeline *timeline, fz_timeline_point *points)
{
    uint32_t n = bins_used(timeline);
    for (uint32_t i = 0; i < n; i++) {
        const fz_timeline_bin *bin = &timeline->bins[i];
        fz_time from = timeline->origin + (fz_time)i * timeline->width;
        fz_time rest = timeline->last - from;
        double span = (double)(rest < timeline->width ? rest : timeline->width);
        points[i] = (fz_timeline_point){.gpus = (double)bin->gpus / span,
                                        .waiting = (double)bin->waiting / span,
                                        .running = (double)bin->running / span};
    }
    return n;
}

double fz_timeline_growth_per_h(const fz_timeline *timeline)
{
    uint32_t half = bins_used(timeline) / 2;
    fz_time width = timeline->width;
    fz_time middle = timeline->origin + (fz_time)half * width + width / 2;
    if (middle >= timeline->last)
        return 0;
    double before = (double)timeline->bins[half].waiting / (double)width;
    double hours = (double)(timeline->last - middle) / (3600.0 * (double)FZ_SECOND);
    return ((double)timeline->levels.waiting - before) / hours;
}
