#include "sim/cli/memory_scores.h"

#include <math.h>
#include <string.h>

#include <frenzy/units.h>

#include "core/support/output.h"
#include "sim/cli/run_parts.h"
#include "workloads/cluster_file.h"

/* ---- reading -------------------------------------------------------------------------------------------- */

static double capacity_of(const char *gpu)
{
    const fz_catalog_gpu *entry = gpu[0] != '\0' ? fz_catalog_find(gpu) : NULL;
    return entry != NULL ? (double)entry->mem_bytes : 0;
}

static fz_status read_into(const char *path, fz_memory_data *data, fz_error *err)
{
    FZ_TRY(fz_run_rows_read(path, FZ_RUNS_MEMORY, data->arena, &data->rows, err));
    data->capacity = FZ_NEW(data->arena, data->rows.n_rows + 1, double);
    if (data->capacity == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < data->rows.n_rows; i++)
        data->capacity[i] = capacity_of(data->rows.rows[i].gpu);
    return FZ_OK;
}

fz_status fz_memory_data_read(const char *path, fz_memory_data *out, fz_error *err)
{
    *out = (fz_memory_data){.arena = fz_arena_new(NULL)};
    if (out->arena == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    fz_status status = read_into(path, out, err);
    if (status != FZ_OK)
        fz_memory_data_free(out);
    return status;
}

void fz_memory_data_free(fz_memory_data *data)
{
    fz_arena_free(data->arena);
    data->arena = NULL;
}

/* ---- scores of parts -----------------------------------------------------------------------------------------
 */

static const struct {
    const char *key; /* NULL: at the top */
    fz_run_label label;
} partitions[] = {{NULL, fz_run_label_tuning},
                  {"by_source", fz_run_label_source},
                  {"by_framework", fz_run_label_framework},
                  {"by_gpu", fz_run_label_gpu}};

enum { N_PARTITIONS = sizeof partitions / sizeof partitions[0] };

static fz_status score_part(const fz_memory_data *data, const fz_prediction *predicted, fz_run_label label,
                            const char *wanted, bool **include, fz_memory_score *score, fz_error *err)
{
    *include = fz_run_part(&data->rows, label, wanted, data->arena);
    if (*include == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    return fz_memory_score_rows(&data->rows, predicted, data->capacity, *include, score, err);
}

static const char *reason_of(const fz_run_row *row, const fz_prediction *predicted)
{
    return fz_run_reason(row, predicted->value > 0);
}

/* ---- table ---------------------------------------------------------------------------------------------- */

static void print_header(FILE *file)
{
    fprintf(file, "%-34s %5s %6s %6s %6s %6s %6s %6s %6s %11s %11s\n", "", "rows", "scored", "mean", "median",
            "p10", "worst", "cover", "width", "fits right", "oom right");
}

static void print_share(FILE *file, double share, uint32_t n)
{
    char text[32] = "-";
    if (n > 0)
        (void)snprintf(text, sizeof text, "%.2f of %u", share, n);
    fprintf(file, " %11s", text);
}

static void print_figure(FILE *file, double value)
{
    if (isnan(value))
        fprintf(file, " %6s", "-");
    else
        fprintf(file, " %6.3f", value);
}

static void print_score(FILE *file, const char *label, const fz_memory_score *s)
{
    fprintf(file, "%-34.34s %5u %6u", label, s->rows + s->n_fits + s->n_oom, s->scored);
    const double figures[] = {
        s->mean, s->median, s->p10, s->worst, s->interval_coverage, s->interval_width_median};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        print_figure(file, figures[i]);
    print_share(file, s->fits_recall, s->n_fits);
    print_share(file, s->oom_recall, s->n_oom);
    fputc('\n', file);
}

static fz_status print_partition(FILE *file, const fz_memory_data *data, const fz_prediction *predicted,
                                 int which, fz_error *err)
{
    fz_run_labels parts;
    FZ_TRY(fz_run_labels_list(&data->rows, partitions[which].label, data->arena, &parts, err));
    if (partitions[which].key != NULL)
        fprintf(file, "%s\n", partitions[which].key);
    for (uint32_t i = 0; i < parts.n; i++) {
        fz_memory_score score = {0};
        bool *include = NULL;
        FZ_TRY(score_part(data, predicted, partitions[which].label, parts.labels[i], &include, &score, err));
        if (score.rows + score.n_fits + score.n_oom > 0)
            print_score(file, parts.labels[i], &score);
    }
    return FZ_OK;
}

static void print_reasons(FILE *file, const fz_memory_data *data, const fz_prediction *predicted)
{
    fz_run_reasons reasons;
    fz_run_reasons_count(&data->rows, predicted, NULL, &reasons);
    uint32_t n = reasons.n;
    for (uint32_t i = 0; i < n; i++)
        fprintf(file, "%s%u x %s", i == 0 ? "not scored: " : "; ", reasons.at[i].n, reasons.at[i].reason);
    fputs(n > 0 ? "\n" : "", file);
}

/* Rows that only some condition selects. */
static fz_status score_where(const fz_memory_data *data, const fz_prediction *predicted,
                             bool (*wanted)(const fz_run_row *row), bool **include, fz_memory_score *out,
                             fz_error *err)
{
    *include = FZ_NEW(data->arena, data->rows.n_rows + 1, bool);
    if (*include == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < data->rows.n_rows; i++)
        (*include)[i] = wanted(&data->rows.rows[i]);
    return fz_memory_score_rows(&data->rows, predicted, data->capacity, *include, out, err);
}

/* Figures that authors computed and did not measure are no measurements: scored apart. */
static bool is_computed(const fz_run_row *row)
{
    return row->computed;
}

/* Full training of 8 GiB a GPU and more: most published runs are toy models, which carry the averages. */
static bool is_large(const fz_run_row *row)
{
    return !row->computed && row->run.tuning == FZ_TUNE_FULL && row->measured >= 8 * (double)FZ_GIB;
}

fz_status fz_memory_scores_print(FILE *file, const fz_memory_data *data, const fz_prediction *predicted,
                                 fz_error *err)
{
    fz_memory_score score = {0};
    bool *include = NULL;
    FZ_TRY(score_part(data, predicted, NULL, NULL, &include, &score, err));
    print_header(file);
    print_score(file, "all", &score);
    for (int i = 0; i < N_PARTITIONS; i++)
        FZ_TRY(print_partition(file, data, predicted, i, err));
    fz_memory_score computed = {0};
    fz_memory_score large = {0};
    FZ_TRY(score_where(data, predicted, is_large, &include, &large, err));
    if (large.rows > 0)
        print_score(file, "full training, 8 GiB and more", &large);
    FZ_TRY(score_where(data, predicted, is_computed, &include, &computed, err));
    if (computed.rows > 0)
        print_score(file, "computed, not measured (apart)", &computed);
    if (!isnan(score.mean_of_source_means))
        fprintf(file, "mean of the means of sources with 3 rows or more: %.3f\n", score.mean_of_source_means);
    if (score.n_fits > 0)
        fprintf(file, "median predicted share of the memory in runs known to fit: %.2f\n",
                score.fits_fill_median);
    print_reasons(file, data, predicted);
    return FZ_OK;
}

/* ---- JSON ----------------------------------------------------------------------------------------------- */

static void json_score(fz_json *json, const fz_memory_data *data, const fz_prediction *predicted,
                       const bool *include, const fz_memory_score *s)
{
    fz_run_reasons reasons;
    fz_run_reasons_count(&data->rows, predicted, include, &reasons);
    fz_json_count(json, "rows", s->rows + s->n_fits + s->n_oom);
    fz_json_count(json, "measured", s->rows);
    fz_json_count(json, "scored", s->scored);
    fz_json_open(json, "skipped");
    for (uint32_t i = 0; i < reasons.n; i++)
        fz_json_count(json, reasons.at[i].reason, reasons.at[i].n);
    fz_json_close(json);
    fz_json_number(json, "mean", s->mean);
    fz_json_number(json, "median", s->median);
    fz_json_number(json, "p10", s->p10);
    fz_json_number(json, "worst", s->worst);
    fz_json_number(json, "mean_of_source_means", s->mean_of_source_means);
    fz_json_number(json, "interval_coverage", s->interval_coverage);
    fz_json_number(json, "interval_width_median", s->interval_width_median);
    fz_json_count(json, "fits", s->n_fits);
    fz_json_number(json, "fits_recall", s->fits_recall);
    fz_json_count(json, "oom", s->n_oom);
    fz_json_number(json, "oom_recall", s->oom_recall);
    fz_json_number(json, "fits_fill_median", s->fits_fill_median);
}

static fz_status json_partition(fz_json *json, const fz_memory_data *data, const fz_prediction *predicted,
                                int which, fz_error *err)
{
    fz_run_labels parts;
    FZ_TRY(fz_run_labels_list(&data->rows, partitions[which].label, data->arena, &parts, err));
    if (partitions[which].key != NULL)
        fz_json_open(json, partitions[which].key);
    for (uint32_t i = 0; i < parts.n; i++) {
        fz_memory_score score = {0};
        bool *include = NULL;
        FZ_TRY(score_part(data, predicted, partitions[which].label, parts.labels[i], &include, &score, err));
        fz_json_open(json, parts.labels[i]);
        json_score(json, data, predicted, include, &score);
        fz_json_close(json);
    }
    if (partitions[which].key != NULL)
        fz_json_close(json);
    return FZ_OK;
}

static fz_status json_where(fz_json *json, const fz_memory_data *data, const fz_prediction *predicted,
                            const char *key, bool (*wanted)(const fz_run_row *row), fz_error *err)
{
    fz_memory_score score = {0};
    bool *include = NULL;
    FZ_TRY(score_where(data, predicted, wanted, &include, &score, err));
    fz_json_open(json, key);
    json_score(json, data, predicted, include, &score);
    fz_json_close(json);
    return FZ_OK;
}

fz_status fz_memory_scores_json(fz_json *json, const fz_memory_data *data, const fz_prediction *predicted,
                                fz_error *err)
{
    fz_memory_score score = {0};
    bool *include = NULL;
    FZ_TRY(score_part(data, predicted, NULL, NULL, &include, &score, err));
    json_score(json, data, predicted, include, &score);
    for (int i = 0; i < N_PARTITIONS; i++)
        FZ_TRY(json_partition(json, data, predicted, i, err));
    FZ_TRY(json_where(json, data, predicted, "large", is_large, err));
    return json_where(json, data, predicted, "computed", is_computed, err);
}

/* ---- rows ----------------------------------------------------------------------------------------------- */

static void cell(fz_output *output, double value, bool known)
{
    char text[32] = "";
    if (known)
        (void)snprintf(text, sizeof text, "%.4f", value);
    fz_output_text(output, ",");
    fz_output_text(output, text);
}

static void write_row(fz_output *output, const fz_run_row *row, const fz_prediction *p)
{
    const double gib = (double)FZ_GIB;
    const char *reason = reason_of(row, p);
    bool predicted = p->value > 0;
    if (reason == NULL && row->outcome != FZ_ROW_OK)
        reason = row->outcome == FZ_ROW_FITS ? "known to fit only" : "known to run out of memory only";
    fz_output_csv(output, row->id);
    cell(output, row->measured / gib, row->measured > 0);
    cell(output, p->value / gib, predicted);
    cell(output, p->lo / gib, predicted);
    cell(output, p->hi / gib, predicted);
    cell(output, predicted && row->measured > 0 ? fz_memory_accuracy(p->value, row->measured) : 0,
         predicted && row->measured > 0);
    fz_output_text(output, ",");
    fz_output_csv(output, reason != NULL ? reason : "");
    fz_output_text(output, "\n");
}

fz_status fz_memory_scores_rows(const char *path, const fz_memory_data *data, const fz_prediction *predicted,
                                fz_error *err)
{
    fz_output *output = NULL;
    FZ_TRY(fz_output_open(path, &output, err));
    fz_output_text(output, "id,measured,predicted,lo,hi,accuracy,reason\n");
    for (uint32_t i = 0; i < data->rows.n_rows; i++)
        write_row(output, &data->rows.rows[i], &predicted[i]);
    return fz_output_commit(output, err);
}
