#include "sim/store/cells.h"

#include <stdio.h>
#include <string.h>

/* ---- numbers -------------------------------------------------------------------------------------------- */

static fz_status number_query(fz_db *db, const char *sql, int64_t bound, int64_t *out, bool *found,
                              fz_error *err)
{
    sqlite3_stmt *select = NULL;
    FZ_TRY(fz_db_prepare(db, sql, &select, err));
    sqlite3_bind_int64(select, 1, bound);
    fz_status status = fz_db_step(db, select, found, err);
    if (status == FZ_OK && *found)
        *out = sqlite3_column_int64(select, 0);
    sqlite3_finalize(select);
    return status;
}

static int64_t preferred_number(const char *cell)
{
    uint32_t bits = 0;
    for (int i = 0; i < 8 && cell[i] != '\0'; i++) {
        const char *digits = "0123456789abcdef";
        const char *at = strchr(digits, cell[i]);
        bits = bits << 4 | (at != NULL ? (uint32_t)(at - digits) : 0);
    }
    return FZ_FIRST_CELL_ID + (int64_t)(bits >> 2);
}

fz_status fz_cell_number(fz_db *db, const char *cell, int64_t *id, fz_error *err)
{
    bool found = false;
    if (cell == NULL)
        return number_query(db, "SELECT ifnull(max(id), 0) + 1 FROM run WHERE id < ?", FZ_FIRST_CELL_ID, id,
                            &found, err);
    int64_t taken = 0;
    for (*id = preferred_number(cell);; *id = *id + 1 < 2 * FZ_FIRST_CELL_ID ? *id + 1 : FZ_FIRST_CELL_ID) {
        FZ_TRY(number_query(db, "SELECT id FROM run WHERE id = ?", *id, &taken, &found, err));
        if (!found)
            return FZ_OK;
    }
}

/* ---- clearing ------------------------------------------------------------------------------------------- */

fz_status fz_cell_run(fz_db *db, const char *sql, const int64_t *values, int n_values, fz_error *err)
{
    sqlite3_stmt *stmt = NULL;
    FZ_TRY(fz_db_prepare(db, sql, &stmt, err));
    for (int i = 0; i < n_values; i++)
        sqlite3_bind_int64(stmt, i + 1, values[i]);
    fz_status status = fz_db_run(db, stmt, err);
    sqlite3_finalize(stmt);
    return status;
}

static fz_status text_run(fz_db *db, const char *sql, const char *text, fz_error *err)
{
    sqlite3_stmt *stmt = NULL;
    FZ_TRY(fz_db_prepare(db, sql, &stmt, err));
    sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
    fz_status status = fz_db_run(db, stmt, err);
    sqlite3_finalize(stmt);
    return status;
}

static fz_status run_delete(fz_db *db, int64_t id, fz_error *err)
{
    static const char *const tables[] = {
        "DELETE FROM node_list WHERE id IN (SELECT node_list FROM job WHERE key >= ?1 << 32 AND key < (?1 + "
        "1) << 32)",
        "DELETE FROM job WHERE key >= ?1 << 32 AND key < (?1 + 1) << 32",
        "DELETE FROM timeline WHERE key >= ?1 << 32 AND key < (?1 + 1) << 32",
        "DELETE FROM run WHERE id = ?1",
    };
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        FZ_TRY(fz_cell_run(db, tables[i], &id, 1, err));
    return FZ_OK;
}

/* The result in a cell: its number (0 if none), and whether it has this key. */
static fz_status cell_look(fz_db *db, const fz_store_run *run, int64_t *id, bool *same, fz_error *err)
{
    sqlite3_stmt *select = NULL;
    bool row = false;
    *id = 0;
    FZ_TRY(fz_db_prepare(db, "SELECT id, key = ? FROM run WHERE cell = ?", &select, err));
    sqlite3_bind_text(select, 1, run->key, -1, SQLITE_STATIC);
    sqlite3_bind_text(select, 2, run->cell, -1, SQLITE_STATIC);
    fz_status status = fz_db_step(db, select, &row, err);
    if (status == FZ_OK && row) {
        *id = sqlite3_column_int64(select, 0);
        *same = sqlite3_column_int(select, 1) != 0;
    }
    sqlite3_finalize(select);
    return status;
}

