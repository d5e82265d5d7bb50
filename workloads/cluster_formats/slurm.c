/* Slurm: slurm.conf, and gres.conf where GPUs have their types only there.
 *
 * Of slurm.conf count the NodeName lines: hosts, CPUs (or boards x sockets x cores x threads), RealMemory in MiB,
 * Gres=gpu:TYPE:COUNT, Weight; NodeName=DEFAULT gives what later lines leave out. Of gres.conf the lines of GPUs:
 * Type, and Count or the number of files. Where both name a type, the counts must agree, as Slurm asks. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workloads/cluster_formats/formats.h"
#include "workloads/cluster_formats/slurm_conf.h"

enum { NAME_SIZE = 64 };

/* GPUs of one type in one host, out of gres.conf; host "" means every host. */
typedef struct device {
    char host[256], type[NAME_SIZE];
    uint32_t count, line;
} device;

typedef struct reader {
    fz_cluster_draft *draft;
    const char *gres_path; /* NULL: none given */
    device *devices;
    uint32_t n_devices, capacity;
    fz_draft_shape defaults;
    char default_gres[256];
} reader;

/* What one NodeName line says. */
typedef struct node_line {
    reader *r;
    const fz_slurm_line *line;
    fz_draft_shape shape;
    const char *gres;
    char types[FZ_DRAFT_PARTS][NAME_SIZE];
} node_line;

static fz_status fail(const fz_slurm_line *line, fz_error *err, const char *message, const char *text)
{
    return fz_fail_at(err, FZ_EPARSE, line->path, line->number, 1, "'%.60s': %s", text, message);
}

/* ---- gres.conf ---------------------------------------------------------------------------------------- */

typedef struct device_line {
    reader *r;
    const fz_slurm_line *line;
    const char *type;
    uint32_t count;
} device_line;

static fz_status count_file(void *context, const char *file, fz_error *err)
{
    (void)file;
    (void)err;
    ++*(uint32_t *)context;
    return FZ_OK;
}

static fz_status device_add(void *context, const char *host, fz_error *err)
{
    device_line *d = context;
    reader *r = d->r;
    if (r->n_devices == r->capacity) {
        uint32_t capacity = r->capacity > 0 ? 2 * r->capacity : 64;
        device *grown = realloc(r->devices, capacity * sizeof *grown);
        if (grown == NULL)
            return fz_fail(err, FZ_ENOMEM, "no memory for %u hosts", capacity);
        r->devices = grown;
        r->capacity = capacity;
    }
    device *added = &r->devices[r->n_devices++];
    *added = (device){.count = d->count, .line = d->line->number};
    (void)snprintf(added->host, sizeof added->host, "%s", host);
    (void)snprintf(added->type, sizeof added->type, "%s", d->type);
    return FZ_OK;
}

/* A list of hosts or files, with the place where it stands in an error. */
static fz_status list_each(const fz_slurm_line *line, const char *list,
                           fz_status (*each)(void *context, const char *host, fz_error *err), void *context,
                           fz_error *err)
{
    fz_error inside = {0};
    fz_status status = fz_hostlist_each(list, each, context, &inside);
    if (status != FZ_OK && inside.file[0] == '\0' && status == FZ_EPARSE)
        return fz_fail_at(err, status, line->path, line->number, 1, "%s", inside.message);
    if (status != FZ_OK && err != NULL)
        *err = inside;
    return status;
}

static fz_status gres_line(void *context, const fz_slurm_line *line, fz_error *err)
{
    const char *name = fz_slurm_get(line, "Name"), *hosts = fz_slurm_get(line, "NodeName");
    const char *type = fz_slurm_get(line, "Type"), *files = fz_slurm_get(line, "File");
    device_line d = {.r = context, .line = line, .type = type != NULL ? type : ""};
    uint64_t count = 0;
    if (name == NULL || strcasecmp(name, "gpu") != 0)
        return FZ_OK;
    if (files != NULL)
        FZ_TRY(list_each(line, files, count_file, &d.count, err));
    FZ_TRY(fz_slurm_count(line, "Count", FZ_CLUSTER_MAX_GPUS, &count, err));
    d.count = count > 0 ? (uint32_t)count : d.count > 0 ? d.count : 1;
    return hosts != NULL ? list_each(line, hosts, device_add, &d, err) : device_add(&d, "", err);
}

