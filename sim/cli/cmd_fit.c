/* frenzy fit: constants of the predictors out of measured runs. */
#include <stdio.h>
#include <string.h>

#include <frenzy/memory_terms.h>

#include "calib/fit/memory_fit.h"
#include "calib/fit/step_fit.h"
#include "calib/fit/table_write.h"
#include "sim/cli/commands.h"
#include "sim/cli/memory_scores.h"
#include "sim/cli/say.h"
#include "sim/cli/speed_scores.h"

static void print_constants(const fz_fit_result *fit, const fz_prior *priors, int n)
{
    printf("\nconstants, with standard errors\n%-36s %5s %5s", "", "rows", "adapt");
    for (int j = 0; j < n; j++)
        printf(" %13.13s", priors[j].name);
    putchar('\n');
    for (uint32_t i = 0; i < fit->n_nodes; i++) {
        const fz_fitted_node *node = &fit->nodes[i];
        printf("%-36s %5u %5u", node->name, node->rows[0], node->rows[1]);
        for (int j = 0; j < n; j++)
            printf(" %6.2f +- %4.2f", node->constants[j], node->errors[j]);
        putchar('\n');
    }
}

static fz_status print_fit(const fz_memory_data *data, const fz_fit_result *fit, fz_error *err)
{
    printf("cross-validation, groups of one configuration left out together\n");
    FZ_TRY(fz_memory_scores_print(stdout, data, fit->by_group, err));
    printf("\ncross-validation, whole sources left out\n");
    FZ_TRY(fz_memory_scores_print(stdout, data, fit->by_source, err));
    print_constants(fit, fz_memory_priors, FZ_MC_N);
    return FZ_OK;
}

static fz_status json_fit(const fz_memory_data *data, const fz_fit_result *fit, fz_error *err)
{
    fz_json json = fz_json_start(stdout, "frenzy-fit-memory-1");
    fz_json_open(&json, "left_out_groups");
    fz_status status = fz_memory_scores_json(&json, data, fit->by_group, err);
    fz_json_close(&json);
    fz_json_open(&json, "left_out_sources");
    if (status == FZ_OK)
        status = fz_memory_scores_json(&json, data, fit->by_source, err);
    fz_json_close(&json);
    fz_json_end(&json);
    return status;
}

static fz_status fit_and_show(const fz_args *args, const fz_memory_data *data, fz_error *err)
{
    fz_fit_result fit;
    const char *table = fz_args_get(args, "table");
    const char *rows = fz_args_get(args, "rows");
    FZ_TRY(fz_memory_fit_rows(&data->rows, data->capacity, 0.9, data->arena, &fit, err));
    if (rows != NULL)
        FZ_TRY(fz_memory_scores_rows(rows, data, fit.by_group, err));
    if (table != NULL)
        FZ_TRY(fz_fitted_table_write(table, "memory", "frenzy/memory_terms.h", fz_memory_priors, FZ_MC_N,
                                     &fit, err));
    if (table != NULL && strcmp(table, "-") == 0)
        return FZ_OK;
    return fz_args_has(args, "json") ? json_fit(data, &fit, err) : print_fit(data, &fit, err);
}

static int fit_memory(const fz_args *args)
{
    fz_memory_data data;
    fz_error err = {0};
    if (fz_args_one_output(args, "table", &err) != FZ_OK || fz_args_one_output(args, "rows", &err) != FZ_OK)
        return fz_say_error(&err);
    if (fz_memory_data_read(args->rest[1], &data, &err) != FZ_OK)
        return fz_say_input_error(&err);
    fz_status status = fit_and_show(args, &data, &err);
    fz_memory_data_free(&data);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}

/* ---- speed ---------------------------------------------------------------------------------------------- */

static fz_status print_speed_fit(const fz_speed_data *data, const fz_fit_result *fit, fz_error *err)
{
    printf("cross-validation, groups of one configuration left out together\n");
    FZ_TRY(fz_speed_scores_print(stdout, data, fit->by_group, err));
    printf("\ncross-validation, whole sources left out\n");
    FZ_TRY(fz_speed_scores_print(stdout, data, fit->by_source, err));
    print_constants(fit, fz_step_priors, FZ_SC_N);
    return FZ_OK;
}

static fz_status json_speed_fit(const fz_speed_data *data, const fz_fit_result *fit, fz_error *err)
{
    fz_json json = fz_json_start(stdout, "frenzy-fit-speed-1");
    fz_json_open(&json, "left_out_groups");
    fz_status status = fz_speed_scores_json(&json, data, fit->by_group, err);
    fz_json_close(&json);
    fz_json_open(&json, "left_out_sources");
    if (status == FZ_OK)
        status = fz_speed_scores_json(&json, data, fit->by_source, err);
    fz_json_close(&json);
    fz_json_end(&json);
    return status;
}

static fz_status fit_and_show_speed(const fz_args *args, const fz_speed_data *data, fz_error *err)
{
    fz_fit_result fit;
    const char *table = fz_args_get(args, "table");
    const char *rows = fz_args_get(args, "rows");
    FZ_TRY(fz_step_fit_rows(&data->rows, data->hardware, 0.9, data->arena, &fit, err));
    if (rows != NULL)
        FZ_TRY(fz_speed_scores_rows(rows, data, fit.by_group, err));
    if (table != NULL)
        FZ_TRY(fz_fitted_table_write(table, "step", "frenzy/step.h", fz_step_priors, FZ_SC_N, &fit, err));
    if (table != NULL && strcmp(table, "-") == 0)
        return FZ_OK;
    return fz_args_has(args, "json") ? json_speed_fit(data, &fit, err) : print_speed_fit(data, &fit, err);
}

static int fit_speed(const fz_args *args)
{
    fz_speed_data data;
    fz_error err = {0};
    if (fz_args_one_output(args, "table", &err) != FZ_OK || fz_args_one_output(args, "rows", &err) != FZ_OK)
        return fz_say_error(&err);
    if (fz_speed_data_read(args->rest[1], &data, &err) != FZ_OK)
        return fz_say_input_error(&err);
    fz_status status = fit_and_show_speed(args, &data, &err);
    fz_speed_data_free(&data);
    return status == FZ_OK ? FZ_EXIT_DONE : fz_say_error(&err);
}

static int fit_run(const fz_args *args)
{
    fz_error err;
    if (strcmp(args->rest[0], "memory") == 0)
        return fit_memory(args);
    if (strcmp(args->rest[0], "speed") == 0)
        return fit_speed(args);
    fz_fail(&err, FZ_EUSAGE, "unknown: frenzy fit %s; there are memory and speed", args->rest[0]);
    return fz_say_error(&err);
}

static const fz_option options[] = {
    {"table", "OUT.c",
     "write the constants as core/src/memory_table.c or step_table.c; - is standard output, nothing else "
     "then"},
    {"rows", "OUT.csv", "write the prediction of each row by constants that had not seen it"},
};

const fz_command fz_command_fit = {
    .name = "fit",
    .summary = "fit the constants of a predictor to measured runs",
    .arguments = "memory|speed FILE.csv [--table OUT.c] [--rows OUT.csv] [--json]",
    .examples = "  frenzy fit memory measured.csv\n"
                "  frenzy fit speed measured.csv --table core/src/step_table.c\n",
    .notes =
        "Prints how well rows are predicted that the fit had not seen, then the constants of every framework "
        "and\n"
        "precision. The program uses the table that it was built with; scripts/fit-memory makes it anew.\n",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .min_rest = 2,
    .max_rest = 2,
    .run = fit_run,
};
