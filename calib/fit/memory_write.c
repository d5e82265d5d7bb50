#include "calib/fit/memory_write.h"

#include <math.h>
#include <stdio.h>

#include "calib/fit/memory_prior.h"
#include "core/support/output.h"

static void number(fz_output *output, const char *before, double value)
{
    char text[48];
    (void)snprintf(text, sizeof text, "%s%.4g", before, fabs(value) < 5e-5 ? 0 : value);
    fz_output_text(output, text);
}

static void list(fz_output *output, const char *name, const double *values, int n)
{
    fz_output_text(output, name);
    for (int i = 0; i < n; i++)
        number(output, i > 0 ? ", " : "{", values[i]);
    fz_output_text(output, "}");
}

static void write_node(fz_output *output, const fz_memory_node *node)
{
    char head[160];
    (void)snprintf(head, sizeof head, "    {.name = \"%s\",\n     .rows = {%u, %u},\n", node->name,
                   node->rows[0], node->rows[1]);
    fz_output_text(output, head);
    list(output, "     .constants = ", node->constants, FZ_MC_N);
    list(output, ",\n     .errors = ", node->errors, FZ_MC_N);
    list(output, ",\n     .residuals = {", node->residuals[0], FZ_MEMORY_QUANTILES);
    list(output, ",\n                   ", node->residuals[1], FZ_MEMORY_QUANTILES);
    fz_output_text(output, "}},\n");
}

static void write_order(fz_output *output)
{
    fz_output_text(output, "/* Constants, in order: ");
    for (int j = 0; j < FZ_MC_N; j++) {
        fz_output_text(output, j == 0 ? "" : j % 8 == 0 ? ",\n * " : ", ");
        fz_output_text(output, fz_memory_constant_names[j]);
    }
    fz_output_text(output, ". */\n");
}

fz_status fz_memory_table_write(const char *path, const fz_memory_fit *fit, fz_error *err)
{
    fz_output *output = NULL;
    FZ_TRY(fz_output_open(path, &output, err));
    fz_output_text(output,
                   "/* Written by scripts/fit-memory; do not edit. What it means: frenzy/memory_terms.h. */\n"
                   "#include <frenzy/memory_terms.h>\n\n/* clang-format off */\n");
    write_order(output);
    fz_output_text(output, "static const fz_memory_node nodes[] = {\n");
    for (uint32_t i = 0; i < fit->n_nodes; i++)
        write_node(output, &fit->nodes[i]);
    fz_output_text(output, "};\n/* clang-format on */\n\n"
                           "const fz_memory_node *fz_memory_table(uint32_t *count)\n{\n"
                           "    *count = sizeof nodes / sizeof nodes[0];\n    return nodes;\n}\n");
    return fz_output_commit(output, err);
}
