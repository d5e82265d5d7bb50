#include "sim/experiment/experiment.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/support/number.h"
#include "core/support/suggest.h"
#include "core/support/timetext.h"

#define MAX_SEEDS    100000u
#define MAX_COMBOS   10000u
#define MAX_SCHEDS   64u
#define LABEL_LENGTH 256

static const char *const keys[] = {
    "name", "trace",    "cluster",      "scheduler",        "load",   "seed",     "set", "window", "overload",
    "out",  "baseline", "time_limit_s", "memory_limit_gib", "plugin", "profiles", NULL};

typedef struct reader {
    fz_arena *arena;
    const fz_doc *doc;
    const fz_doc_node *root;
    fz_roster *roster;
    const char *const *sets;
    uint32_t n_sets;
    fz_experiment *out;
    fz_error *err; /* never NULL */
} reader;

static fz_status no_memory(const reader *self)
{
    return fz_fail(self->err, FZ_ENOMEM, "no memory for the experiment %s", fz_doc_path(self->doc));
}

static const char *text_keep(fz_arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = FZ_NEW(arena, size, char);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

/* ---- one value or a list -------------------------------------------------------------------------------- */

static uint32_t values_count(const fz_doc_node *node)
{
    return node->kind == FZ_DOC_LIST ? node->n_items : 1;
}

static const fz_doc_node *value_at(const fz_doc_node *node, uint32_t i)
{
    return node->kind == FZ_DOC_LIST ? &node->items[i] : node;
}

static fz_status not_empty(const reader *self, const fz_doc_node *node, const char *key)
{
    if (fz_doc_is_null(node))
        return fz_doc_fail(self->doc, node != NULL ? node : self->root, self->err, "'%s' is missing", key);
    if (node->kind == FZ_DOC_LIST && node->n_items == 0)
        return fz_doc_fail(self->doc, node, self->err, "'%s' is an empty list; nothing would be run", key);
    return FZ_OK;
}

static fz_status scalar_expect(const reader *self, const fz_doc_node *node, const char *key)
{
    if (node->kind != FZ_DOC_SCALAR || fz_doc_is_null(node))
        return fz_doc_fail(self->doc, node, self->err, "'%s' takes a value or a list of values here", key);
    return FZ_OK;
}

/* ---- files ---------------------------------------------------------------------------------------------- */

/* From the folder of the experiment file, else as it stands: from the current folder, or a bundled name. */
static const char *file_find(const reader *self, const char *text)
{
    char path[4096];
    const char *own = fz_doc_path(self->doc);
    const char *slash = strrchr(own, '/');
    if (text[0] == '/' || slash == NULL)
        return text;
    int length = snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - own), own, text);
    if (length < 0 || (size_t)length >= sizeof(path) || access(path, R_OK) != 0)
        return text;
    return text_keep(self->arena, path);
}

static fz_status files_read(const reader *self, const char *key, const char *const **texts,
                            const char *const **paths, const fz_doc_node *const **nodes, uint32_t *n)
{
    const fz_doc_node *node = fz_doc_get(self->root, key);
    FZ_TRY(not_empty(self, node, key));
    *n = values_count(node);
    const char **names = FZ_NEW(self->arena, *n, const char *);
    const char **found = FZ_NEW(self->arena, *n, const char *);
    const fz_doc_node **where = FZ_NEW(self->arena, *n, const fz_doc_node *);
    if (names == NULL || found == NULL || where == NULL)
        return no_memory(self);
    for (uint32_t i = 0; i < *n; i++) {
        where[i] = value_at(node, i);
        FZ_TRY(scalar_expect(self, where[i], key));
        names[i] = where[i]->text;
        found[i] = file_find(self, where[i]->text);
        if (found[i] == NULL)
            return no_memory(self);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(names[k], names[i]) == 0)
                return fz_doc_fail(self->doc, where[i], self->err, "'%s' is there twice", names[i]);
    }
    *texts = names;
    *paths = found;
    *nodes = where;
    return FZ_OK;
}

