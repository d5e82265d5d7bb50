#include <stdio.h>
#include <string.h>

#include <frenzy/orch.h>
#include <frenzy/units.h>

#include "core/support/sha256.h"
#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/bundled.h"
#include "workloads/cluster_file.h"

/* Reads a file with this text. NULL when it is refused. */
static fz_cluster_file *read_text(const char *name, const char *text, fz_error *err)
{
    fz_temp temp;
    fz_temp_open(&temp);
    fz_cluster_file *file = NULL;
    fz_status status = fz_cluster_file_read(fz_temp_text(&temp, name, text), &file, err);
    fz_temp_close(&temp);
    CU_ASSERT_EQUAL(status == FZ_OK, file != NULL);
    return file;
}

/* The text is good; the result is the caller's to free. */
static fz_cluster_file *accept(const char *name, const char *text)
{
    fz_error err = {0};
    fz_cluster_file *file = read_text(name, text, &err);
    if (file == NULL)
        printf("\n    refused: %u:%u: %s", err.line, err.column, err.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    return file;
}

/* The text is refused at this place with this message (the first part of it). */
static void refuse(const char *text, uint32_t line, uint32_t column, const char *message)
{
    fz_error err = {0};
    fz_cluster_file *file = read_text("bad.yaml", text, &err);
    if (file != NULL || err.line != line || err.column != column ||
        strncmp(err.message, message, strlen(message)) != 0)
        printf("\n    expected %u:%u: %s\n    got      %u:%u: %s", line, column, message, err.line,
               err.column, err.message);
    CU_ASSERT_PTR_NULL(file);
    CU_ASSERT_EQUAL(err.status, FZ_EPARSE);
    CU_ASSERT_EQUAL(err.line, line);
    CU_ASSERT_EQUAL(err.column, column);
    CU_ASSERT_EQUAL(strncmp(err.message, message, strlen(message)), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.file, "bad.yaml"));
    fz_cluster_file_free(file);
}

/* ---- good files ----------------------------------------------------------------------------------- */

/* The example of the format, with all its parts. */
static const char example[] =
    "{\"format\": \"frenzy-cluster\", \"version\": 1, \"name\": \"sia\",\n"
    " \"gpu_types\": {\"A100-40\": {\"catalog\": \"A100-SXM4-40GB\", \"mem_gib\": 40}, \"T4\": {\"mem_gib\": "
    "15},\n"
    "               \"2080Ti\": {\"mem_gib\": 11}},\n"
    " \"node_types\": {\n"
    "   \"dgx\": {\"gpus\": [{\"type\": \"A100-40\", \"count\": 8}], \"cpus\": 128, \"mem_gib\": 1024,\n"
    "           \"intra\": {\"kind\": \"nvswitch\", \"gbps\": 2400}, \"nic\": {\"kind\": \"ib\", \"count\": "
    "8,\n"
    "           \"gbps\": 200}},\n"
    "   \"aws\": {\"gpus\": [{\"type\": \"T4\", \"count\": 4}], \"cpus\": 48, \"mem_gib\": null, \"weight\": "
    "2},\n"
    "   \"rtx\": {\"gpus\": [{\"type\": \"2080Ti\", \"count\": 8}],\n"
    "           \"intra\": {\"kind\": \"pcie\", \"gbps\": 128, \"groups\": [[0,1,2,3],[4,5,6,7]]}}},\n"
    " \"pools\": [{\"node_type\": \"dgx\", \"count\": 2, \"prefix\": \"dgx-\", \"at\": \"leaf0\"},\n"
    "           {\"node_type\": \"aws\", \"count\": 6, \"first\": 10, \"at\": \"leaf1\"},\n"
    "           {\"node_type\": \"rtx\", \"names\": [\"red\", \"green\", \"blue\"], \"at\": \"leaf0\"}],\n"
    " \"switches\": [{\"id\": \"core\"}, {\"id\": \"leaf0\", \"parent\": \"core\", \"uplink_gbps\": 400},\n"
    "              {\"id\": \"leaf1\", \"parent\": \"core\", \"uplink_gbps\": 100}],\n"
    " \"tenants\": [{\"vc\": \"A\", \"quota_gpus\": 32}],\n"
    " \"events\": [{\"t_s\": 86400, \"kind\": \"quota\", \"vc\": \"A\", \"gpus\": 40},\n"
    "            {\"t_s\": 90000, \"kind\": \"down\", \"node\": \"dgx-0\"}],\n"
    " \"failures\": {\"mtbf_gpu_h\": 50700, \"repair_s\": 3600}, \"x_comment\": \"ours\"}\n";

