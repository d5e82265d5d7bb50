/* Reads the folders of application profiles. Columns go by name, so their order does not matter. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/support/csv.h"
#include "core/support/number.h"
#include "workloads/apps/app_facts.h"
#include "workloads/apps/app_tables.h"

#define PATH_SIZE  4096
#define MOST_NAMES 256u

typedef char path_text[PATH_SIZE];

static fz_status no_memory(const char *what, fz_error *err)
{
    return fz_fail(err, FZ_ENOMEM, "no memory for the profiles in %s", what);
}

static fz_status path_join(path_text out, const char *folder, const char *name, fz_error *err)
{
    int length = snprintf(out, PATH_SIZE, "%s/%s", folder, name);
    if (length < 0 || length >= PATH_SIZE)
        return fz_fail(err, FZ_EIO, "the path of %s is too long", folder);
    return FZ_OK;
}

static bool is_there(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

/* ---- folders ------------------------------------------------------------------------------------------------ */

static int names_compare(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names of all entries but hidden ones, sorted. */
static fz_status folder_list(fz_arena *arena, const char *folder, const char **names, uint32_t *n,
                             fz_error *err)
{
    DIR *dir = opendir(folder);
    fz_status status = FZ_OK;
    *n = 0;
    if (dir == NULL)
        return fz_fail(err, FZ_EIO, "%s: no such folder; a folder with one folder an application is expected",
                       folder);
    for (const struct dirent *entry; status == FZ_OK && (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char *copy = fz_arena_strdup(arena, entry->d_name);
        if (copy == NULL || *n == MOST_NAMES) {
            status = copy == NULL ? no_memory(folder, err)
                                  : fz_fail(err, FZ_EIO, "%s: more than %u files", folder, MOST_NAMES);
            break;
        }
        names[(*n)++] = copy;
    }
    closedir(dir);
    qsort(names, *n, sizeof *names, names_compare);
    return status;
}

/* The X of "<stem>X.csv", a batch size; 0 if the name is another. */
static double batch_of(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    if (strncmp(name, stem, length) != 0)
        return 0;
    uint64_t value = 0;
    size_t digits = strlen(name + length);
    if (digits <= 4 || strcmp(name + length + digits - 4, ".csv") != 0 ||
        fz_number_count(name + length, digits - 4, UINT32_MAX, &value) != FZ_NUMBER_OK)
        return 0;
    return (double)value;
}

/* ---- tables ------------------------------------------------------------------------------------------------- */

/* A number above `least` in the column `name`. */
static fz_status cell_number(fz_csv *csv, const fz_csv_field *fields, const char *name, double least,
                             double *out, fz_error *err)
{
    int column = fz_csv_find_column(csv, name);
    if (column < 0)
        return fz_csv_fail(csv, NULL, err, "the column '%s' is missing", name);
    FZ_TRY(fz_csv_number(csv, &fields[column], name, out, err));
    if (*out >= least && *out <= 1e30)
        return FZ_OK;
    return fz_csv_fail(csv, &fields[column], err, "%s is %s; %g to 1e30 is expected", name,
                       fields[column].text, least);
}

static fz_status cell_count(fz_csv *csv, const fz_csv_field *fields, const char *name, uint64_t max,
                            uint64_t *out, fz_error *err)
{
    int column = fz_csv_find_column(csv, name);
    if (column < 0)
        return fz_csv_fail(csv, NULL, err, "the column '%s' is missing", name);
    FZ_TRY(fz_csv_count(csv, &fields[column], name, max, out, err));
    return *out > 0 ? FZ_OK : fz_csv_fail(csv, &fields[column], err, "%s is 0", name);
}

/* GPUs and nodes of a placement: a digit a node. */
static fz_status placement_read(fz_csv *csv, const fz_csv_field *fields, fz_app_row *row, fz_error *err)
{
    uint64_t digits = 0;
    FZ_TRY(cell_count(csv, fields, "placement", 9999999999999999u, &digits, err));
    uint32_t by_node[20], n = 0;
    for (uint64_t left = digits; left > 0; left /= 10) {
        by_node[n++] = (uint32_t)(left % 10);
        if (left % 10 == 0)
            return fz_csv_fail(csv, NULL, err, "placement %llu has a node without GPUs",
                               (unsigned long long)digits);
    }
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t other = by_node[i];
        by_node[i] = by_node[n - 1 - i];
        by_node[n - 1 - i] = other;
    }
    fz_app_place place = fz_app_place_of(NULL, by_node, n);
    row->placement = place.placement;
    row->nodes = place.nodes;
    row->gpus = place.gpus;
    return FZ_OK;
}

static fz_status pair_read(fz_csv *csv, const fz_csv_field *fields, fz_app_row *row, fz_error *err)
{
    uint64_t nodes = 0, gpus = 0;
    FZ_TRY(cell_count(csv, fields, "num_nodes", 4096, &nodes, err));
    FZ_TRY(cell_count(csv, fields, "num_replicas", 65536, &gpus, err));
    row->nodes = (uint32_t)nodes;
    row->gpus = (uint32_t)gpus;
    return FZ_OK;
}

static fz_status row_read(fz_csv *csv, const fz_csv_field *fields, fz_app_source source, fz_app_rows *rows,
                          fz_error *err)
{
    fz_app_row row = {.source = source};
    FZ_TRY(source == FZ_APP_PLACED ? placement_read(csv, fields, &row, err)
                                   : pair_read(csv, fields, &row, err));
    FZ_TRY(cell_number(csv, fields, "local_bsz", 1, &row.point.local, err));
    FZ_TRY(cell_number(csv, fields, "step_time", 1e-9, &row.point.step_s, err));
    FZ_TRY(cell_number(csv, fields, "sync_time", 0, &row.point.sync_s, err));
    return fz_app_rows_add(rows, &row, err);
}

/* Rows of other applications are passed over where there is a column for that. */
static bool is_own(fz_csv *csv, const fz_csv_field *fields, const char *app)
{
    int column = fz_csv_find_column(csv, "application");
    return column < 0 || strcmp(fields[column].text, app) == 0;
}

/* The file's hash goes into that of all tables; after the last row. */
static void hash_add(fz_csv *csv, fz_sha256 *sha)
{
    char hex[65];
    fz_csv_sha256(csv, hex);
    fz_sha256_update(sha, hex, 64);
}

static fz_status rows_read(const char *path, const char *app, fz_app_source source, fz_sha256 *sha,
                           fz_app_rows *rows, fz_error *err)
{
    fz_csv *csv = NULL;
    const fz_csv_field *fields = NULL;
    uint32_t n = 0;
    FZ_TRY(fz_csv_open(path, NULL, &csv, err));
    fz_status status = fz_csv_next(csv, &fields, &n, err);
    while (status == FZ_OK && fields != NULL) {
        if (is_own(csv, fields, app))
            status = row_read(csv, fields, source, rows, err);
        if (status == FZ_OK)
            status = fz_csv_next(csv, &fields, &n, err);
    }
    if (status == FZ_OK)
        hash_add(csv, sha);
    fz_csv_close(csv);
    return status;
}

/* ---- one application ---------------------------------------------------------------------------------------- */

typedef struct reader {
    fz_arena *arena;
    const char *folder;  /* of the application */
    const char *offgrid; /* path; NULL: none */
    const char **names;  /* of its files, sorted */
    uint32_t n_names;
    fz_app *app;
    fz_sha256 *sha; /* of all files */
} reader;

static fz_status optional_read(const reader *r, const char *name, fz_app_source source, fz_app_rows *rows,
                               fz_error *err)
{
    path_text path;
    FZ_TRY(path_join(path, r->folder, name, err));
    return is_there(path) ? rows_read(path, r->app->name, source, r->sha, rows, err) : FZ_OK;
}

/* The tables of one GPU type; `suffix` is ".csv" or "-<type>.csv". */
static fz_status gpu_read(const reader *r, const char *suffix, fz_app_gpu *gpu, fz_error *err)
{
    char file[320];
    fz_app_rows rows = {0};
    snprintf(file, sizeof file, "placements%s", suffix);
    fz_status status = optional_read(r, file, FZ_APP_PLACED, &rows, err);
    snprintf(file, sizeof file, "scalability%s", suffix);
    if (status == FZ_OK)
        status = optional_read(r, file, FZ_APP_PAIRS, &rows, err);
    if (status == FZ_OK && r->offgrid != NULL && (gpu->name[0] == '\0' || strcmp(gpu->name, "aws") == 0))
        status = rows_read(r->offgrid, r->app->name, FZ_APP_OFFGRID, r->sha, &rows, err);
    if (status == FZ_OK && rows.n_rows == 0)
        status = fz_fail(err, FZ_EPARSE, "%s: no rows in placements%s", r->folder, suffix);
    if (status == FZ_OK)
        status = fz_app_curves_make(r->arena, &rows, gpu, err);
    fz_app_rows_free(&rows);
    if (status == FZ_OK)
        gpu->most_local = fz_app_facts_most_local(r->app, gpu->name, gpu->most_local);
    return status;
}

/* The type of "placements-<type>.csv" in the arena; NULL if the name is another. */
static const char *type_of(const reader *r, const char *name)
{
    const char *stem = "placements-";
    size_t length = strlen(name), skip = strlen(stem);
    if (strncmp(name, stem, skip) != 0 || length <= skip + 4 || strcmp(name + length - 4, ".csv") != 0)
        return NULL;
    return fz_arena_strndup(r->arena, name + skip, length - skip - 4);
}

static fz_status gpus_read(const reader *r, fz_error *err)
{
    fz_app_gpu *gpus = FZ_NEW(r->arena, r->n_names + 1, fz_app_gpu);
    if (gpus == NULL)
        return no_memory(r->folder, err);
    r->app->gpus = gpus;
    for (uint32_t i = 0; i < r->n_names; i++) {
        const char *type = type_of(r, r->names[i]);
        if (type != NULL)
            gpus[r->app->n_gpus++].name = type;
    }
    r->app->rules = r->app->n_gpus > 0 ? FZ_APP_SIA : FZ_APP_POLLUX;
    if (r->app->n_gpus == 0)
        gpus[r->app->n_gpus++].name = "";
    for (uint32_t i = 0; i < r->app->n_gpus; i++) {
        char suffix[300];
        snprintf(suffix, sizeof suffix, "%s%s.csv", gpus[i].name[0] != '\0' ? "-" : "", gpus[i].name);
        FZ_TRY(gpu_read(r, suffix, &gpus[i], err));
    }
    return FZ_OK;
}

/* ---- validation: gradient noise by epoch ------------------------------------------------------------------------ */

static fz_status epochs_read(const reader *r, const char *name, fz_app_epoch *rows, uint32_t room,
                             uint32_t *n, fz_error *err)
{
    path_text path;
    fz_csv *csv = NULL;
    const fz_csv_field *fields = NULL;
    uint32_t n_fields = 0;
    FZ_TRY(path_join(path, r->folder, name, err));
    FZ_TRY(fz_csv_open(path, NULL, &csv, err));
    fz_status status = fz_csv_next(csv, &fields, &n_fields, err);
    for (*n = 0; status == FZ_OK && fields != NULL; (*n)++) {
        fz_app_epoch row;
        double before = *n > 0 && *n <= room ? rows[*n - 1].progress : 0;
        status = *n < room ? FZ_OK : fz_csv_fail(csv, NULL, err, "more than %u epochs", room);
        if (status == FZ_OK)
            status = cell_number(csv, fields, "progress", before, &row.progress, err);
        if (status == FZ_OK)
            status = cell_number(csv, fields, "iteration", 0, &row.iteration, err);
        if (status == FZ_OK)
            status = cell_number(csv, fields, "grad_sqr", 0, &row.sqr, err);
        if (status == FZ_OK)
            status = cell_number(csv, fields, "grad_var", 0, &row.var, err);
        if (status != FZ_OK)
            break;
        rows[*n] = row;
        status = fz_csv_next(csv, &fields, &n_fields, err);
    }
    if (status == FZ_OK && *n == 0)
        status = fz_csv_fail(csv, NULL, err, "no epochs");
    if (status == FZ_OK)
        hash_add(csv, r->sha);
    fz_csv_close(csv);
    return status;
}

enum { MOST_EPOCHS = 10000 };

/* Batches that were validated, ascending, with the index of the file of each. */
static uint32_t batches_list(const reader *r, double *batches, uint32_t *file)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_names; i++) {
        double batch = batch_of(r->names[i], "validation-");
        uint32_t at = n;
        if (batch < 1)
            continue;
        for (; at > 0 && batches[at - 1] > batch; at--) {
            batches[at] = batches[at - 1];
            file[at] = file[at - 1];
        }
        batches[at] = batch;
        file[at] = i;
        n++;
    }
    return n;
}

