#include "sim/report/table.h"
#include "sim/report/write.h"

/* A bar would end the cell. */
static void cell_write(fz_output *out, const char *text, bool bold)
{
    fz_output_text(out, bold ? " **" : " ");
    for (; *text != '\0'; text++)
        if (*text == '|')
            fz_output_text(out, "\\|");
        else
            fz_output_write(out, text, 1);
    fz_output_text(out, bold ? "** |" : " |");
}

static void table_write(fz_output *out, const fz_table *table)
{
    fz_output_text(out, "|");
    for (uint32_t c = 0; c < table->n_columns; c++)
        cell_write(out, table->heads[c], false);
    fz_output_text(out, "\n|");
    for (uint32_t c = 0; c < table->n_columns; c++)
        fz_output_text(out, c == 0 ? " --- |" : " ---: |");
    fz_output_text(out, "\n");
    for (uint32_t r = 0; r < table->n_rows; r++) {
        fz_output_text(out, "|");
        for (uint32_t c = 0; c < table->n_columns; c++)
            cell_write(out, table->cells[r * table->n_columns + c], table->bold[r * table->n_columns + c]);
        fz_output_text(out, "\n");
    }
}

static fz_status scenario_write(fz_output *out, fz_arena *arena, const fz_scenario_results *scenario,
                                fz_error *err)
{
    fz_table table;
    char note[512];
    FZ_TRY(fz_table_of_scenario(arena, scenario, &table, err));
    fz_report_format(out, "## %s\n\n%s\n\n", scenario->text, scenario->sentence);
    if (scenario->load > 0)
        fz_report_format(out, "Offered load %.3g of %u GPUs, %llu jobs measured.\n\n", scenario->load,
                         scenario->gpus, (unsigned long long)scenario->jobs);
    table_write(out, &table);
    fz_output_text(out, "\n");
    for (uint32_t i = 0; fz_scenario_note(scenario, i, note, sizeof(note)); i++)
        fz_report_format(out, "%s\n", note);
    fz_output_text(out, "\n");
    return FZ_OK;
}

static void failures_write(fz_output *out, const fz_results *results)
{
    if (results->n_failures == 0)
        return;
    fz_output_text(out,
                   "## Failed runs\n\n| scheduler | scenario | seed | why |\n| --- | --- | ---: | --- |\n");
    for (uint32_t i = 0; i < results->n_failures; i++)
        fz_report_format(out, "| %s | %s | %llu | %s |\n", results->failures[i].label,
                         results->failures[i].scenario, (unsigned long long)results->failures[i].seed,
                         results->failures[i].reason);
    fz_output_text(out, "\n");
}

static fz_status everything_write(fz_output *out, fz_arena *arena, const fz_results *results, fz_error *err)
{
    if (!results->one_version)
        fz_output_text(out,
                       "Runs of different versions of the program are mixed here; `v_run` shows which.\n\n");
    if (results->n_scenarios > 1) {
        fz_table table;
        FZ_TRY(fz_table_overall(arena, results, &table, err));
        fz_output_text(out, "## All scenarios\n\n");
        table_write(out, &table);
        fz_output_text(out, "\n");
    }
    for (uint32_t i = 0; i < results->n_scenarios; i++)
        FZ_TRY(scenario_write(out, arena, &results->scenarios[i], err));
    failures_write(out, results);
    return FZ_OK;
}

fz_status fz_report_markdown(const fz_results *results, fz_arena *arena, const char *path, fz_error *err)
{
    fz_output *out = NULL;
    FZ_TRY(fz_output_open(path, &out, err));
    fz_status status = everything_write(out, arena, results, err);
    if (status == FZ_OK)
        return fz_output_commit(out, err);
    fz_output_discard(out);
    return status;
}