/* A plug-in that is no good is a fault of the line that names it. */
static fz_status plugins_read(const reader *self)
{
    const fz_doc_node *node = fz_doc_get(self->root, "plugin");
    if (fz_doc_is_null(node))
        return FZ_OK;
    FZ_TRY(not_empty(self, node, "plugin"));
    for (uint32_t i = 0; i < values_count(node); i++) {
        const fz_doc_node *value = value_at(node, i);
        fz_error why = {0};
        FZ_TRY(scalar_expect(self, value, "plugin"));
        const char *path = file_find(self, value->text);
        if (path == NULL)
            return no_memory(self);
        if (fz_roster_load(self->roster, path, &why) != FZ_OK)
            return fz_doc_fail(self->doc, value, self->err, "%.100s: %.380s", path, why.message);
    }
    return FZ_OK;
}

/* ---- combinations of key=value -------------------------------------------------------------------------- */

static fz_status combos_count(const reader *self, const fz_doc_node *map, uint32_t *n)
{
    uint64_t product = 1;
    for (uint32_t i = 0; i < map->n_items; i++) {
        if (strcmp(map->items[i].key, "name") == 0 || strcmp(map->items[i].key, "label") == 0)
            continue;
        FZ_TRY(not_empty(self, &map->items[i], map->items[i].key));
        product *= values_count(&map->items[i]);
        if (product > MAX_COMBOS)
            return fz_doc_fail(self->doc, map, self->err, "more than %u combinations", MAX_COMBOS);
    }
    *n = (uint32_t)product;
    return FZ_OK;
}

/* true and false are 1 and 0 of a flag. */
static const char *value_text(const fz_doc_node *node)
{
    if (node->text == NULL)
        return "";
    if (!node->quoted && strcmp(node->text, "true") == 0)
        return "1";
    if (!node->quoted && strcmp(node->text, "false") == 0)
        return "0";
    return node->text;
}

/* The value of key `item` in combination `combo`: the last key runs fastest. */
static const fz_doc_node *combo_value(const fz_doc_node *map, uint32_t item, uint32_t combo)
{
    uint32_t below = 1;
    for (uint32_t i = item + 1; i < map->n_items; i++)
        if (strcmp(map->items[i].key, "name") != 0 && strcmp(map->items[i].key, "label") != 0)
            below *= values_count(&map->items[i]);
    return value_at(&map->items[item], combo / below % values_count(&map->items[item]));
}

/* ---- settings ------------------------------------------------------------------------------------------- */

/* What fz_settings_apply() says of --set, said of the file. */
static fz_status setting_refused(const reader *self, const fz_doc_node *node)
{
    char message[sizeof(self->err->message)];
    const char *at = self->err->message;
    if (strncmp(at, "--set", 5) == 0)
        at += at[5] == ' ' ? 6 : at[5] == ':' ? 7 : 5;
    snprintf(message, sizeof(message), "%s", at);
    return fz_doc_fail(self->doc, node, self->err, "%s", message);
}

static fz_status own_setting(const reader *self, fz_variant *variant, const fz_doc_node *item,
                             const fz_doc_node *node)
{
    const char *key = item->key;
    char text[512];
    bool applied = false;
    FZ_TRY(scalar_expect(self, node, key));
    snprintf(text, sizeof(text), "%s.%s=%s", variant->sched->name, key, value_text(node));
    if (fz_settings_apply(variant->sched, &variant->settings, text, &applied, self->err) != FZ_OK)
        return setting_refused(self, node);
    if (applied)
        return FZ_OK;
    fz_error found = {0};
    (void)fz_settings_unknown(&variant->sched, 1, text, &found);
    *self->err = found;
    fz_doc_node at_key = *item;
    at_key.line = item->key_line;
    at_key.column = item->key_column;
    return setting_refused(self, &at_key);
}

/* ---- schedulers ----------------------------------------------------------------------------------------- */