/* The border of an epoch is the least progress of any batch at its end. */
static void borders_fill(const fz_app *app, double *borders)
{
    for (uint32_t epoch = 0; epoch < app->n_epochs; epoch++) {
        borders[epoch + 1] = app->rows[0][epoch].progress;
        for (uint32_t i = 1; i < app->n_batches; i++)
            if (app->rows[i][epoch].progress < borders[epoch + 1])
                borders[epoch + 1] = app->rows[i][epoch].progress;
    }
}

static fz_status validation_read(const reader *r, fz_error *err)
{
    fz_app *app = r->app;
    double *batches = FZ_NEW(r->arena, r->n_names + 1, double);
    uint32_t *file = FZ_NEW(r->arena, r->n_names + 1, uint32_t);
    fz_app_epoch *scratch = FZ_NEW(r->arena, MOST_EPOCHS, fz_app_epoch);
    const fz_app_epoch **rows = FZ_NEW(r->arena, r->n_names + 1, const fz_app_epoch *);
    if (batches == NULL || file == NULL || scratch == NULL || rows == NULL)
        return no_memory(r->folder, err);
    app->batches = batches;
    app->rows = rows;
    app->n_batches = batches_list(r, batches, file);
    if (app->n_batches == 0)
        return fz_fail(err, FZ_EPARSE, "%s: no validation-<batch>.csv", r->folder);
    for (uint32_t i = 0; i < app->n_batches; i++) {
        uint32_t n = 0;
        FZ_TRY(epochs_read(r, r->names[file[i]], scratch, MOST_EPOCHS, &n, err));
        if (i > 0 && n != app->n_epochs)
            return fz_fail(err, FZ_EPARSE, "%s: %s has %u epochs, the others %u", r->folder,
                           r->names[file[i]], n, app->n_epochs);
        app->n_epochs = n;
        fz_app_epoch *kept = FZ_NEW(r->arena, n, fz_app_epoch);
        if (kept == NULL)
            return no_memory(r->folder, err);
        memcpy(kept, scratch, n * sizeof *kept);
        rows[i] = kept;
    }
    double *borders = FZ_NEW(r->arena, app->n_epochs + 1, double);
    if (borders == NULL)
        return no_memory(r->folder, err);
    borders_fill(app, borders);
    app->borders = borders;
    return FZ_OK;
}