static void the_whole_format(void)
{
    fz_cluster_file *file = accept("sia.json", example);
    const fz_cluster_spec *spec = &file->spec;
    CU_ASSERT_STRING_EQUAL(spec->name, "sia");
    CU_ASSERT_EQUAL_FATAL(spec->n_types, 3);
    CU_ASSERT_STRING_EQUAL(spec->types[0].name, "A100-40");
    CU_ASSERT_STRING_EQUAL(spec->types[0].catalog, "A100-SXM4-40GB");
    CU_ASSERT_EQUAL(spec->types[0].mem_bytes, 40 * FZ_GIB);
    CU_ASSERT_DOUBLE_EQUAL(spec->types[0].flops_per_s, 247.63e12, 1e3);
    CU_ASSERT_STRING_EQUAL(spec->types[2].catalog, "RTX 2080 Ti"); /* by its own name */
    CU_ASSERT_EQUAL_FATAL(spec->n_nodes, 11);
    static const char *const names[] = {"dgx-0",  "dgx-1",  "aws-10", "aws-11", "aws-12", "aws-13",
                                        "aws-14", "aws-15", "red",    "green",  "blue"};
    static const uint32_t types[] = {0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2};
    static const uint32_t gpus[] = {8, 8, 4, 4, 4, 4, 4, 4, 8, 8, 8};
    for (uint32_t i = 0; i < spec->n_nodes; i++) {
        CU_ASSERT_STRING_EQUAL(spec->nodes[i].name, names[i]);
        CU_ASSERT_EQUAL(spec->nodes[i].type, types[i]);
        CU_ASSERT_EQUAL(spec->nodes[i].gpus, gpus[i]);
    }
    CU_ASSERT_STRING_EQUAL(file->note, "a replay does not use: cpus, mem_gib, intra, nic, at, switches, "
                                       "tenants, events, failures");
    char hex[65];
    fz_sha256 sha;
    fz_sha256_init(&sha);
    fz_sha256_update(&sha, example, strlen(example));
    fz_sha256_hex(&sha, hex);
    CU_ASSERT_STRING_EQUAL(file->sha256, hex);
    fz_cluster_file_free(file);
}

static void the_shortest_file(void)
{
    fz_cluster_file *file = accept("my.pair.yaml", "node_types: {n: {gpus: [{type: t4, count: 4}]}}\n"
                                                   "pools: [{node_type: n, count: 2}]\n");
    CU_ASSERT_STRING_EQUAL(file->spec.name, "my.pair"); /* the file's */
    CU_ASSERT_EQUAL_FATAL(file->spec.n_types, 1);
    CU_ASSERT_STRING_EQUAL(file->spec.types[0].name, "t4"); /* as the file calls it */
    CU_ASSERT_STRING_EQUAL(file->spec.types[0].catalog, "T4");
    CU_ASSERT_EQUAL(file->spec.types[0].mem_bytes, 15109 * FZ_MIB);
    CU_ASSERT_EQUAL_FATAL(file->spec.n_nodes, 2);
    CU_ASSERT_STRING_EQUAL(file->spec.nodes[1].name, "n-1");
    CU_ASSERT_STRING_EQUAL(file->note, "");
    fz_cluster_file_free(file);
}

