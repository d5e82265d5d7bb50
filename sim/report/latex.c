#include <stdio.h>
#include <string.h>

#include "sim/report/table.h"
#include "sim/report/write.h"

static void text_write(fz_output *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
        case '%':
        case '$':
        case '#':
        case '_':
        case '{':
        case '}':
            fz_report_format(out, "\\%c", *text);
            break;
        case '\\':
            fz_output_text(out, "\\textbackslash{}");
            break;
        case '~':
            fz_output_text(out, "\\textasciitilde{}");
            break;
        case '^':
            fz_output_text(out, "\\textasciicircum{}");
            break;
        case '<':
            fz_output_text(out, "$<$");
            break;
        case '>':
            fz_output_text(out, "$>$");
            break;
        default:
            fz_output_write(out, text, 1);
            break;
        }
}

static void cell_write(fz_output *out, const fz_table *table, uint32_t row, uint32_t column)
{
    const char *text = table->cells[row * table->n_columns + column];
    bool bold = table->bold[row * table->n_columns + column];
    if (column > 0)
        fz_output_text(out, " & ");
    if (bold)
        fz_output_text(out, "\\textbf{");
    if (column > 0 && strcmp(text, "-") == 0)
        fz_output_text(out, "--");
    else
        text_write(out, text);
    if (bold)
        fz_output_text(out, "}");
}

static void table_write(fz_output *out, const fz_table *table)
{
    fz_output_text(out, "% needs \\usepackage{booktabs}\n% ");
    fz_output_text(out, table->title);
    fz_output_text(out, "\n\\begin{tabular}{l");
    for (uint32_t c = 1; c < table->n_columns; c++)
        fz_output_text(out, "r");
    fz_output_text(out, "}\n\\toprule\n");
    for (uint32_t c = 0; c < table->n_columns; c++) {
        fz_output_text(out, c > 0 ? " & " : "");
        text_write(out, table->heads[c]);
    }
    fz_output_text(out, " \\\\\n\\midrule\n");
    for (uint32_t r = 0; r < table->n_rows; r++) {
        for (uint32_t c = 0; c < table->n_columns; c++)
            cell_write(out, table, r, c);
        fz_output_text(out, " \\\\\n");
    }
    fz_output_text(out, "\\bottomrule\n\\end{tabular}\n");
}

static fz_status preview_write(const fz_results *results, const char *dir, fz_error *err)
{
    fz_output *out = NULL;
    FZ_TRY(fz_report_file(dir, "preview.tex", &out, err));
    fz_output_text(out, "\\documentclass{article}\n\\usepackage{booktabs}\n\\usepackage{graphicx}\n"
                        "\\usepackage[landscape,margin=1cm]{geometry}\n\\begin{document}\n");
    for (uint32_t i = 0; i < results->n_scenarios; i++) {
        fz_output_text(out, "\\section*{");
        text_write(out, results->scenarios[i].text);
        fz_report_format(out, "}\n\\resizebox{\\textwidth}{!}{\\input{table-%u.tex}}\n\n", i + 1);
    }
    fz_output_text(out, "\\end{document}\n");
    return fz_output_commit(out, err);
}

fz_status fz_report_latex(const fz_results *results, fz_arena *arena, const char *dir, fz_error *err)
{
    for (uint32_t i = 0; i < results->n_scenarios; i++) {
        fz_table table;
        fz_output *out = NULL;
        char name[64];
        snprintf(name, sizeof(name), "table-%u.tex", i + 1);
        FZ_TRY(fz_table_of_scenario(arena, &results->scenarios[i], &table, err));
        FZ_TRY(fz_report_file(dir, name, &out, err));
        table_write(out, &table);
        FZ_TRY(fz_output_commit(out, err));
    }
    return preview_write(results, dir, err);
}
