#include "sim/report/nodes_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/spans.h"
#include "sim/report/write.h"

enum { HEAT_COLUMNS = 240, HEAT_ROWS = 256 };

fz_nodes_budget fz_nodes_budget_full(void)
{
    return (fz_nodes_budget){.rectangles = 24000, .cells = 6 * HEAT_COLUMNS * HEAT_ROWS};
}

/* By the numbers in their names, so that n-2 stands before n-10. */
static int by_name(const void *a, const void *b)
{
    const char *x = *(const char *const *)a;
    const char *y = *(const char *const *)b;
    for (;; x++, y++) {
        if (*x >= '0' && *x <= '9' && *y >= '0' && *y <= '9') {
            char *x_end = NULL;
            char *y_end = NULL;
            unsigned long long m = strtoull(x, &x_end, 10);
            unsigned long long n = strtoull(y, &y_end, 10);
            if (m != n)
                return m < n ? -1 : 1;
            x = x_end;
            y = y_end;
        }
        if (*x != *y)
            return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
        if (*x == '\0')
            return 0;
    }
}

/* Nodes in the order of their names: `place` by node. */
static fz_status nodes_order(const fz_spans *spans, fz_arena *arena, const char ***names, uint32_t **place,
                             fz_error *err)
{
    *names = FZ_NEW(arena, spans->n_nodes, const char *);
    *place = FZ_NEW(arena, spans->n_nodes, uint32_t);
    if (*names == NULL || *place == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u nodes", spans->n_nodes);
    if (spans->n_nodes == 0)
        return FZ_OK;
    memcpy((void *)*names, spans->nodes, spans->n_nodes * sizeof(**names));
    qsort((void *)*names, spans->n_nodes, sizeof(**names), by_name);
    for (uint32_t n = 0; n < spans->n_nodes; n++) {
        const char **at =
            bsearch(&spans->nodes[n], (const void *)*names, spans->n_nodes, sizeof(**names), by_name);
        (*place)[n] = (uint32_t)(at - *names);
    }
    return FZ_OK;
}

static void names_write(fz_output *out, const char *const *names, uint32_t n, uint32_t step)
{
    fz_output_text(out, "\"nodes\":[");
    for (uint32_t i = 0; i < n; i += step) {
        fz_output_text(out, i > 0 ? "," : "");
        fz_report_json_text(out, names[i]);
    }
    fz_output_text(out, "]");
}

/* ---- Gantt ---------------------------------------------------------------------------------------------- */

static uint32_t rectangles_count(const fz_spans *spans)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < spans->n_spans; i++)
        for (uint32_t k = 0; k < spans->spans[i].gpus; k++)
            n += k == 0 || spans->spans[i].gpu[k] != spans->spans[i].gpu[k - 1] + 1;
    return n;
}

static void gantt_write(fz_output *out, const fz_spans *spans, const char *const *names,
                        const uint32_t *place, uint32_t *gpus)
{
    bool first = true;
    fz_report_format(out, ",\"gantt\":{\"end\":%.0f,", (double)spans->end_us / 1e6);
    names_write(out, names, spans->n_nodes, 1);
    for (uint32_t n = 0; n < spans->n_nodes; n++)
        gpus[place[n]] = spans->node_gpus[n];
    fz_output_text(out, ",\"gpus\":[");
    for (uint32_t n = 0; n < spans->n_nodes; n++)
        fz_report_format(out, "%s%u", n > 0 ? "," : "", gpus[n]);
    fz_output_text(out, "],\"spans\":[");
    for (uint32_t i = 0; i < spans->n_spans; i++) {
        const fz_span *span = &spans->spans[i];
        for (uint32_t k = 0; k < span->gpus;) {
            uint32_t last = k;
            while (last + 1 < span->gpus && span->gpu[last + 1] == span->gpu[last] + 1)
                last++;
            fz_report_format(out, "%s[%.0f,%.0f,%u,%u,%u,%u]", first ? "" : ",", (double)span->start_us / 1e6,
                             (double)(span->end_us - span->start_us) / 1e6, place[span->node], span->gpu[k],
                             last - k + 1, spans->jobs[span->job].row % 7);
            first = false;
            k = last + 1;
        }
    }
    fz_output_text(out, "]}");
}