static fz_status app_read(const reader *r, fz_error *err)
{
    FZ_TRY(gpus_read(r, err));
    fz_app_facts_fill(r->app);
    r->app->least_local = r->app->gpus[0].placed[0].points[0].local;
    for (uint32_t g = 0; g < r->app->n_gpus; g++)
        for (uint32_t i = 0; i < r->app->gpus[g].n_placed; i++)
            if (r->app->gpus[g].placed[i].points[0].local < r->app->least_local)
                r->app->least_local = r->app->gpus[g].placed[i].points[0].local;
    return validation_read(r, err);
}

/* ---- all ---------------------------------------------------------------------------------------------------- */

/* Beside the folders of the applications, or beside the folder that holds them. */
static fz_status offgrid_find(const char *folder, path_text path, bool *found, fz_error *err)
{
    static const char *const places[] = {"offgrid.csv", "../offgrid.csv"};
    *found = false;
    for (size_t i = 0; i < 2 && !*found; i++) {
        FZ_TRY(path_join(path, folder, places[i], err));
        *found = is_there(path);
    }
    return FZ_OK;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

fz_status fz_apps_read(fz_arena *arena, const char *folder, fz_sha256 *sha, const fz_app **apps,
                       uint32_t *n_apps, fz_error *err)
{
    const char **names = FZ_NEW(arena, MOST_NAMES, const char *);
    const char **files = FZ_NEW(arena, MOST_NAMES, const char *);
    fz_app *all = FZ_NEW(arena, MOST_NAMES, fz_app);
    path_text offgrid, path;
    bool has_offgrid = false;
    uint32_t n_names = 0;
    if (names == NULL || files == NULL || all == NULL)
        return no_memory(folder, err);
    FZ_TRY(folder_list(arena, folder, names, &n_names, err));
    FZ_TRY(offgrid_find(folder, offgrid, &has_offgrid, err));
    *apps = all;
    *n_apps = 0;
    for (uint32_t i = 0; i < n_names; i++) {
        reader r = {.arena = arena,
                    .folder = path,
                    .offgrid = has_offgrid ? offgrid : NULL,
                    .names = files,
                    .sha = sha};
        FZ_TRY(path_join(path, folder, names[i], err));
        if (!is_folder(path))
            continue;
        FZ_TRY(folder_list(arena, path, files, &r.n_names, err));
        r.app = &all[(*n_apps)++];
        r.app->name = names[i];
        FZ_TRY(app_read(&r, err));
    }
    return *n_apps > 0 ? FZ_OK
                       : fz_fail(err, FZ_EPARSE, "%s: no folders; one an application is expected", folder);
}
