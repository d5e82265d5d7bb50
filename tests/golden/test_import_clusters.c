/* Real descriptions of clusters: nodes, GPUs, shapes and switches against counts made with awk on the same files, and
 * that the cluster file can be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/support/doc.h"
#include "tests/harness.h"
#include "tests/imports.h"
#include "workloads/cluster_file.h"
#include "workloads/cluster_formats/formats.h"

static fz_temp temp;

typedef struct cluster {
    char *text;
    size_t length;
    fz_doc *doc;           /* of the text */
    fz_cluster_file *file; /* read from it */
} cluster;

static void cluster_free(cluster *c)
{
    fz_cluster_file_free(c->file);
    fz_doc_free(c->doc);
    free(c->text);
}

/* Imports files under the shared data; false: they are not there. `second` may be NULL. */
static bool import(const char *format, const char *first, const char *second, fz_cluster_source source,
                   cluster *c)
{
    char paths[2][512];
    const char *list[2] = {paths[0], paths[1]};
    fz_error err = {0};
    (void)snprintf(paths[0], sizeof paths[0], "%s/%s", FZ_SHARED_DATA, first);
    (void)snprintf(paths[1], sizeof paths[1], "%s/%s", FZ_SHARED_DATA, second != NULL ? second : "");
    if (!fz_test_have(paths[0]))
        return false;
    *c = (cluster){0};
    source.paths = list;
    source.n_paths = second != NULL ? 2 : 1;
    fz_status status = fz_cluster_import(fz_cluster_format_find(format), &source, &c->text, &c->length, &err);
    if (status != FZ_OK)
        (void)fprintf(stderr, "%s:%u: %s\n", err.file, err.line, err.message);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    CU_ASSERT_EQUAL_FATAL(fz_doc_parse("text", c->text, c->length, &c->doc, NULL), FZ_OK);
    CU_ASSERT_EQUAL_FATAL(
        fz_cluster_file_read(fz_temp_write(&temp, "c.json", c->text, c->length), &c->file, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(fz_doc_get(fz_doc_root(c->doc), "x_source")->text, format);
    return true;
}

static uint32_t hosts_of(const fz_doc_node *pool)
{
    const fz_doc_node *names = fz_doc_get(pool, "names");
    return names != NULL ? names->n_items : (uint32_t)strtoul(fz_doc_get(pool, "count")->text, NULL, 10);
}

/* Hosts of a shape, `gpu` "" for those without GPUs; cpus and mem "null" where they are not known. */
static uint32_t hosts_with(const cluster *c, const char *gpu, const char *count, const char *cpus,
                           const char *mem)
{
    uint32_t n = 0;
    const fz_doc_node *root = fz_doc_root(c->doc), *pools = fz_doc_get(root, "pools");
    for (uint32_t i = 0; i < pools->n_items; i++) {
        const fz_doc_node *type =
            fz_doc_get(fz_doc_get(root, "node_types"), fz_doc_get(&pools->items[i], "node_type")->text);
        const fz_doc_node *gpus = fz_doc_get(type, "gpus");
        bool same = strcmp(fz_doc_get(type, "cpus")->text, cpus) == 0 &&
                    strcmp(fz_doc_get(type, "mem_gib")->text, mem) == 0 &&
                    (gpus->n_items > 0) == (gpu[0] != '\0');
        if (same && gpus->n_items > 0)
            same = gpus->n_items == 1 && strcmp(fz_doc_get(&gpus->items[0], "type")->text, gpu) == 0 &&
                   strcmp(fz_doc_get(&gpus->items[0], "count")->text, count) == 0;
        n += same ? hosts_of(&pools->items[i]) : 0;
    }
    return n;
}

static uint32_t all_hosts(const cluster *c)
{
    uint32_t n = 0;
    const fz_doc_node *pools = fz_doc_get(fz_doc_root(c->doc), "pools");
    for (uint32_t i = 0; i < pools->n_items; i++)
        n += hosts_of(&pools->items[i]);
    return n;
}

static uint32_t gpus_of(const cluster *c, const char *type)
{
    uint32_t n = 0;
    const fz_cluster_spec *spec = &c->file->spec;
    for (uint32_t i = 0; i < spec->n_nodes; i++)
        n += type == NULL || strcmp(spec->types[spec->nodes[i].type].name, type) == 0 ? spec->nodes[i].gpus
                                                                                      : 0;
    return n;
}

/* A type that the catalog does not know: no figures, no memory. */
static bool is_opaque(const cluster *c, const char *name)
{
    const fz_cluster_spec *spec = &c->file->spec;
    for (uint32_t i = 0; i < spec->n_types; i++)
        if (strcmp(spec->types[i].name, name) == 0)
            return spec->types[i].flops_per_s == 0 && spec->types[i].mem_bytes == 0;
    return false;
}

typedef struct shape {
    const char *gpu, *count, *cpus, *mem;
    uint32_t hosts;
} shape;

static void check_shapes(const cluster *c, const shape *shapes, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t found = hosts_with(c, shapes[i].gpu, shapes[i].count, shapes[i].cpus, shapes[i].mem);
        if (found != shapes[i].hosts)
            (void)fprintf(stderr, "%s x %s: %u\n", shapes[i].gpu, shapes[i].count, found);
        CU_ASSERT_EQUAL(found, shapes[i].hosts);
        sum += found;
    }
    CU_ASSERT_EQUAL(sum, all_hosts(c));
}

/* awk -F, 'NR>1 {c[$5" "$4" "$2/1000" "$3/1024]++} END {for (k in c) print c[k], k}' */
static void openb(void)
{
    static const shape shapes[] = {
        {"G2", "8", "96", "384", 549},    {"G3", "8", "128", "768", 39},
        {"T4", "2", "104", "512", 387},   {"T4", "4", "96", "384", 17},
        {"P100", "1", "8", "60", 3},      {"P100", "2", "16", "120", 107},
        {"P100", "2", "64", "256", 22},   {"P100", "2", "8", "60", 2},
        {"V100M16", "1", "8", "32", 19},  {"V100M16", "4", "32", "128", 28},
        {"V100M16", "8", "64", "256", 7}, {"V100M16", "8", "82", "336", 1},
        {"V100M32", "4", "48", "368", 9}, {"V100M32", "8", "96", "768", 21},
        {"A10", "1", "128", "1024", 2},   {"", "", "104", "192", 1},
        {"", "", "104", "512", 20},       {"", "", "104", "768", 3},
        {"", "", "32", "128", 23},        {"", "", "32", "256", 129},
        {"", "", "32", "64", 10},         {"", "", "64", "128", 4},
        {"", "", "64", "256", 8},         {"", "", "64", "512", 22},
        {"", "", "96", "384", 30},        {"", "", "96", "512", 59},
        {"", "", "96", "768", 1},
    };
    cluster c;
    if (!import("openb", "openb/openb_node_list_all_node.csv", NULL, (fz_cluster_source){0}, &c))
        return;
    check_shapes(&c, shapes, sizeof shapes / sizeof *shapes);
    CU_ASSERT(all_hosts(&c) == 1523 && c.file->spec.n_nodes == 1213 && gpus_of(&c, NULL) == 6212);
    CU_ASSERT(gpus_of(&c, "G2") == 4392 && gpus_of(&c, "T4") == 842 && gpus_of(&c, "G3") == 312);
    CU_ASSERT(gpus_of(&c, "P100") == 265 && gpus_of(&c, "V100M32") == 204 && gpus_of(&c, "V100M16") == 195);
    CU_ASSERT(is_opaque(&c, "G2") && is_opaque(&c, "G3") && !is_opaque(&c, "T4"));
    /* head -1, tail -1 of the nodes with GPUs */
    CU_ASSERT_STRING_EQUAL(c.file->spec.nodes[0].name, "openb-node-0123");
    cluster_free(&c);
    if (import("openb", "openb/openb_node_list_gpu_node.csv", NULL, (fz_cluster_source){0}, &c)) {
        CU_ASSERT(all_hosts(&c) == 1213 && gpus_of(&c, NULL) == 6212);
        cluster_free(&c);
    }
}

static bool is_among(const char *types, const char *type)
{
    size_t length = strlen(type);
    for (const char *at = types; at != NULL; at = strchr(at, '|') != NULL ? strchr(at, '|') + 1 : NULL)
        if (strcspn(at, "|") == length && memcmp(at, type, length) == 0)
            return true;
    return types[0] == '\0';
}

/* Whether some node type of the imported cluster can hold the job, by GPUs, types, CPUs and memory. */
static bool fits_somewhere(const cluster *c, const fz_trace *trace, uint32_t job)
{
    const fz_doc_node *types = fz_doc_get(fz_doc_root(c->doc), "node_types");
    for (uint32_t i = 0; i < types->n_items; i++) {
        const fz_doc_node *type = &types->items[i], *gpus = fz_doc_get(type, "gpus");
        if (gpus->n_items == 0 || strtod(fz_doc_get(type, "cpus")->text, NULL) < trace->req_cpus[job] ||
            strtod(fz_doc_get(type, "mem_gib")->text, NULL) * (double)FZ_GIB < (double)trace->req_mem[job])
            continue;
        const char *asked = trace->req_types != NULL ? trace->texts[trace->req_types[job]] : "";
        if (is_among(asked, fz_doc_get(&gpus->items[0], "type")->text) &&
            strtoul(fz_doc_get(&gpus->items[0], "count")->text, NULL, 10) >= trace->req_gpus[job])
            return true;
    }
    return false;
}

/* The same question put to the raw files with Python: one constrained pod, openb-pod-1639, fits no node. */
static void openb_pod_that_fits_nowhere(void)
{
    char path[512];
    cluster c;
    uint32_t unfit = 0, which = 0;
    if (!import("openb", "openb/openb_node_list_all_node.csv", NULL, (fz_cluster_source){0}, &c))
        return;
    (void)snprintf(path, sizeof path, "%s/openb/openb_pod_list_gpuspec33.csv.gz", FZ_SHARED_DATA);
    fz_imported pods = fz_imported_read("openb", path, (fz_import_options){0});
    CU_ASSERT_EQUAL_FATAL(pods.status, FZ_OK);
    for (uint32_t job = 0; job < pods.trace->n_jobs; job++)
        if (!fits_somewhere(&c, pods.trace, job)) {
            unfit++;
            which = job;
        }
    CU_ASSERT_EQUAL(unfit, 1);
    CU_ASSERT_STRING_EQUAL(fz_trace_job_id(pods.trace, which), "openb-pod-1639");
    fz_imported_free(&pods);
    cluster_free(&c);
}

/* awk -F, '{c[$2" "$5" "$3" "$4]++} END {for (k in c) print c[k], k}': 1,897 machines, the first line is one */
static void pai(void)
{
    static const shape shapes[] = {{"", "", "96", "512", 83},         {"MISC", "8", "96", "512", 280},
                                   {"P100", "2", "64", "512", 798},   {"T4", "2", "96", "512", 497},
                                   {"V100", "8", "96", "384", 45},    {"V100", "8", "96", "512", 59},
                                   {"V100M32", "8", "96", "384", 135}};
    cluster c;
    if (!import("pai2020", "alibaba_pai2020/pai_machine_spec.csv", NULL, (fz_cluster_source){0}, &c))
        return;
    check_shapes(&c, shapes, sizeof shapes / sizeof *shapes);
    CU_ASSERT(all_hosts(&c) == 1897 && gpus_of(&c, NULL) == 6742 && is_opaque(&c, "MISC"));
    const fz_doc_node *pools = fz_doc_get(fz_doc_root(c.doc), "pools");
    CU_ASSERT_STRING_EQUAL(fz_doc_get(&pools->items[0], "names")->items[0].text, "7399a758eb02bae1a3621236");
    cluster_free(&c);
}

/* awk -F, 'NR>1 {c[$1" "$2" "$3]++} END {for (k in c) print c[k], k}' */
static void spot(void)
{
    static const shape shapes[] = {
        {"A10", "1", "126", "null", 2},
        {"A10", "1", "128", "null", 2492},
        {"A100-SXM4-80GB", "8", "128", "null", 432},
        {"A800-SXM4-80GB", "8", "128", "null", 22},
        {"GPU-series-1", "1", "128", "null", 1},
        {"GPU-series-1", "1", "192", "null", 901},
        {"GPU-series-1", "4", "192", "null", 10},
        {"GPU-series-1", "8", "192", "null", 77},
        {"GPU-series-2", "8", "192", "null", 122},
        {"H800", "8", "192", "null", 219},
    };
    cluster c;
    if (!import("spot2026", "alibaba_spot2026/node_info_df.csv", NULL, (fz_cluster_source){0}, &c))
        return;
    check_shapes(&c, shapes, sizeof shapes / sizeof *shapes);
    CU_ASSERT(all_hosts(&c) == 4278 && gpus_of(&c, NULL) == 10412);
    CU_ASSERT(is_opaque(&c, "GPU-series-1") && is_opaque(&c, "GPU-series-2") && !is_opaque(&c, "H800"));
    cluster_free(&c);
}

/* zcat FILE | awk -F, 'NR>1 {h++; p[$2" "$3]++; a[$3" "$4]++; n[$4]=1} END {for (k in p) print k, p[k];
 *                     for (k in a) if (a[k] < 2 || a[k] > 8) print "odd"; print h, length(a), length(n)}'
 * 847 hosts; G6 P10 362, P12 306, P8 179; 119 pairs of 2 to 8 hosts, 48 names */
static void lingjun(void)
{
    cluster c;
    uint32_t psw[3] = {0}, largest = 0, smallest = UINT32_MAX, count[128] = {0};
    static const char *const under[] = {"G6/P10/", "G6/P12/", "G6/P8/"};
    if (!import("lingjun", "lingjun2023/topo.csv.gz", NULL, (fz_cluster_source){0}, &c))
        return;
    const fz_doc_node *root = fz_doc_root(c.doc), *pools = fz_doc_get(root, "pools");
    const fz_doc_node *switches = fz_doc_get(root, "switches");
    CU_ASSERT_EQUAL_FATAL(switches->n_items, 1 + 3 + 119);
    CU_ASSERT(all_hosts(&c) == 847 && gpus_of(&c, NULL) == 8 * 847 && is_opaque(&c, "GPU"));
    for (uint32_t i = 0; i < pools->n_items; i++) {
        const char *at = fz_doc_get(&pools->items[i], "at")->text;
        for (uint32_t k = 0; k < 3; k++)
            psw[k] += strncmp(at, under[k], strlen(under[k])) == 0 ? hosts_of(&pools->items[i]) : 0;
        for (uint32_t k = 0; k < switches->n_items; k++)
            count[k] +=
                strcmp(fz_doc_get(&switches->items[k], "id")->text, at) == 0 ? hosts_of(&pools->items[i]) : 0;
    }
    CU_ASSERT(psw[0] == 362 && psw[1] == 306 && psw[2] == 179);
    for (uint32_t k = 0; k < switches->n_items; k++)
        if (count[k] > 0) {
            largest = count[k] > largest ? count[k] : largest;
            smallest = count[k] < smallest ? count[k] : smallest;
        }
    CU_ASSERT(smallest == 2 && largest == 8);
    cluster_free(&c);
}

/* cat of the files: switches, nodes a switch, GPUs, CPUs, memory; with CRLF or without a last newline */
static void tiresias(void)
{
    static const struct {
        const char *file, *gpus, *cpus, *mem;
        uint32_t switches, hosts, all;
    } files[] = {{"tiresias/n160g8.csv", "8", "128", "256", 5, 160, 1280},
                 {"tiresias/n1g4.csv", "4", "40", "256", 1, 1, 4},
                 {"tiresias/n256g8.csv", "8", "64", "256", 8, 256, 2048},
                 {"tiresias/n32g4.csv", "4", "40", "256", 1, 32, 128},
                 {"tiresias/cluster_spec.csv", "4", "128", "254", 1, 16, 64}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        cluster c;
        if (!import("tiresias", files[i].file, NULL, (fz_cluster_source){.gpu = "p100"}, &c))
            return;
        const fz_doc_node *switches = fz_doc_get(fz_doc_root(c.doc), "switches");
        CU_ASSERT_EQUAL(switches->n_items, 1 + files[i].switches);
        CU_ASSERT_EQUAL(hosts_with(&c, "p100", files[i].gpus, files[i].cpus, files[i].mem), files[i].hosts);
        CU_ASSERT(all_hosts(&c) == files[i].hosts && gpus_of(&c, NULL) == files[i].all);
        cluster_free(&c);
    }
}

/* rows=list(csv.DictReader(open(FILE))); q=[[int(r[k]) for k in list(rows[0])[1:-1]] for r in rows]
 * largest day max(map(sum,q)); at first sum(q[0]); changes sum(a!=b for x,y in zip(q,q[1:]) for a,b in zip(x,y)) */
static void helios(void)
{
    static const struct {
        const char *file;
        uint32_t tenants, first, largest, changes;
    } files[] = {{"helios/Venus_cluster_gpu_number.csv", 25, 968, 1264, 27},
                 {"helios/Earth_cluster_gpu_number.csv", 25, 784, 1232, 63}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        cluster c;
        uint32_t first = 0, last = 0;
        if (!import("helios", files[i].file, NULL, (fz_cluster_source){.gpu = "v100"}, &c))
            return;
        const fz_doc_node *root = fz_doc_root(c.doc), *tenants = fz_doc_get(root, "tenants");
        const fz_doc_node *events = fz_doc_get(root, "events");
        CU_ASSERT(tenants->n_items == files[i].tenants && events->n_items == files[i].changes);
        CU_ASSERT(gpus_of(&c, "v100") == files[i].largest && all_hosts(&c) == files[i].largest / 8);
        for (uint32_t k = 0; k < tenants->n_items; k++)
            first += (uint32_t)strtoul(fz_doc_get(&tenants->items[k], "quota_gpus")->text, NULL, 10);
        CU_ASSERT_EQUAL(first, files[i].first);
        for (uint32_t k = 0; k < events->n_items; k++) {
            uint32_t t = (uint32_t)strtoul(fz_doc_get(&events->items[k], "t_s")->text, NULL, 10);
            CU_ASSERT(t % 86400 == 0 && t >= last && t <= 180 * 86400);
            last = t;
        }
        cluster_free(&c);
    }
}

static void gavel(void)
{
    cluster c;
    if (!import("gavel", "gavel/cluster_specs_heterogeneous.json", NULL, (fz_cluster_source){0}, &c))
        return;
    CU_ASSERT(gpus_of(&c, "v100") == 300 && gpus_of(&c, "p100") == 300 && gpus_of(&c, "k80") == 300);
    CU_ASSERT_EQUAL(all_hosts(&c), 225); /* our choice: 4 a node */
    cluster_free(&c);
    if (!import("gavel", "gavel/cluster_specs.json", NULL, (fz_cluster_source){.gpus_per_node = 8}, &c))
        return;
    CU_ASSERT(gpus_of(&c, NULL) == 500 && gpus_of(&c, "v100") == 500 && all_hosts(&c) == 63); /* 62 x 8 + 4 */
    cluster_free(&c);
}

/* By hand: a1, a2 4 a100, v1 4 v100, t1 2 t4; weights 3, 3, 2, 1; 8,000 MiB */
static void slurm(void)
{
    static const char *const names[] = {"a1", "a2", "v1", "t1"};
    static const char *const files[] = {"slurm-groundtruth/slurm-fifo.conf",
                                        "slurm-groundtruth/slurm-backfill.conf",
                                        "slurm-groundtruth/slurm-easy.conf"};
    for (uint32_t i = 0; i < 3; i++) {
        cluster c;
        if (!import("slurm", files[i], "slurm-groundtruth/gres.conf", (fz_cluster_source){0}, &c))
            return;
        const fz_doc_node *types = fz_doc_get(fz_doc_root(c.doc), "node_types");
        CU_ASSERT_EQUAL_FATAL(c.file->spec.n_nodes, 4);
        for (uint32_t k = 0; k < 4; k++)
            CU_ASSERT_STRING_EQUAL(c.file->spec.nodes[k].name, names[k]);
        CU_ASSERT_EQUAL(hosts_with(&c, "a100", "4", "16", "7.8125"), 2);
        CU_ASSERT_EQUAL(hosts_with(&c, "v100", "4", "16", "7.8125"), 1);
        CU_ASSERT_EQUAL(hosts_with(&c, "t4", "2", "16", "7.8125"), 1);
        CU_ASSERT_STRING_EQUAL(fz_doc_get(&types->items[0], "weight")->text, "3");
        CU_ASSERT_STRING_EQUAL(fz_doc_get(&types->items[1], "weight")->text, "2");
        CU_ASSERT_PTR_NULL(fz_doc_get(&types->items[2], "weight"));
        cluster_free(&c);
    }
}

int main(void)
{
    static const fz_test tests[] = {
        {"openb", openb},     {"openb: a pod that fits nowhere", openb_pod_that_fits_nowhere},
        {"PAI", pai},         {"Spot", spot},
        {"Lingjun", lingjun}, {"Tiresias", tiresias},
        {"Helios", helios},   {"Gavel", gavel},
        {"Slurm", slurm},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("import_clusters", tests);
    fz_temp_close(&temp);
    return failed;
}
