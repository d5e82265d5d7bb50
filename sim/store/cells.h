/* Cells: the places of a sweep's runs in the database. Internal to the store. */
#ifndef FRENZY_SIM_STORE_CELLS_H
#define FRENZY_SIM_STORE_CELLS_H

#include "core/support/db.h"
#include "sim/store/store.h"

/* Runs without a cell are counted below this number; those with one lie above, by the first 30 bits of the
 * cell's hash, or the next number that is free. */
#define FZ_FIRST_CELL_ID ((int64_t)1 << 30)

/* The number for a new run. `cell` may be NULL. */
fz_status fz_cell_number(fz_db *db, const char *cell, int64_t *id, fz_error *err);

/* Makes room for a run: what failed in its cell is forgotten; a result with another key (any result if
 * `replace`) is taken out. `*present`: the cell has a result with this key, and keeps it. */
fz_status fz_cell_clear(fz_db *db, const fz_store_run *run, bool replace, bool *present, fz_error *err);

/* Runs a statement that returns nothing with numbers for its parameters ?1, ?2, ... */
fz_status fz_cell_run(fz_db *db, const char *sql, const int64_t *values, int n_values, fz_error *err);

#endif
