#include "calib/fit/table_write.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/support/output.h"

static void put(fz_output *output, const char *format, ...) FZ_PRINTF(2, 3);

static void put(fz_output *output, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fz_output_text(output, text);
}

static void list(fz_output *output, const char *name, const double *values, uint32_t n)
{
    fz_output_text(output, name);
    for (uint32_t i = 0; i < n; i++)
        put(output, "%s%.4g", i > 0 ? ", " : "{", fabs(values[i]) < 5e-5 ? 0 : values[i]);
    fz_output_text(output, "}");
}

static void write_node(fz_output *output, const fz_fitted_node *node, uint32_t n_constants)
{
    put(output, "    {.name = \"%s\",\n     .rows = {%u, %u},\n", node->name, node->rows[0], node->rows[1]);
    list(output, "     .constants = ", node->constants, n_constants);
    list(output, ",\n     .errors = ", node->errors, n_constants);
    list(output, ",\n     .residuals = {", node->residuals[0], FZ_FITTED_QUANTILES);
    list(output, ",\n                   ", node->residuals[1], FZ_FITTED_QUANTILES);
    fz_output_text(output, "}},\n");
}

static void write_order(fz_output *output, const fz_prior *priors, uint32_t n)
{
    fz_output_text(output, "/* Constants, in order: ");
    for (uint32_t j = 0; j < n; j++)
        put(output, "%s%s", j == 0 ? "" : j % 8 == 0 ? ",\n * " : ", ", priors[j].name);
    fz_output_text(output, ". */\n");
}

fz_status fz_fitted_table_write(const char *path, const char *what, const char *header,
                                const fz_prior *priors, uint32_t n_constants, const fz_fit_result *fit,
                                fz_error *err)
{
    fz_output *output = NULL;
    FZ_TRY(fz_output_open(path, &output, err));
    put(output, "/* Written by scripts/fit-%s; do not edit. What it means: %s. */\n#include <%s>\n\n", what,
        header, header);
    fz_output_text(output, "/* clang-format off */\n");
    write_order(output, priors, n_constants);
    fz_output_text(output, "static const fz_fitted_node nodes[] = {\n");
    for (uint32_t i = 0; i < fit->n_nodes; i++)
        write_node(output, &fit->nodes[i], n_constants);
    put(output,
        "};\n/* clang-format on */\n\nfz_fitted_table fz_%s_table(void)\n{\n"
        "    return (fz_fitted_table){nodes, sizeof nodes / sizeof nodes[0]};\n}\n",
        what);
    return fz_output_commit(output, err);
}