/* Opaque types, types outside the catalog, hosts with two types or none, types that no pool has. */
static void unusual_hosts(void)
{
    fz_cluster_file *file =
        accept("mixed.yaml", "gpu_types:\n"
                             "  unused: {mem_gib: 1}\n"
                             "  G2: {opaque: true, mem_gib: 16}\n"
                             "  A100: {opaque: true, mem_gib: 30.5}\n"
                             "  K80:\n"
                             "node_types:\n"
                             "  both: {gpus: [{type: G2, count: 2}, {type: K80, count: 8}]}\n"
                             "  cpu: {gpus: []}\n"
                             "  one: {gpus: [{type: A100, count: 1}]}\n"
                             "pools:\n"
                             "  - {node_type: both, count: 2}\n"
                             "  - {node_type: cpu, count: 5}\n"
                             "  - {node_type: one, count: 1}\n");
    const fz_cluster_spec *spec = &file->spec;
    CU_ASSERT_EQUAL_FATAL(spec->n_types, 3);
    CU_ASSERT_STRING_EQUAL(spec->types[0].name, "G2");
    CU_ASSERT_PTR_NULL(spec->types[0].catalog);
    CU_ASSERT_EQUAL(spec->types[0].flops_per_s, 0);
    CU_ASSERT_EQUAL(spec->types[0].flops_origin, FZ_ORIGIN_NONE);
    CU_ASSERT_PTR_NULL(spec->types[1].catalog); /* opaque, whatever its name */
    CU_ASSERT_EQUAL(spec->types[1].mem_bytes, 30 * FZ_GIB + FZ_GIB / 2);
    CU_ASSERT_STRING_EQUAL(spec->types[2].catalog, "K80");
    CU_ASSERT_EQUAL_FATAL(spec->n_nodes, 5);
    static const char *const names[] = {"both-0", "both-0", "both-1", "both-1", "one-0"};
    static const uint32_t types[] = {0, 2, 0, 2, 1}, gpus[] = {2, 8, 2, 8, 1};
    for (uint32_t i = 0; i < 5; i++) {
        CU_ASSERT_STRING_EQUAL(spec->nodes[i].name, names[i]);
        CU_ASSERT_EQUAL(spec->nodes[i].type, types[i]);
        CU_ASSERT_EQUAL(spec->nodes[i].gpus, gpus[i]);
    }
    CU_ASSERT_STRING_EQUAL(file->note, "5 nodes without GPUs left out");
    fz_cluster_file_free(file);
}

/* ---- bundled files -------------------------------------------------------------------------------- */

static fz_cluster_file *bundled(const char *name, uint32_t nodes, uint32_t gpus)
{
    fz_error err = {0};
    fz_cluster_file *file = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_cluster_file_read(name, &file, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(file->note, "");
    CU_ASSERT_EQUAL(file->spec.n_nodes, nodes);
    fz_arena *arena = fz_arena_new(NULL);
    fz_cluster *cluster = NULL;
    CU_ASSERT_EQUAL_FATAL(fz_cluster_new(arena, &file->spec, &cluster, &err), FZ_OK);
    CU_ASSERT_EQUAL(fz_cluster_gpus(cluster, FZ_ALL_TYPES), gpus);
    fz_arena_free(arena);
    for (uint32_t i = 0; i < file->spec.n_types; i++)
        CU_ASSERT(file->spec.types[i].flops_per_s > 0);
    return file;
}

static void bundled_clusters(void)
{
    fz_cluster_file_free(bundled("small", 6, 32));
    fz_cluster_file_free(bundled("gavel-108", 27, 108));
    fz_cluster_file_free(bundled("uniform-512", 64, 512));
    fz_cluster_file_free(bundled("mixed-10k", 2250, 10000));
    fz_cluster_file_free(bundled("workstation", 1, 2));
    fz_cluster_file *sia = bundled("SIA-64", 11, 64);
    CU_ASSERT_STRING_EQUAL(sia->spec.name, "sia-64");
    CU_ASSERT_STRING_EQUAL(sia->path, "sia-64");
    CU_ASSERT_STRING_EQUAL(sia->spec.nodes[6].name, "dgx-0");
    fz_cluster_file_free(sia);
    uint32_t count;
    (void)fz_bundled_all(FZ_BUNDLED_CLUSTER, &count);
    CU_ASSERT_EQUAL(count, 6);
}

/* ---- bad files ------------------------------------------------------------------------------------ */

static void no_such_file(void)
{
    fz_cluster_file *file = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_cluster_file_read("sia-46", &file, &err), FZ_ENOTFOUND);
    CU_ASSERT_STRING_EQUAL(err.message,
                           "no file 'sia-46', and no bundled cluster of that name; did you mean 'sia-64'?");
    CU_ASSERT_EQUAL(fz_cluster_file_read("nowhere/at-all.json", &file, &err), FZ_ENOTFOUND);
    CU_ASSERT_STRING_EQUAL(err.message,
                           "no file 'nowhere/at-all.json', and no bundled cluster of that name; there are "
                           "gavel-108, mixed-10k, sia-64, small, uniform-512, workstation");
    CU_ASSERT_PTR_NULL(file);
}

