#include "sim/cli/speed_scores.h"

#include <math.h>

#include "core/support/output.h"
#include "sim/cli/run_parts.h"
#include "workloads/cluster_file.h"

/* ---- reading -------------------------------------------------------------------------------------------- */

static fz_step_hardware hardware_of(const fz_run_row *row)
{
    const fz_catalog_gpu *entry = row->gpu[0] != '\0' ? fz_catalog_find(row->gpu) : NULL;
    if (entry == NULL)
        return (fz_step_hardware){0};
    fz_gpu_type type = fz_catalog_gpu_type(entry, entry->name);
    uint32_t node = row->node_gpus > 0 ? row->node_gpus : 8;
    fz_step_hardware hardware =
        fz_step_hardware_of(&type, node < row->gpus || row->gpus == 0 ? node : row->gpus);
    if (row->link_gbps > 0)
        hardware.link_bandwidth = row->link_gbps / 8 * 1e9;
    return hardware;
}

static fz_status read_into(const char *path, fz_speed_data *data, fz_error *err)
{
    FZ_TRY(fz_run_rows_read(path, FZ_RUNS_SPEED, data->arena, &data->rows, err));
    data->hardware = FZ_NEW(data->arena, data->rows.n_rows + 1, fz_step_hardware);
    if (data->hardware == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < data->rows.n_rows; i++) {
        data->hardware[i] = hardware_of(&data->rows.rows[i]);
        if (data->rows.rows[i].skip == NULL && !(data->hardware[i].matrix_flops > 0))
            data->rows.rows[i].skip =
                data->rows.rows[i].gpu[0] == '\0' ? "GPU not named" : "GPU not in the catalog";
    }
    return FZ_OK;
}