/* ---- Gres=gpu:a100:4(S:0-1),gpu:2,shard:8 -------------------------------------------------------------- */

/* One item of Gres; *count is 0 where it is no GPU. */
static fz_status gres_item(const fz_slurm_line *line, const char *item, size_t length, char type[NAME_SIZE],
                           uint32_t *count, fz_error *err)
{
    char text[128];
    size_t used = strcspn(item, "(");
    (void)snprintf(text, sizeof text, "%.*s", (int)(used < length ? used : length), item);
    char *kind = text, *first = strchr(text, ':'), *second = NULL, *end = NULL;
    *count = 0;
    type[0] = '\0';
    if (first != NULL) {
        *first++ = '\0';
        second = strchr(first, ':');
    }
    if (strcasecmp(kind, "gpu") != 0)
        return FZ_OK;
    if (second != NULL)
        *second++ = '\0';
    const char *number = second != NULL                                      ? second
                         : first != NULL && isdigit((unsigned char)first[0]) ? first
                                                                             : "1";
    if (first != NULL && number != first)
        (void)snprintf(type, NAME_SIZE, "%.63s", first);
    unsigned long value = strtoul(number, &end, 10);
    if (end == number || *end != '\0' || value > FZ_CLUSTER_MAX_GPUS)
        return fail(line, err, "such as gpu:a100:4 is expected", item);
    *count = (uint32_t)value;
    return FZ_OK;
}

static fz_status part_add(node_line *n, const char *type, uint32_t count, fz_error *err)
{
    fz_draft_shape *shape = &n->shape;
    for (uint32_t i = 0; i < shape->n_parts; i++) {
        if (strcmp(n->types[i], type) == 0) {
            shape->parts[i].count += count;
            return FZ_OK;
        }
    }
    if (shape->n_parts == FZ_DRAFT_PARTS)
        return fail(n->line, err, "too many types of GPU in one host", type);
    (void)snprintf(n->types[shape->n_parts], NAME_SIZE, "%s", type);
    shape->parts[shape->n_parts].gpu = n->types[shape->n_parts];
    shape->parts[shape->n_parts++].count = count;
    return FZ_OK;
}

/* The GPUs of a host by gres.conf; *found is their number, 0: it says nothing about the host. */
static fz_status parts_of_devices(node_line *n, const char *host, uint32_t *found, fz_error *err)
{
    *found = 0;
    for (uint32_t i = 0; i < n->r->n_devices; i++) {
        const device *d = &n->r->devices[i];
        if (d->host[0] != '\0' && strcmp(d->host, host) != 0)
            continue;
        *found += d->count;
        FZ_TRY(part_add(n, d->type[0] != '\0' ? d->type : "gpu", d->count, err));
    }
    return FZ_OK;
}

/* What gres.conf says of a type of this host must be what slurm.conf says. */
static fz_status devices_check(const node_line *n, const char *host, const char *type, uint32_t count,
                               fz_error *err)
{
    uint32_t found = 0, line = 0;
    for (uint32_t i = 0; i < n->r->n_devices; i++) {
        const device *d = &n->r->devices[i];
        if ((d->host[0] == '\0' || strcmp(d->host, host) == 0) && strcmp(d->type, type) == 0) {
            found += d->count;
            line = d->line;
        }
    }
    if (found == 0 || found == count)
        return FZ_OK;
    return fz_fail_at(err, FZ_EPARSE, n->r->gres_path, line, 1,
                      "host '%.60s' has %u GPUs of type '%.60s' here, but %u in slurm.conf", host, found,
                      type, count);
}

static fz_status untyped_add(node_line *n, const char *host, uint32_t count, fz_error *err)
{
    uint32_t found = 0;
    FZ_TRY(parts_of_devices(n, host, &found, err));
    if (found == 0)
        return part_add(n, "gpu", count, err);
    if (found == count)
        return FZ_OK;
    return fz_fail_at(err, FZ_EPARSE, n->line->path, n->line->number, 1,
                      "host '%.60s' has %u GPUs here, but %u in gres.conf", host, count, found);
}

