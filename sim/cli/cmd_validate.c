/* frenzy validate: predictions against measurements. */
#include <stdio.h>
#include <string.h>

#include <frenzy/marp.h>

#include "core/support/suggest.h"
#include "sim/cli/commands.h"
#include "sim/cli/memory_scores.h"
#include "sim/cli/say.h"
#include "sim/cli/speed_scores.h"

/* What runs on a rank at once is the published formula's B / d. */
static double paper_need(const fz_run_row *row)
{
    const fz_training_run *run = &row->run;
    fz_training training = {.global_batch = run->micro_batch, .seq_len = run->seq_len};
    return fz_marp_need(run->model, &training, run->tensor > 0 ? run->tensor : 1, 1, NULL);
}

static bool paper_can(const fz_run_row *row)
{
    return row->model.experts == 0 && row->model.kv_rank == 0 && row->run.tuning == FZ_TUNE_FULL;
}

static void predict_paper(const fz_memory_data *data, fz_prediction *out)
{
    for (uint32_t i = 0; i < data->rows.n_rows; i++) {
        const fz_run_row *row = &data->rows.rows[i];
        if (row->skip == NULL && paper_can(row))
            out[i].value = out[i].lo = out[i].hi = paper_need(row);
    }
}

static fz_status predict_analytic(const fz_memory_data *data, double confidence, fz_prediction *out,
                                  fz_error *err)
{
    for (uint32_t i = 0; i < data->rows.n_rows; i++) {
        fz_memory memory;
        if (data->rows.rows[i].skip != NULL)
            continue;
        FZ_TRY(fz_memory_estimate(&data->rows.rows[i].run, confidence, &memory, err));
        out[i] = (fz_prediction){memory.need, memory.lo, memory.hi};
    }
    return FZ_OK;
}