static void a_directory(void)
{
    fz_temp temp;
    fz_temp_open(&temp);
    fz_cluster_file *file = NULL;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_cluster_file_read(temp.folder, &file, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "directory"));
    CU_ASSERT_PTR_NULL(file);
    fz_temp_close(&temp);
}

static void not_a_tree(void)
{
    fz_error err = {0};
    CU_ASSERT_PTR_NULL(read_text("empty.yaml", "", &err));
    CU_ASSERT_EQUAL(err.status, FZ_EPARSE);
    CU_ASSERT_PTR_NULL(read_text("bad.yaml", "node_types:\n  n: {gpus: [}\n", &err));
    CU_ASSERT_EQUAL(err.status, FZ_EPARSE);
    CU_ASSERT_EQUAL(err.line, 2);
    CU_ASSERT_EQUAL(err.column, 14);
    refuse("- a\n- b\n", 1, 1, "a cluster file must be a map");
    refuse("just words\n", 1, 1, "a cluster file must be a map");
}

static void the_top_level(void)
{
    refuse("pool: []\n", 1, 1, "unknown key 'pool' in a cluster file; did you mean 'pools'?");
    refuse("name: x\nformat: frenzy-trace\n", 2, 9,
           "the format is 'frenzy-trace'; 'frenzy-cluster' is expected");
    refuse("version: 2\n", 1, 10, "'version': 2 is out of bounds; 1 to 1 is expected");
    refuse("name: x\n", 1, 1, "'node_types' is missing; a map of node types is expected");
    refuse("node_types: [n]\n", 1, 13, "node_types must be a map, not a list");
    refuse("node_types: {n: {gpus: [{type: T4, count: 4}]}}\n", 1, 1, "'pools' is missing");
    refuse("node_types: {n: {gpus: [{type: T4, count: 4}]}}\npools: []\n", 2, 8, "'pools' is missing");
}

static void gpu_types(void)
{
    refuse("gpu_types:\n  A100-60: {}\n", 2, 3,
           "unknown GPU 'A100-60'; did you mean 'a100-40'? Else, a GPU outside");
    refuse("gpu_types:\n  Voodoo:\n", 2, 3, "unknown GPU 'Voodoo'; a GPU outside the catalog needs mem_gib");
    refuse("gpu_types: {big: {catalog: A101, mem_gib: 40}}\n", 1, 28, "unknown GPU 'A101'; did you mean");
    refuse("gpu_types: {G2: {opaque: true}}\n", 1, 13, "the memory of 'G2' is not known; give mem_gib");
    refuse("gpu_types: {MI325X: {mem_gib: null}}\n", 1, 13,
           "the memory of 'MI325X' is not known; give mem_gib");
    refuse("gpu_types: {MI325X: {}}\n", 1, 13, "the memory of 'MI325X' is not known; give mem_gib");
    refuse("gpu_types: {x: {catalog: T4, opaque: true, mem_gib: 1}}\n", 1, 26,
           "'x' has a catalog entry and is opaque");
    refuse("gpu_types: {T4: {mem_gib: -1}}\n", 1, 27, "'mem_gib': -1 is out of bounds");
    refuse("gpu_types: {T4: {mem_gib: nan}}\n", 1, 27, "'mem_gib': 'nan' is not a number");
    refuse("gpu_types: {T4: {mem: 1}}\n", 1, 18, "unknown key 'mem' in a GPU type");
    refuse("gpu_types: {T4: 16}\n", 1, 17, "a GPU type must be a map");
    refuse("gpu_types: {'a|b': {mem_gib: 1}}\n", 1, 20, "the name 'a|b' of a GPU type must not contain |");
    refuse("gpu_types: {T4: {}, T4: {}}\n", 1, 21, "key 'T4' appears twice");
}

static void too_many_types(void)
{
    char text[4096] = "gpu_types:\n";
    for (int i = 0; i <= FZ_MAX_GPU_TYPES; i++) {
        size_t length = strlen(text);
        (void)snprintf(text + length, sizeof text - length, "  G%d: {mem_gib: 1}\n", i);
    }
    refuse(text, FZ_MAX_GPU_TYPES + 2, 8, "too many GPU types; a cluster has at most 64");
}