static fz_status sched_find(const reader *self, const fz_doc_node *node, const fz_sched_ops **out)
{
    const char *names[FZ_MAX_POLICIES];
    *out = fz_roster_find(self->roster, node->text);
    if (*out != NULL)
        return FZ_OK;
    for (uint32_t i = 0; i < self->roster->n; i++)
        names[i] = self->roster->all[i]->name;
    const char *near = fz_suggest(node->text, names, self->roster->n);
    if (near != NULL)
        return fz_doc_fail(self->doc, node, self->err, "unknown scheduler '%s'; did you mean '%s'?",
                           node->text, near);
    return fz_doc_fail(self->doc, node, self->err, "unknown scheduler '%s'; `frenzy schedulers` lists them",
                       node->text);
}

/* One combination of a scheduler's parameters. */
static fz_status variant_fill(const reader *self, const fz_doc_node *map, uint32_t combo, const char *label,
                              fz_variant *out)
{
    char text[LABEL_LENGTH];
    size_t length = (size_t)snprintf(text, sizeof(text), "%s", label != NULL ? label : out->sched->name);
    for (uint32_t i = 0; i < map->n_items; i++) {
        const char *key = map->items[i].key;
        if (strcmp(key, "name") == 0 || strcmp(key, "label") == 0)
            continue;
        const fz_doc_node *value = combo_value(map, i, combo);
        FZ_TRY(own_setting(self, out, &map->items[i], value));
        if ((label == NULL || map->items[i].kind == FZ_DOC_LIST) && length < sizeof(text))
            length +=
                (size_t)snprintf(text + length, sizeof(text) - length, " %s=%s", key, value_text(value));
    }
    if (length >= sizeof(text))
        return fz_doc_fail(self->doc, map, self->err, "too many parameters for a label");
    out->label = text_keep(self->arena, text);
    return out->label != NULL ? FZ_OK : no_memory(self);
}

static fz_status scheduler_add(const reader *self, const fz_doc_node *node, fz_variant *variants, uint32_t *n)
{
    const fz_sched_ops *sched = NULL;
    const char *label = NULL;
    uint32_t combos = 1;
    const fz_doc_node *name = node;
    fz_doc_node none = *node;
    none.n_items = 0;
    if (node->kind == FZ_DOC_MAP) {
        name = fz_doc_get(node, "name");
        if (fz_doc_is_null(name) || name->kind != FZ_DOC_SCALAR)
            return fz_doc_fail(self->doc, node, self->err, "a scheduler with parameters needs its 'name'");
        FZ_TRY(fz_doc_text(self->doc, node, "label", false, &label, self->err));
        FZ_TRY(combos_count(self, node, &combos));
    } else {
        FZ_TRY(scalar_expect(self, node, "scheduler"));
    }
    FZ_TRY(sched_find(self, name, &sched));
    assert(sched != NULL);
    for (uint32_t combo = 0; combo < combos; combo++) {
        fz_variant *variant = &variants[*n];
        *variant = (fz_variant){.sched = sched, .settings = fz_settings_default(sched)};
        FZ_TRY(variant_fill(self, node->kind == FZ_DOC_MAP ? node : &none, combo, label, variant));
        assert(variant->label != NULL);
        for (uint32_t i = 0; i < *n; i++)
            if (strcmp(variants[i].label, variant->label) == 0)
                return fz_doc_fail(self->doc, node, self->err,
                                   "'%s' is there twice; give one of them a label", variant->label);
        (*n)++;
    }
    return FZ_OK;
}

static fz_status schedulers_read(const reader *self)
{
    const fz_doc_node *node = fz_doc_get(self->root, "scheduler");
    FZ_TRY(not_empty(self, node, "scheduler"));
    uint64_t room = 0;
    for (uint32_t i = 0; i < values_count(node); i++) {
        uint32_t combos = 1;
        if (value_at(node, i)->kind == FZ_DOC_MAP)
            FZ_TRY(combos_count(self, value_at(node, i), &combos));
        room += combos;
    }
    fz_variant *variants = FZ_NEW(self->arena, room, fz_variant);
    if (variants == NULL)
        return no_memory(self);
    for (uint32_t i = 0; i < values_count(node); i++)
        FZ_TRY(scheduler_add(self, value_at(node, i), variants, &self->out->n_variants));
    self->out->variants = variants;
    return FZ_OK;
}

