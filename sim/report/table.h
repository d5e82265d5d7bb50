/* Tables of results as text, for every format alike. */
#ifndef FRENZY_SIM_REPORT_TABLE_H
#define FRENZY_SIM_REPORT_TABLE_H

#include "sim/report/results.h"

#define FZ_TABLE_CELL 96

typedef struct fz_table {
    const char *title;
    uint32_t n_columns, n_rows;
    char (*heads)[FZ_TABLE_CELL];
    char (*cells)[FZ_TABLE_CELL]; /* row by row */
    bool *bold;                   /* by cell */
} fz_table;

/* The table of a scenario; of all scenarios together when there are several. In `arena`. */
fz_status fz_table_of_scenario(fz_arena *arena, const fz_scenario_results *scenario, fz_table *out,
                               fz_error *err);
fz_status fz_table_overall(fz_arena *arena, const fz_results *results, fz_table *out, fz_error *err);

/* What must be said under a scenario's table: how intervals were made, what does not compare. Line `i`, or false
 * when there is none. */
bool fz_scenario_note(const fz_scenario_results *scenario, uint32_t i, char *text, size_t size);

/* "+13.6 % [+10.7 +16.6]", "+13.6 %", or "-". */
void fz_versus_text(const fz_estimate *versus, char *text, size_t size);

#endif