static void node_types(void)
{
    refuse("node_types: {}\n", 1, 13, "'node_types' is missing");
    refuse("node_types:\n  n: {}\n", 2, 6, "'gpus' of node type 'n' is missing");
    refuse("node_types: {n: {gpus: 8}}\n", 1, 24, "gpus must be a list");
    refuse("node_types: {n: {gpu: []}}\n", 1, 18, "unknown key 'gpu' in a node type; did you mean 'gpus'?");
    refuse("node_types: {n: {gpus: [{type: T4}]}}\n", 1, 25, "'count' is missing");
    refuse("node_types: {n: {gpus: [{count: 4}]}}\n", 1, 25, "'type' is missing");
    refuse("node_types: {n: {gpus: [{type: T4, count: 0}]}}\n", 1, 43, "'count': 0 is out of bounds");
    refuse("node_types: {n: {gpus: [{type: T4, count: -4}]}}\n", 1, 43, "'count': '-4' ");
    refuse("node_types: {n: {gpus: [{type: T4, count: 2.5}]}}\n", 1, 43, "'count': '2.5' ");
    refuse("node_types: {n: {gpus: [{type: T4, count: eight}]}}\n", 1, 43,
           "'count': 'eight' is not a number");
    refuse("node_types: {n: {gpus: [{type: T4, count: '8'}]}}\n", 1, 43, "'count' must be a whole number");
    refuse("node_types: {n: {gpus: [{type: T4, count: 4097}]}}\n", 1, 43, "'count': 4097 is out of bounds");
    refuse("node_types: {n: {gpus: [{type: T4, cout: 4}]}}\n", 1, 36,
           "unknown key 'cout' in the gpus of a node type; did you mean 'count'?");
    refuse("node_types: {n: {gpus: [{type: A100-41, count: 4}]}}\n", 1, 32,
           "unknown GPU 'A100-41'; did you mean");
    refuse("gpu_types: {mine: {mem_gib: 3}}\nnode_types: {n: {gpus: [{type: mina, count: 4}]}}\n", 2, 32,
           "unknown GPU type 'mina'; did you mean 'mine'?");
    refuse("node_types: {n: {gpus: [{type: T4, count: 4}, {type: T4, count: 4}]}}\n", 1, 47,
           "GPU type 'T4' is listed twice in a node; add up the counts");
    refuse("node_types: {n: {gpus: [{type: MI325X, count: 4}]}}\n", 1, 32,
           "the memory of 'MI325X' is not known");
}

static void unused_parts_of_nodes(void)
{
    refuse("node_types: {n: {gpus: [], cpus: many}}\n", 1, 34, "'cpus': 'many' is not a number");
    refuse("node_types: {n: {gpus: [], mem_gib: -1}}\n", 1, 37, "'mem_gib': -1 is out of bounds");
    refuse("node_types: {n: {gpus: [], intra: {gbps: 2}}}\n", 1, 35, "'kind' is missing");
    refuse("node_types: {n: {gpus: [{type: T4, count: 2}], intra: {kind: pcie, groups: [[0, 2]]}}}\n", 1, 81,
           "'2' is no GPU of this node; it has 2, counted from 0");
    refuse("node_types: {n: {gpus: [{type: T4, count: 2}], intra: {kind: pcie, groups: [[0], [0]]}}}\n", 1,
           83, "GPU 0 is in two groups");
    refuse("node_types: {n: {gpus: [], nic: {kind: ib, speed: 2}}}\n", 1, 44, "unknown key 'speed' in nic");
}

/* ---- pools: one node type, and one pool or more behind it ------------------------------------------ */

#define NODES "node_types: {n: {gpus: [{type: T4, count: 4}]}, c: {gpus: []}}\n"

static void pools(void)
{
    refuse(NODES "pools: [{count: 2}]\n", 2, 9, "'node_type' is missing");
    refuse(NODES "pools: [{node_type: n}]\n", 2, 9, "'count' is missing");
    refuse(NODES "pools: [{node_type: m, count: 2}]\n", 2, 21, "unknown node type 'm'; known: n, c");
    refuse(NODES "pools: [{node_type: n, count: 0}]\n", 2, 31, "'count': 0 is out of bounds");
    refuse(NODES "pools: [{node_type: n, count: -2}]\n", 2, 31, "'count': '-2' ");
    refuse(NODES "pools: [{node_type: n, cout: 2}]\n", 2, 24,
           "unknown key 'cout' in a pool; did you mean 'count'?");
    refuse(NODES "pools: [n]\n", 2, 9, "a pool must be a map");
    refuse(NODES "pools: [{node_type: c, count: 2}]\n", 2, 8, "no node of this cluster has a GPU");
    refuse(NODES "pools: [{node_type: n, count: 9000000}]\n", 2, 31, "'count': 9000000 is out of bounds");
    refuse(NODES "pools: [{node_type: n, count: 4000000}, {node_type: n, count: 4000000}]\n", 2, 41,
           "too large;");
}