/* ---- set ------------------------------------------------------------------------------------------------ */

/* Is this a key of any scheduler of the experiment, or of the world? */
static fz_status set_check(const reader *self, const char *text, const fz_doc_node *node)
{
    const fz_sched_ops *scheds[MAX_SCHEDS];
    uint32_t n = 0;
    bool any = false;
    for (uint32_t i = 0; i < self->out->n_variants; i++) {
        bool applied = false;
        fz_settings scratch = self->out->variants[i].settings;
        fz_status status =
            fz_settings_apply(self->out->variants[i].sched, &scratch, text, &applied, self->err);
        if (status != FZ_OK)
            return node != NULL ? setting_refused(self, node) : status;
        any |= applied;
        if (n < MAX_SCHEDS)
            scheds[n++] = self->out->variants[i].sched;
    }
    if (any)
        return FZ_OK;
    fz_status status = fz_settings_unknown(scheds, n < 3 ? n : 3, text, self->err);
    return node != NULL ? setting_refused(self, node) : status;
}

static fz_status world_fill(const reader *self, const fz_doc_node *map, uint32_t combo, fz_world_set *out)
{
    uint32_t from_file = map != NULL ? map->n_items : 0;
    const char **texts = FZ_NEW(self->arena, from_file + self->n_sets, const char *);
    out->nodes = FZ_NEW(self->arena, from_file + self->n_sets, const fz_doc_node *);
    char label[1024] = "";
    if (texts == NULL || out->nodes == NULL)
        return no_memory(self);
    for (uint32_t i = 0; i < from_file + self->n_sets; i++) {
        char text[512];
        const fz_doc_node *node = i < from_file ? combo_value(map, i, combo) : NULL;
        if (node != NULL)
            FZ_TRY(scalar_expect(self, node, map->items[i].key));
        snprintf(text, sizeof(text), "%s%s%s", node != NULL ? map->items[i].key : "", node != NULL ? "=" : "",
                 node != NULL ? value_text(node) : self->sets[i - from_file]);
        FZ_TRY(set_check(self, text, node));
        texts[i] = text_keep(self->arena, text);
        if (texts[i] == NULL)
            return no_memory(self);
        size_t length = strlen(label);
        snprintf(label + length, sizeof(label) - length, "%s%s", i > 0 ? " " : "", text);
        out->nodes[i] = node;
    }
    out->texts = texts;
    out->n_texts = from_file + self->n_sets;
    out->label = text_keep(self->arena, label);
    return out->label != NULL ? FZ_OK : no_memory(self);
}

static fz_status worlds_read(const reader *self)
{
    const fz_doc_node *map = fz_doc_get(self->root, "set");
    uint32_t n = 1;
    if (fz_doc_is_null(map))
        map = NULL;
    if (map != NULL) {
        FZ_TRY(fz_doc_expect(self->doc, map, FZ_DOC_MAP, "'set'", self->err));
        FZ_TRY(combos_count(self, map, &n));
    }
    fz_world_set *worlds = FZ_NEW(self->arena, n, fz_world_set);
    if (worlds == NULL)
        return no_memory(self);
    for (uint32_t i = 0; i < n; i++)
        FZ_TRY(world_fill(self, map, i, &worlds[i]));
    self->out->worlds = worlds;
    self->out->n_worlds = n;
    return FZ_OK;
}

/* ---- loads, seeds, window, overload --------------------------------------------------------------------- */