fz_status fz_cell_clear(fz_db *db, const fz_store_run *run, bool replace, bool *present, fz_error *err)
{
    int64_t id = 0;
    bool same = false;
    FZ_TRY(text_run(db, "DELETE FROM failure WHERE cell = ?", run->cell, err));
    FZ_TRY(cell_look(db, run, &id, &same, err));
    *present = id != 0 && same && !replace;
    return id != 0 && !*present ? run_delete(db, id, err) : FZ_OK;
}

/* ---- questions and failures ----------------------------------------------------------------------------- */

fz_status fz_store_has(fz_store *store, const char *cell, const char *key, bool *has, double *wall_s,
                       fz_error *err)
{
    fz_db *db = fz_store_db(store);
    sqlite3_stmt *select = NULL;
    FZ_TRY(fz_db_prepare(db, "SELECT wall_s FROM run WHERE cell = ? AND key = ?", &select, err));
    sqlite3_bind_text(select, 1, cell, -1, SQLITE_STATIC);
    sqlite3_bind_text(select, 2, key, -1, SQLITE_STATIC);
    fz_status status = fz_db_step(db, select, has, err);
    if (status == FZ_OK && *has && wall_s != NULL)
        *wall_s = sqlite3_column_double(select, 0);
    sqlite3_finalize(select);
    return status;
}

fz_status fz_store_rename(fz_store *store, const fz_store_run *run, fz_error *err)
{
    fz_db *db = fz_store_db(store);
    sqlite3_stmt *update = NULL;
    FZ_TRY(fz_db_prepare(
        db,
        "UPDATE run SET experiment = ?1, scenario = ?2, label = ?3, position = ?5 WHERE cell = ?4 "
        "AND (experiment, scenario, label, position) IS NOT (?1, ?2, ?3, ?5)",
        &update, err));
    const char *texts[] = {run->experiment, run->scenario, run->label, run->cell};
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(update, i + 1, texts[i], -1, SQLITE_STATIC);
    sqlite3_bind_int64(update, 5, run->position);
    fz_status status = fz_db_run(db, update, err);
    sqlite3_finalize(update);
    return status;
}

static fz_status failure_insert(fz_db *db, const fz_store_run *run, const char *kind, const char *reason,
                                const char *last_words, fz_error *err)
{
    static const char sql[] =
        "INSERT OR REPLACE INTO failure (cell, key, experiment, scenario, label, scheduler, trace, cluster, "
        "config, version, kind, reason, last_words, seed, load)"
        " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15"
        " WHERE NOT EXISTS (SELECT 1 FROM run WHERE cell = ?1 AND key = ?2)";
    const char *texts[] = {run->cell,      run->key,         run->experiment,    run->scenario, run->label,
                           run->scheduler, run->trace->path, run->cluster->name, run->config,   run->version,
                           kind,           reason,           last_words};
    enum { N_TEXTS = sizeof(texts) / sizeof(texts[0]) };
    sqlite3_stmt *insert = NULL;
    FZ_TRY(fz_db_prepare(db, sql, &insert, err));
    for (int i = 0; i < N_TEXTS; i++)
        sqlite3_bind_text(insert, i + 1, texts[i], -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, N_TEXTS + 1, (int64_t)run->seed);
    if (run->load > 0)
        sqlite3_bind_double(insert, N_TEXTS + 2, run->load);
    fz_status status = fz_db_run(db, insert, err);
    sqlite3_finalize(insert);
    return status;
}

fz_status fz_store_fail(fz_store *store, const fz_store_run *run, const char *kind, const char *reason,
                        const char *last_words, fz_error *err)
{
    fz_db *db = fz_store_db(store);
    FZ_TRY(fz_db_begin(db, err));
    fz_status status = failure_insert(db, run, kind, reason, last_words, err);
    if (status == FZ_OK)
        status = fz_db_commit(db, err);
    if (status != FZ_OK)
        fz_db_rollback(db);
    return status;
}