static void names_of_nodes(void)
{
    refuse(NODES "pools:\n- {node_type: n, count: 2}\n- {node_type: n, count: 1, first: 1}\n", 4, 3,
           "node 'n-1' is there already, from the pool in line 3; give `first` or another `prefix`");
    refuse(NODES "pools: [{node_type: n, names: [a, b, a]}]\n", 2, 9, "node 'a' is there already");
    refuse(NODES "pools: [{node_type: n, names: []}]\n", 2, 31, "'names' is empty");
    refuse(NODES "pools: [{node_type: n, names: a}]\n", 2, 31, "names must be a list");
    refuse(NODES "pools: [{node_type: n, names: [[a]]}]\n", 2, 32, "a node's name must be a");
    refuse(NODES "pools: [{node_type: n, names: ['a:b']}]\n", 2, 32,
           "the name 'a:b' of a node must not contain");
    refuse(NODES "pools: [{node_type: n, names: ['']}]\n", 2, 32, "the name '' of a node is empty");
    refuse(NODES "pools: [{node_type: n, names: [a], count: 2}]\n", 2, 31, "1 names for a count of 2");
    refuse(NODES "pools: [{node_type: n, names: [a], prefix: b}]\n", 2, 44,
           "a pool with `names` has no `first`");
}

#define GOOD NODES "pools: [{node_type: n, count: 2}]\n"

static void parts_without_use(void)
{
    refuse(NODES "pools: [{node_type: n, count: 2, at: leaf}]\n", 2, 38,
           "unknown switch 'leaf'; known: none");
    refuse(GOOD "switches: [{id: core}, {id: leaf, parent: cor}]\n", 3, 43,
           "unknown parent switch (parents come first) 'cor'; did you mean 'core'?");
    refuse(GOOD "switches: [{id: a}, {id: a}]\n", 3, 21, "switch 'a' is there twice under ''");
    refuse(GOOD "switches: [{parent: a}]\n", 3, 12, "'id' is missing");
    refuse(GOOD "tenants: [{vc: a}]\n", 3, 11, "'quota_gpus' is missing");
    refuse(GOOD "tenants: [{vc: a, quota_gpus: 1}, {vc: a, quota_gpus: 1}]\n", 3, 35,
           "tenant 'a' is there twice");
    refuse(GOOD "events: {}\n", 3, 9, "events must be a list");
    refuse(GOOD "events: [{kind: down, node: n-0}]\n", 3, 10, "'t_s' is missing");
    refuse(GOOD "events: [{t_s: 1, kind: dwn, node: n-0}]\n", 3, 25,
           "unknown kind of event 'dwn'; did you mean 'down'?");
    refuse(GOOD "events: [{t_s: 1, kind: up, node: n-2}]\n", 3, 35,
           "no node of this cluster is called 'n-2'");
    refuse(GOOD "events: [{t_s: 1, kind: quota, vc: a}]\n", 3, 10, "'gpus' is missing");
    refuse(GOOD "failures: {mtbf_gpu_h: 0}\n", 3, 24, "'mtbf_gpu_h': 0 is too small");
    refuse(GOOD "failures: {repair_s: 3}\n", 3, 11, "'mtbf_gpu_h' is missing");
}

int main(void)
{
    static const fz_test tests[] = {
        {"the whole format", the_whole_format},
        {"the shortest file", the_shortest_file},
        {"opaque types, mixed hosts, hosts without GPUs", unusual_hosts},
        {"bundled clusters", bundled_clusters},
        {"no such file", no_such_file},
        {"a directory", a_directory},
        {"an empty file, a syntax error, no map", not_a_tree},
        {"the top level", the_top_level},
        {"GPU types", gpu_types},
        {"too many types", too_many_types},
        {"node types", node_types},
        {"parts of nodes without use", unused_parts_of_nodes},
        {"pools", pools},
        {"names of nodes", names_of_nodes},
        {"parts without use", parts_without_use},
    };
    return FZ_TEST_MAIN("cluster_file", tests);
}