static fz_status loads_read(const reader *self)
{
    const fz_doc_node *node = fz_doc_get(self->root, "load");
    uint32_t n = fz_doc_is_null(node) ? 1 : values_count(node);
    double *loads = FZ_NEW(self->arena, n, double);
    if (loads == NULL)
        return no_memory(self);
    self->out->loads = loads;
    self->out->n_loads = n;
    if (fz_doc_is_null(node))
        return FZ_OK; /* one load, 0: that of the trace */
    FZ_TRY(not_empty(self, node, "load"));
    for (uint32_t i = 0; i < n; i++) {
        const fz_doc_node *value = value_at(node, i);
        FZ_TRY(scalar_expect(self, value, "load"));
        if (fz_number_real(value->text, strlen(value->text), &loads[i]) != FZ_NUMBER_OK || loads[i] <= 0 ||
            loads[i] > 1000)
            return fz_doc_fail(self->doc, value, self->err,
                               "load '%s': a number above 0 is expected; 1 is the capacity of the cluster",
                               value->text);
        for (uint32_t k = 0; k < i; k++)
            if (loads[k] == loads[i])
                return fz_doc_fail(self->doc, value, self->err, "load %s is there twice", value->text);
    }
    return FZ_OK;
}

static fz_status seeds_read(const reader *self)
{
    const fz_doc_node *node = fz_doc_get(self->root, "seed");
    uint64_t *seeds = FZ_NEW(self->arena, MAX_SEEDS, uint64_t);
    if (seeds == NULL)
        return no_memory(self);
    self->out->seeds = seeds;
    if (fz_doc_is_null(node)) {
        self->out->n_seeds = 1;
        return FZ_OK;
    }
    FZ_TRY(not_empty(self, node, "seed"));
    for (uint32_t i = 0; i < values_count(node); i++) {
        const fz_doc_node *value = value_at(node, i);
        FZ_TRY(scalar_expect(self, value, "seed"));
        fz_error why = {0};
        if (fz_seeds_parse(value->text, seeds, MAX_SEEDS, &self->out->n_seeds, &why) != FZ_OK)
            return fz_doc_fail(self->doc, value, self->err, "seed: %s", why.message);
    }
    return FZ_OK;
}

/* "3000" a row, "12h" a time in seconds; false if neither. */
static bool bound_read(const char *text, size_t length, bool *by_time, double *out)
{
    static const char units[] = "smhd";
    static const double seconds[] = {1, 60, 3600, 86400};
    const char *unit = length > 0 ? strchr(units, text[length - 1]) : NULL;
    *by_time = unit != NULL && *unit != '\0';
    uint64_t row = 0;
    if (*by_time) {
        bool good = fz_number_real(text, length - 1, out) == FZ_NUMBER_OK && *out >= 0;
        *out *= seconds[unit - units];
        return good;
    }
    bool good = fz_number_count(text, length, UINT32_MAX, &row) == FZ_NUMBER_OK;
    *out = (double)row;
    return good;
}

static fz_status window_read(const reader *self)
{
    const fz_doc_node *node = fz_doc_get(self->root, "window");
    fz_window_ask *window = &self->out->window;
    bool end_by_time = false;
    if (fz_doc_is_null(node))
        return FZ_OK;
    FZ_TRY(scalar_expect(self, node, "window"));
    const char *colon = strchr(node->text, ':');
    if (colon == NULL ||
        !bound_read(node->text, (size_t)(colon - node->text), &window->by_time, &window->first) ||
        !bound_read(colon + 1, strlen(colon + 1), &end_by_time, &window->end) ||
        end_by_time != window->by_time || window->end <= window->first)
        return fz_doc_fail(
            self->doc, node, self->err,
            "window '%s': expected rows of jobs as 3000:4000, or times as 12h:36h (s, m, h, d)", node->text);
    window->given = true;
    window->text = node->text;
    return FZ_OK;
}

