/* Helios, GPUs of each virtual cluster by day: `date,VC,VC,...,total`, one file a cluster.
 *
 * A virtual cluster is a tenant: what it has on the day of t = 0 is its quota, and each change an event at midnight.
 * The machines are those of the largest day, 8 GPUs each; the file does not name the GPUs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/cluster_formats/formats.h"
#include "workloads/formats/formats.h"

enum { GPUS_PER_NODE = 8, MAX_QUOTA = 1 << 24 };

typedef struct reader {
    fz_csv *csv;
    const fz_cluster_source *source;
    fz_cluster_draft *draft;
    uint32_t n_vcs;
    uint32_t *quotas; /* of the day before */
    fz_time zero, before;
    bool any; /* a day was read */
    uint64_t largest;
} reader;

static fz_status header_check(reader *r, fz_error *err)
{
    uint32_t n = fz_csv_n_columns(r->csv);
    if (n < 3 || strcmp(fz_csv_column_name(r->csv, 0), "date") != 0 ||
        strcmp(fz_csv_column_name(r->csv, n - 1), "total") != 0)
        return fz_csv_fail(r->csv, NULL, err, "columns date, a virtual cluster each, and total are expected");
    r->n_vcs = n - 2;
    r->quotas = calloc(r->n_vcs, sizeof *r->quotas);
    return r->quotas != NULL ? FZ_OK : fz_fail(err, FZ_ENOMEM, "no memory for %u virtual clusters", r->n_vcs);
}

static fz_status day_read(reader *r, const fz_csv_field *field, fz_time *day, fz_error *err)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.10s 00:00:00", field->text);
    if (field->length != 10 || !fz_wall_time_parse(text, day))
        return fz_csv_fail(r->csv, field, err, "date: '%.40s' is no day; such as 2020-04-01 is expected",
                           field->text);
    if (r->any && *day <= r->before)
        return fz_csv_fail(r->csv, field, err, "date: '%.40s' does not come after the day before",
                           field->text);
    if (!r->any && r->source->epoch == NULL)
        r->zero = *day;
    r->before = *day;
    return FZ_OK;
}

/* One virtual cluster on one day: a first quota, a change until t = 0, or an event. */
static fz_status quota_read(reader *r, const fz_csv_field *field, uint32_t vc, fz_time day, uint64_t *sum,
                            fz_error *err)
{
    uint64_t gpus = 0;
    const char *name = fz_csv_column_name(r->csv, vc + 1);
    FZ_TRY(fz_csv_count(r->csv, field, name, MAX_QUOTA, &gpus, err));
    *sum += gpus;
    bool change = r->quotas[vc] != gpus;
    r->quotas[vc] = (uint32_t)gpus;
    if (!r->any || !change || day <= r->zero)
        return FZ_OK;
    return fz_draft_quota(r->draft, day - r->zero, name, (uint32_t)gpus, err);
}

/* Tenants are written when t = 0 is passed: with the quotas of the day that it falls on. */
static fz_status tenants_add(reader *r, fz_error *err)
{
    for (uint32_t vc = 0; vc < r->n_vcs; vc++)
        FZ_TRY(fz_draft_tenant(r->draft, fz_csv_column_name(r->csv, vc + 1), r->quotas[vc], err));
    return FZ_OK;
}

static fz_status rows_read(reader *r, fz_error *err)
{
    const fz_csv_field *fields = NULL;
    uint32_t n_fields = 0;
    bool tenants = false;
    for (;; r->any = true) {
        uint64_t sum = 0, total = 0;
        fz_time day = 0;
        FZ_TRY(fz_csv_next(r->csv, &fields, &n_fields, err));
        if (fields == NULL)
            return tenants || !r->any ? FZ_OK : tenants_add(r, err);
        FZ_TRY(day_read(r, &fields[0], &day, err));
        if (r->any && !tenants && day > r->zero) {
            FZ_TRY(tenants_add(r, err));
            tenants = true;
        }
        for (uint32_t vc = 0; vc < r->n_vcs; vc++)
            FZ_TRY(quota_read(r, &fields[vc + 1], vc, day, &sum, err));
        FZ_TRY(fz_csv_count(r->csv, &fields[n_fields - 1], "total", UINT32_MAX, &total, err));
        if (sum != total)
            return fz_csv_fail(r->csv, &fields[n_fields - 1], err,
                               "total is %llu, but the virtual clusters have %llu", (unsigned long long)total,
                               (unsigned long long)sum);
        r->largest = sum > r->largest ? sum : r->largest;
    }
}

static fz_status machines_add(reader *r, fz_error *err)
{
    const char *gpu = r->source->gpu != NULL ? r->source->gpu : "GPU";
    uint32_t each = r->source->gpus_per_node > 0 ? r->source->gpus_per_node : GPUS_PER_NODE;
    fz_draft_shape full = fz_draft_shape_of(gpu, each),
                   rest = fz_draft_shape_of(gpu, (uint32_t)(r->largest % each));
    char epoch[FZ_WALL_TIME_TEXT], note[96];
    fz_wall_time_text(r->zero, epoch);
    (void)snprintf(note, sizeof note, "t = 0 is %s, local time; machines of the largest day", epoch);
    FZ_TRY(fz_draft_note(r->draft, note, err));
    if (r->source->gpu == NULL)
        FZ_TRY(fz_draft_note(r->draft, "the file does not name the GPUs", err));
    FZ_TRY(fz_draft_nodes(r->draft, &full, (uint32_t)(r->largest / each), NULL, err));
    return fz_draft_nodes(r->draft, &rest, rest.n_parts, NULL, err);
}

static fz_status helios_read(const fz_cluster_source *source, fz_cluster_draft *draft, fz_error *err)
{
    reader r = {.source = source, .draft = draft};
    if (source->epoch != NULL && !fz_wall_time_parse(source->epoch, &r.zero))
        return fz_fail(err, FZ_EUSAGE, "--epoch: '%.60s' is no time; such as 2020-04-01T00:00:00 is expected",
                       source->epoch);
    FZ_TRY(fz_csv_open(source->paths[0], NULL, &r.csv, err));
    fz_status status = header_check(&r, err);
    if (status == FZ_OK)
        status = rows_read(&r, err);
    if (status == FZ_OK && r.any)
        status = machines_add(&r, err);
    free(r.quotas);
    fz_csv_close(r.csv);
    return status;
}

const fz_cluster_format fz_cluster_helios = {
    .name = "helios",
    .summary = "Helios, GPUs of each virtual cluster by day (date,VC,...,total)",
    .max_paths = 1,
    .takes_gpu = true,
    .takes_gpus_per_node = true,
    .takes_epoch = true,
    .read = helios_read,
};