fz_status fz_speed_data_read(const char *path, fz_speed_data *out, fz_error *err)
{
    *out = (fz_speed_data){.arena = fz_arena_new(NULL)};
    if (out->arena == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    fz_status status = read_into(path, out, err);
    if (status != FZ_OK)
        fz_speed_data_free(out);
    return status;
}

void fz_speed_data_free(fz_speed_data *data)
{
    fz_arena_free(data->arena);
    data->arena = NULL;
}

/* ---- parts ---------------------------------------------------------------------------------------------- */

static const char *label_target(const fz_run_row *row)
{
    return fz_speed_is_target(row) ? "target_rows" : "other_rows";
}

static const struct {
    const char *key; /* NULL: at the top */
    fz_run_label label;
} partitions[] = {{NULL, label_target},
                  {"by_gpu", fz_run_label_gpu},
                  {"by_source", fz_run_label_source},
                  {"by_framework", fz_run_label_framework}};

enum { N_PARTITIONS = sizeof partitions / sizeof partitions[0] };

static fz_status score_part(const fz_speed_data *data, const fz_prediction *predicted, fz_run_label label,
                            const char *wanted, bool **include, fz_speed_score *score, fz_error *err)
{
    *include = fz_run_part(&data->rows, label, wanted, data->arena);
    if (*include == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    return fz_speed_score_rows(&data->rows, predicted, *include, score, err);
}

/* ---- table ---------------------------------------------------------------------------------------------- */

static void print_score(FILE *file, const char *label, const fz_speed_score *s)
{
    const double figures[] = {s->median_err, s->mean_err, s->p90_err, s->worst_err, s->interval_coverage};
    fprintf(file, "%-34.34s %5u %6u", label, s->rows, s->scored);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (isnan(figures[i]))
            fprintf(file, " %7s", "-");
        else
            fprintf(file, " %7.3f", figures[i]);
    fputc('\n', file);
}

static fz_status print_partition(FILE *file, const fz_speed_data *data, const fz_prediction *predicted,
                                 int which, fz_error *err)
{
    fz_run_labels parts;
    FZ_TRY(fz_run_labels_list(&data->rows, partitions[which].label, data->arena, &parts, err));
    if (partitions[which].key != NULL)
        fprintf(file, "%s\n", partitions[which].key);
    for (uint32_t i = 0; i < parts.n; i++) {
        fz_speed_score score = {0};
        bool *include = NULL;
        FZ_TRY(score_part(data, predicted, partitions[which].label, parts.labels[i], &include, &score, err));
        print_score(file, parts.labels[i], &score);
    }
    return FZ_OK;
}

fz_status fz_speed_scores_print(FILE *file, const fz_speed_data *data, const fz_prediction *predicted,
                                fz_error *err)
{
    fz_speed_score score = {0};
    bool *include = NULL;
    fz_run_reasons reasons;
    FZ_TRY(score_part(data, predicted, NULL, NULL, &include, &score, err));
    fprintf(file, "%-34s %5s %6s %7s %7s %7s %7s %7s\n", "relative error of tokens/s", "rows", "scored",
            "median", "mean", "p90", "worst", "cover");
    print_score(file, "all", &score);
    for (int i = 0; i < N_PARTITIONS; i++)
        FZ_TRY(print_partition(file, data, predicted, i, err));
    fz_run_reasons_count(&data->rows, predicted, NULL, &reasons);
    for (uint32_t i = 0; i < reasons.n; i++)
        fprintf(file, "%s%u x %s", i == 0 ? "not scored: " : "; ", reasons.at[i].n, reasons.at[i].reason);
    fputs(reasons.n > 0 ? "\n" : "", file);
    return FZ_OK;
}

/* ---- JSON ----------------------------------------------------------------------------------------------- */

static void json_score(fz_json *json, const fz_speed_data *data, const fz_prediction *predicted,
                       const bool *include, const fz_speed_score *s)
{
    fz_run_reasons reasons;
    fz_run_reasons_count(&data->rows, predicted, include, &reasons);
    fz_json_count(json, "rows", s->rows);
    fz_json_count(json, "scored", s->scored);
    fz_json_open(json, "skipped");
    for (uint32_t i = 0; i < reasons.n; i++)
        fz_json_count(json, reasons.at[i].reason, reasons.at[i].n);
    fz_json_close(json);
    fz_json_number(json, "median_err", s->median_err);
    fz_json_number(json, "mean_err", s->mean_err);
    fz_json_number(json, "p90_err", s->p90_err);
    fz_json_number(json, "worst_err", s->worst_err);
    fz_json_number(json, "interval_coverage", s->interval_coverage);
}

static fz_status json_partition(fz_json *json, const fz_speed_data *data, const fz_prediction *predicted,
                                int which, fz_error *err)
{
    fz_run_labels parts;
    FZ_TRY(fz_run_labels_list(&data->rows, partitions[which].label, data->arena, &parts, err));
    if (partitions[which].key != NULL)
        fz_json_open(json, partitions[which].key);
    for (uint32_t i = 0; i < parts.n; i++) {
        fz_speed_score score = {0};
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

fz_status fz_speed_scores_json(fz_json *json, const fz_speed_data *data, const fz_prediction *predicted,
                               fz_error *err)
{
    fz_speed_score score = {0};
    bool *include = NULL;
    FZ_TRY(score_part(data, predicted, NULL, NULL, &include, &score, err));
    json_score(json, data, predicted, NULL, &score);
    for (int i = 0; i < N_PARTITIONS; i++)
        FZ_TRY(json_partition(json, data, predicted, i, err));
    return FZ_OK;
}

/* ---- rows ----------------------------------------------------------------------------------------------- */

static void cell(fz_output *output, double value, bool known)
{
    char text[32] = "";
    if (known)
        (void)snprintf(text, sizeof text, "%.6g", value);
    fz_output_text(output, ",");
    fz_output_text(output, text);
}

static void write_row(fz_output *output, const fz_run_row *row, const fz_prediction *p)
{
    double tokens = (double)row->global_batch * (double)row->run.seq_len / (row->gpus > 0 ? row->gpus : 1);
    bool measured = row->measured > 0;
    bool predicted = p->value > 0;
    const char *reason = fz_run_reason(row, predicted);
    fz_output_csv(output, row->id);
    cell(output, measured ? tokens / row->measured : 0, measured);
    cell(output, predicted ? tokens / p->value : 0, predicted);
    cell(output, predicted ? tokens / p->hi : 0, predicted); /* the slowest step is the lowest speed */
    cell(output, predicted ? tokens / p->lo : 0, predicted);
    cell(output, predicted && measured ? fz_speed_error(p->value, row->measured) : 0, predicted && measured);
    fz_output_text(output, ",");
    fz_output_csv(output, reason != NULL ? reason : "");
    fz_output_text(output, "\n");
}

fz_status fz_speed_scores_rows(const char *path, const fz_speed_data *data, const fz_prediction *predicted,
                               fz_error *err)
{
    fz_output *output = NULL;
    FZ_TRY(fz_output_open(path, &output, err));
    fz_output_text(output, "id,measured,predicted,lo,hi,error,reason\n");
    for (uint32_t i = 0; i < data->rows.n_rows; i++)
        write_row(output, &data->rows.rows[i], &predicted[i]);
    return fz_output_commit(output, err);
}
