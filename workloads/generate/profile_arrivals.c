#include <math.h>
#include <string.h>

#include "workloads/clock.h"
#include "workloads/formats/formats.h"
#include "workloads/generate/profile_parts.h"

static fz_status epoch_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err)
{
    fz_time wall = 0;
    p->epoch = "";
    FZ_TRY(fz_yaml_text(yaml, root, "epoch", false, &p->epoch, err));
    if (p->epoch[0] == '\0')
        return FZ_OK;
    if (!fz_wall_time_parse(p->epoch, &wall) || wall % FZ_HOUR != 0)
        return fz_doc_fail(yaml->doc, fz_doc_get(root, "epoch"), err,
                           "epoch: '%.60s' is no full hour; such as 2017-10-02T00:00:00 is expected",
                           p->epoch);
    p->arrivals.first_hour = (uint32_t)(fz_wall_in_week(wall) / FZ_HOUR);
    return FZ_OK;
}

/* Weights of hours and weekdays, multiplied; each counts relative to its mean. The order of the operations
 * decides the last bits of the rates, and so of the bundled trace. */
static fz_status weights_read(const fz_yaml *yaml, const fz_doc_node *map, fz_profile_arrivals *a,
                              fz_error *err)
{
    const double *hours = NULL, *days = NULL;
    uint32_t n = 0;
    double hour_sum = 0, day_sum = 0;
    FZ_TRY(fz_yaml_numbers(yaml, map, "hours", FZ_DAY_HOURS, 0, 1e9, &hours, &n, err));
    FZ_TRY(fz_yaml_numbers(yaml, map, "weekdays", FZ_WEEK_DAYS, 0, 1e9, &days, &n, err));
    for (uint32_t i = 0; hours != NULL && i < FZ_DAY_HOURS; i++)
        hour_sum += hours[i];
    for (uint32_t i = 0; days != NULL && i < FZ_WEEK_DAYS; i++)
        day_sum += days[i];
    if ((hours != NULL && hour_sum <= 0) || (days != NULL && day_sum <= 0))
        return fz_doc_fail(yaml->doc, map, err, "hours and weekdays must not all be 0");
    for (uint32_t i = 0; i < FZ_WEEK_HOURS; i++) {
        double hour = hours != NULL ? hours[i % FZ_DAY_HOURS] * FZ_DAY_HOURS / hour_sum : 1;
        double day = days != NULL ? days[i / FZ_DAY_HOURS] * FZ_WEEK_DAYS / day_sum : 1;
        a->weights[i] = hour * day;
    }
    return FZ_OK;
}

fz_status fz_profile_arrivals_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err)
{
    static const char *const keys[] = {"jobs_per_h", "hours",       "weekdays",   "noise_cv2", "noise_lag1",
                                       "sweep_jobs", "sweep_gap_s", "first_hour", NULL};
    const fz_doc_node *map = fz_doc_get(root, "arrivals");
    fz_profile_arrivals *a = &p->arrivals;
    uint64_t first_hour = 0;
    if (fz_doc_is_null(map))
        return fz_doc_fail(yaml->doc, root, err, "'arrivals' is missing: a map with jobs_per_h is expected");
    FZ_TRY(fz_doc_expect(yaml->doc, map, FZ_DOC_MAP, "arrivals", err));
    FZ_TRY(fz_doc_check_keys(yaml->doc, map, "arrivals", keys, err));
    a->sweep_jobs = 1;
    a->sweep_gap_s = 10;
    FZ_TRY(fz_doc_number(yaml->doc, map, "jobs_per_h", true, 1e-6, 1e6, &a->jobs_per_h, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "noise_cv2", false, 0, 100, &a->noise_cv2, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "noise_lag1", false, 0, 0.999, &a->noise_lag1, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "sweep_jobs", false, 1, 1e6, &a->sweep_jobs, err));
    FZ_TRY(fz_doc_number(yaml->doc, map, "sweep_gap_s", false, 0, 1e6, &a->sweep_gap_s, err));
    FZ_TRY(fz_doc_count(yaml->doc, map, "first_hour", false, 0, FZ_WEEK_HOURS - 1, &first_hour, err));
    a->first_hour = (uint32_t)first_hour;
    FZ_TRY(weights_read(yaml, map, a, err));
    FZ_TRY(epoch_read(yaml, root, p, err));
    if (p->epoch[0] != '\0' && fz_doc_get(map, "first_hour") != NULL)
        return fz_doc_fail(yaml->doc, fz_doc_get(map, "first_hour"), err,
                           "first_hour follows from epoch; leave one out");
    return FZ_OK;
}