/* ---- heat map ------------------------------------------------------------------------------------------- */

/* Adds the GPU time of a span to the cells of its row. */
static void heat_add(double *row, const fz_span *span, double width_us)
{
    double from = (double)span->start_us;
    double to = (double)span->end_us;
    for (uint32_t c = (uint32_t)(from / width_us); c < HEAT_COLUMNS && c * width_us < to; c++) {
        double a = fmax(from, c * width_us);
        double b = fmin(to, (c + 1.0) * width_us);
        if (b > a)
            row[c] += (b - a) * span->gpus;
    }
}

static fz_status heat_write(fz_output *out, const fz_spans *spans, const char *const *names,
                            const uint32_t *place, fz_arena *arena, fz_error *err)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    uint32_t step = spans->n_nodes > HEAT_ROWS ? (spans->n_nodes + HEAT_ROWS - 1) / HEAT_ROWS : 1;
    uint32_t rows = (spans->n_nodes + step - 1) / step;
    double *cells = FZ_NEW(arena, (size_t)rows * HEAT_COLUMNS, double);
    double *gpus = FZ_NEW(arena, rows, double);
    double width_us = (double)spans->end_us / HEAT_COLUMNS;
    if (cells == NULL || gpus == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for a heat map");
    for (uint32_t n = 0; n < spans->n_nodes; n++)
        gpus[place[n] / step] += spans->node_gpus[n];
    for (uint32_t i = 0; i < spans->n_spans; i++)
        heat_add(&cells[(size_t)(place[spans->spans[i].node] / step) * HEAT_COLUMNS], &spans->spans[i],
                 width_us);
    fz_report_format(out, ",\"heat\":{\"end\":%.0f,", (double)spans->end_us / 1e6);
    names_write(out, names, spans->n_nodes, step);
    fz_output_text(out, ",\"rows\":[");
    for (uint32_t r = 0; r < rows; r++) {
        char text[HEAT_COLUMNS + 1] = "";
        for (uint32_t c = 0; c < HEAT_COLUMNS; c++) {
            double share = cells[(size_t)r * HEAT_COLUMNS + c] / (width_us * gpus[r]);
            text[c] = digits[(uint32_t)round(35 * (share < 1 ? share : 1))];
        }
        fz_report_format(out, "%s\"%s\"", r > 0 ? "," : "", text);
    }
    fz_output_text(out, "]}");
    return FZ_OK;
}

fz_status fz_nodes_json(fz_output *out, fz_reader *reader, fz_arena *arena, int64_t run,
                        fz_nodes_budget *budget, fz_error *err)
{
    fz_spans spans;
    const char **names = NULL;
    uint32_t *place = NULL;
    if (budget->rectangles == 0 && budget->cells < HEAT_COLUMNS)
        return FZ_OK;
    FZ_TRY(fz_spans_read(reader, run, arena, &spans, err));
    FZ_TRY(nodes_order(&spans, arena, &names, &place, err));
    if (spans.n_spans == 0 || spans.end_us <= 0)
        return FZ_OK;
    uint32_t rectangles = rectangles_count(&spans);
    uint32_t *gpus = FZ_NEW(arena, spans.n_nodes, uint32_t);
    if (gpus == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for %u nodes", spans.n_nodes);
    if (spans.n_jobs <= FZ_GANTT_JOBS && rectangles <= budget->rectangles) {
        budget->rectangles -= rectangles;
        gantt_write(out, &spans, names, place, gpus);
        return FZ_OK;
    }
    uint32_t cells = (spans.n_nodes < HEAT_ROWS ? spans.n_nodes : HEAT_ROWS) * HEAT_COLUMNS;
    if (spans.n_jobs <= FZ_GANTT_JOBS || cells > budget->cells)
        return FZ_OK;
    budget->cells -= cells;
    return heat_write(out, &spans, names, place, arena, err);
}