static fz_status predict(const fz_args *args, const fz_memory_data *data, fz_prediction **out, fz_error *err)
{
    const char *estimator = fz_args_get(args, "estimator");
    double confidence = 0.9;
    FZ_TRY(fz_args_number(args, "confidence", 0.5, 0.98, &confidence, err));
    *out = FZ_NEW(data->arena, data->rows.n_rows + 1, fz_prediction);
    if (*out == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    if (estimator == NULL || strcmp(estimator, "analytic") == 0)
        return predict_analytic(data, confidence, *out, err);
    if (strcmp(estimator, "paper") != 0)
        return fz_fail(err, FZ_EUSAGE, "unknown estimator '%s'; there are analytic and paper", estimator);
    predict_paper(data, *out);
    return FZ_OK;
}

static fz_status show(const fz_args *args, const fz_memory_data *data, const fz_prediction *predicted,
                      fz_error *err)
{
    if (fz_args_get(args, "rows") != NULL)
        FZ_TRY(fz_memory_scores_rows(fz_args_get(args, "rows"), data, predicted, err));
    if (!fz_args_has(args, "json"))
        return fz_memory_scores_print(stdout, data, predicted, err);
    fz_json json = fz_json_start(stdout, "frenzy-validate-memory-1");
    fz_status status = fz_memory_scores_json(&json, data, predicted, err);
    fz_json_end(&json);
    return status;
}

static int validate_memory(const fz_args *args)
{
    fz_memory_data data;
    fz_prediction *predicted = NULL;
    fz_error err = {0};
    if (fz_args_one_output(args, "rows", &err) != FZ_OK)
        return fz_say_error(&err);
    if (fz_memory_data_read(args->rest[1], &data, &err) != FZ_OK)
        return fz_say_input_error(&err);
    fz_status status = predict(args, &data, &predicted, &err);
    if (status == FZ_OK)
        status = show(args, &data, predicted, &err);
    fz_memory_data_free(&data);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}

/* ---- speed ---------------------------------------------------------------------------------------------- */

static fz_status predict_speed(const fz_args *args, const fz_speed_data *data, fz_prediction **out,
                               fz_error *err)
{
    double confidence = 0.9;
    FZ_TRY(fz_args_number(args, "confidence", 0.5, 0.98, &confidence, err));
    *out = FZ_NEW(data->arena, data->rows.n_rows + 1, fz_prediction);
    if (*out == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < data->rows.n_rows; i++) {
        const fz_run_row *row = &data->rows.rows[i];
        fz_step_basis basis = {0};
        fz_step step = {0};
        if (row->skip != NULL)
            continue;
        FZ_TRY(fz_step_prepare(&row->run, confidence, &basis, err));
        fz_step_time(&basis, &row->run, &data->hardware[i], &step);
        (*out)[i] = (fz_prediction){step.seconds, step.lo, step.hi};
    }
    return FZ_OK;
}

static fz_status show_speed(const fz_args *args, const fz_speed_data *data, const fz_prediction *predicted,
                            fz_error *err)
{
    if (fz_args_get(args, "rows") != NULL)
        FZ_TRY(fz_speed_scores_rows(fz_args_get(args, "rows"), data, predicted, err));
    if (!fz_args_has(args, "json"))
        return fz_speed_scores_print(stdout, data, predicted, err);
    fz_json json = fz_json_start(stdout, "frenzy-validate-speed-1");
    fz_status status = fz_speed_scores_json(&json, data, predicted, err);
    fz_json_end(&json);
    return status;
}

static int validate_speed(const fz_args *args)
{
    fz_speed_data data;
    fz_prediction *predicted = NULL;
    fz_error err = {0};
    if (fz_args_has(args, "estimator")) {
        fz_fail(&err, FZ_EUSAGE, "--estimator belongs to validate memory: there is one model of speed");
        return fz_say_error(&err);
    }
    if (fz_args_one_output(args, "rows", &err) != FZ_OK)
        return fz_say_error(&err);
    if (fz_speed_data_read(args->rest[1], &data, &err) != FZ_OK)
        return fz_say_input_error(&err);
    fz_status status = predict_speed(args, &data, &predicted, &err);
    if (status == FZ_OK)
        status = show_speed(args, &data, predicted, &err);
    fz_speed_data_free(&data);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}

static int validate_run(const fz_args *args)
{
    fz_error err;
    if (strcmp(args->rest[0], "memory") == 0)
        return validate_memory(args);
    if (strcmp(args->rest[0], "speed") == 0)
        return validate_speed(args);
    fz_fail(&err, FZ_EUSAGE, "unknown: frenzy validate %s; there are memory and speed", args->rest[0]);
    return fz_say_error(&err);
}

static const fz_option options[] = {
    {"estimator", "NAME", "memory: analytic (default) or paper, the published formula"},
    {"confidence", "SHARE", "of the intervals (default 0.9)"},
    {"rows", "OUT.csv",
     "write prediction beside measurement, row by row, in GiB or tokens/s of a GPU; - is standard output"},
};

const fz_command fz_command_validate = {
    .name = "validate",
    .summary = "compare predictions with measured runs",
    .arguments = "memory|speed FILE.csv [--estimator analytic|paper] [--rows OUT.csv] [--json]",
    .examples = "  frenzy validate memory measured.csv\n"
                "  frenzy validate speed measured.csv\n"
                "  frenzy validate memory measured.csv --estimator paper --rows rows.csv\n",
    .notes = "A row of the file is a run: its model, how it was split, its framework and GPU, and the peak "
             "memory of a\n"
             "GPU (calib/groundtruth/README.md lists the columns). Accuracy is 1 - |predicted - measured| / "
             "measured, at\n"
             "least 0. `cover` is the share of measurements inside their interval, `width` its median width "
             "over the\n"
             "prediction. Runs known only to fit, or to run out of memory, are told right when the upper end "
             "of the\n"
             "interval is on the right side of the GPU's usable memory.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 2,
    .max_rest = 2,
    .run = validate_run,
};