static fz_status gres_read(node_line *n, const char *host, fz_error *err)
{
    n->shape.n_parts = 0;
    for (const char *at = n->gres; *at != '\0';) {
        char type[NAME_SIZE];
        uint32_t count = 0;
        size_t length = strcspn(at, ",");
        const char *open = memchr(at, '(', length), *close = open != NULL ? strchr(open, ')') : NULL;
        if (close != NULL)
            length = (size_t)(close + 1 - at) + strcspn(close + 1, ",");
        FZ_TRY(gres_item(n->line, at, length, type, &count, err));
        if (count > 0 && type[0] == '\0') {
            FZ_TRY(untyped_add(n, host, count, err));
        } else if (count > 0) {
            FZ_TRY(devices_check(n, host, type, count, err));
            FZ_TRY(part_add(n, type, count, err));
        }
        at += length;
        at += *at == ',';
    }
    return FZ_OK;
}

/* ---- slurm.conf ----------------------------------------------------------------------------------------- */

static fz_status host_add(void *context, const char *host, fz_error *err)
{
    node_line *n = context;
    FZ_TRY(gres_read(n, host, err));
    return fz_draft_node(n->r->draft, &n->shape, host, NULL, err);
}

/* CPUs as given, or as the product of what is given. */
static fz_status cpus_read(const fz_slurm_line *line, double *out, fz_error *err)
{
    static const char *const factors[] = {"Boards", "Sockets", "SocketsPerBoard", "CoresPerSocket",
                                          "ThreadsPerCore"};
    uint64_t cpus = 0, product = 1;
    bool any = false;
    FZ_TRY(
        fz_slurm_count(line, fz_slurm_get(line, "CPUs") != NULL ? "CPUs" : "Procs", UINT32_MAX, &cpus, err));
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        uint64_t factor = 1;
        FZ_TRY(fz_slurm_count(line, factors[i], 65536, &factor, err));
        any = any || fz_slurm_get(line, factors[i]) != NULL;
        product = product < UINT32_MAX ? product * factor : product;
    }
    if (cpus > 0 || any)
        *out = (double)(cpus > 0 ? cpus : product);
    return FZ_OK;
}

static fz_status conf_line(void *context, const fz_slurm_line *line, fz_error *err)
{
    reader *r = context;
    const char *hosts = fz_slurm_get(line, "NodeName"), *gres = fz_slurm_get(line, "Gres");
    node_line n = {.r = r, .line = line, .shape = r->defaults, .gres = gres != NULL ? gres : r->default_gres};
    uint64_t mib = 0, weight = r->defaults.weight;
    if (hosts == NULL || strcasecmp(line->pairs[0].key, "NodeName") != 0)
        return FZ_OK;
    FZ_TRY(cpus_read(line, &n.shape.cpus, err));
    FZ_TRY(fz_slurm_count(line, "RealMemory", UINT64_C(1) << 50, &mib, err));
    FZ_TRY(fz_slurm_count(line, "Weight", UINT32_MAX, &weight, err));
    if (mib > 0)
        n.shape.mem_gib = (double)mib / 1024;
    n.shape.weight = (uint32_t)weight;
    if (strcasecmp(hosts, "DEFAULT") != 0)
        return list_each(line, hosts, host_add, &n, err);
    r->defaults = n.shape;
    if (gres != NULL)
        (void)snprintf(r->default_gres, sizeof r->default_gres, "%s", gres);
    return FZ_OK;
}

static fz_status slurm_read(const fz_cluster_source *source, fz_cluster_draft *draft, fz_error *err)
{
    reader r = {.draft = draft, .defaults = fz_draft_shape_of("", 0)};
    fz_status status = FZ_OK;
    if (source->n_paths > 1) {
        r.gres_path = source->paths[1];
        status = fz_slurm_lines(r.gres_path, gres_line, &r, err);
    }
    if (status == FZ_OK)
        status = fz_slurm_lines(source->paths[0], conf_line, &r, err);
    free(r.devices);
    return status;
}

const fz_cluster_format fz_cluster_slurm = {
    .name = "slurm",
    .summary = "Slurm's slurm.conf, and gres.conf behind it where there is one",
    .max_paths = 2,
    .read = slurm_read,
};