static fz_status limits_read(const reader *self)
{
    static const char *const overload_keys[] = {"max_queue", NULL};
    fz_experiment *out = self->out;
    const fz_doc_node *overload = fz_doc_get(self->root, "overload");
    FZ_TRY(fz_doc_number(self->doc, self->root, "time_limit_s", false, 0.001, 1e9, &out->time_limit_s,
                         self->err));
    FZ_TRY(fz_doc_number(self->doc, self->root, "memory_limit_gib", false, 0.01, 1e6, &out->memory_gib,
                         self->err));
    if (fz_doc_is_null(overload))
        return FZ_OK;
    FZ_TRY(fz_doc_check_keys(self->doc, overload, "'overload'", overload_keys, self->err));
    return fz_doc_count(self->doc, overload, "max_queue", true, 1, UINT32_MAX, &out->max_queue, self->err);
}

static fz_status baseline_read(const reader *self)
{
    const fz_doc_node *node = fz_doc_get(self->root, "baseline");
    FZ_TRY(fz_doc_text(self->doc, self->root, "baseline", false, &self->out->baseline, self->err));
    for (uint32_t i = 0; self->out->baseline != NULL && i < self->out->n_variants; i++)
        if (strcmp(self->out->variants[i].label, self->out->baseline) == 0)
            return FZ_OK;
    if (self->out->baseline == NULL)
        return FZ_OK;
    return fz_doc_fail(self->doc, node, self->err,
                       "baseline '%s' is none of the schedulers; the first is '%s'", self->out->baseline,
                       self->out->variants[0].label);
}

/* ---- all ------------------------------------------------------------------------------------------------ */

/* Without a name, that of the file. */
static fz_status name_read(const reader *self)
{
    char name[256];
    const char *path = fz_doc_path(self->doc);
    const char *slash = strrchr(path, '/');
    FZ_TRY(fz_doc_text(self->doc, self->root, "name", false, &self->out->name, self->err));
    FZ_TRY(fz_doc_text(self->doc, self->root, "out", false, &self->out->out, self->err));
    if (self->out->name != NULL)
        return FZ_OK;
    snprintf(name, sizeof(name), "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name)
        *dot = '\0';
    self->out->name = text_keep(self->arena, name);
    return self->out->name != NULL ? FZ_OK : no_memory(self);
}

static fz_status profiles_read(const reader *self)
{
    const char *text = NULL;
    FZ_TRY(fz_doc_text(self->doc, self->root, "profiles", false, &text, self->err));
    if (text == NULL)
        return FZ_OK;
    self->out->profiles = file_find(self, text);
    self->out->profiles_node = fz_doc_get(self->root, "profiles");
    return self->out->profiles != NULL ? FZ_OK : no_memory(self);
}

static fz_status everything_read(const reader *self)
{
    fz_experiment *out = self->out;
    FZ_TRY(fz_doc_check_keys(self->doc, self->root, "an experiment", keys, self->err));
    FZ_TRY(name_read(self));
    FZ_TRY(files_read(self, "trace", &out->traces, &out->trace_paths, &out->trace_nodes, &out->n_traces));
    FZ_TRY(files_read(self, "cluster", &out->clusters, &out->cluster_paths, &out->cluster_nodes,
                      &out->n_clusters));
    FZ_TRY(plugins_read(self));
    FZ_TRY(profiles_read(self));
    FZ_TRY(schedulers_read(self));
    FZ_TRY(worlds_read(self));
    FZ_TRY(loads_read(self));
    FZ_TRY(seeds_read(self));
    FZ_TRY(window_read(self));
    FZ_TRY(limits_read(self));
    return baseline_read(self);
}

fz_status fz_experiment_read(fz_arena *arena, const char *path, fz_roster *roster, const char *const *sets,
                             uint32_t n_sets, fz_doc **doc, fz_experiment *out, fz_error *err)
{
    fz_error unheard = {0};
    *out = (fz_experiment){0};
    FZ_TRY(fz_doc_read(path, doc, err));
    reader self = {.arena = arena,
                   .doc = *doc,
                   .root = fz_doc_root(*doc),
                   .roster = roster,
                   .sets = sets,
                   .n_sets = n_sets,
                   .out = out,
                   .err = err != NULL ? err : &unheard};
    out->doc = *doc;
    out->path = fz_doc_path(*doc);
    return everything_read(&self);
}
