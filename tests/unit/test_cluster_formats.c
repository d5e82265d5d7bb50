/* Foreign descriptions of clusters: small files made by hand, and bad ones with their places. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/cluster_file.h"
#include "workloads/cluster_formats/formats.h"

static fz_temp temp;
static fz_error err;

/* The cluster of a text; NULL where it is refused. `second` is a second file or NULL. */
static fz_cluster_file *read_two(const char *format, const char *text, const char *second,
                                 fz_cluster_source source)
{
    char first_path[160], second_path[160];
    const char *paths[2] = {first_path, second_path};
    char *out = NULL;
    size_t length = 0;
    fz_cluster_file *file = NULL;
    (void)snprintf(first_path, sizeof first_path, "%s", fz_temp_text(&temp, "first", text));
    if (second != NULL)
        (void)snprintf(second_path, sizeof second_path, "%s", fz_temp_text(&temp, "second", second));
    source.paths = paths;
    source.n_paths = second != NULL ? 2 : 1;
    err = (fz_error){0};
    if (fz_cluster_import(fz_cluster_format_find(format), &source, &out, &length, &err) != FZ_OK)
        return NULL;
    CU_ASSERT_EQUAL_FATAL(fz_cluster_file_parse("again", out, length, &file, &err), FZ_OK);
    free(out);
    return file;
}

static fz_cluster_file *good(const char *format, const char *text, const char *second)
{
    fz_cluster_file *file = read_two(format, text, second, (fz_cluster_source){0});
    if (file == NULL)
        (void)fprintf(stderr, "%u:%u: %s\n", err.line, err.column, err.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    return file;
}

static void refused(const char *format, const char *text, const char *second, uint32_t line,
                    const char *message)
{
    fz_cluster_file *file = read_two(format, text, second, (fz_cluster_source){0});
    bool right = file == NULL && err.status == FZ_EPARSE && err.line == line && err.file[0] != '\0' &&
                 strstr(err.message, message) != NULL;
    if (!right)
        (void)fprintf(stderr, "got %s %s:%u:%u: %s\n", fz_status_name(err.status), err.file, err.line,
                      err.column, err.message);
    CU_ASSERT_TRUE(right);
    fz_cluster_file_free(file);
}

/* `NAME:TYPE:GPUS` of a node. */
static void check_node(const fz_cluster_file *file, uint32_t node, const char *expected)
{
    char text[256];
    const fz_node_spec *spec = &file->spec.nodes[node];
    CU_ASSERT_FATAL(node < file->spec.n_nodes);
    (void)snprintf(text, sizeof text, "%s:%s:%u", spec->name, file->spec.types[spec->type].name, spec->gpus);
    CU_ASSERT_STRING_EQUAL(text, expected);
}

static void tables(void)
{
    fz_cluster_file *file = good("openb",
                                 "\xef\xbb\xbfsn,cpu_milli,memory_mib,gpu,model\r\nb,96000,393216,8,G2\r\n"
                                 "a,104000,524288,2,T4\r\nc,32000,262144,0,\r\nd,96000,393216,8,G2",
                                 NULL);
    CU_ASSERT_EQUAL_FATAL(file->spec.n_nodes, 3);
    check_node(file, 0, "b:G2:8");
    check_node(file, 1, "a:T4:2");
    check_node(file, 2, "d:G2:8");
    CU_ASSERT_STRING_EQUAL(file->spec.name, "first");
    CU_ASSERT_PTR_NOT_NULL(strstr(file->note, "1 node without GPUs left out"));
    fz_cluster_file_free(file);
    file = good("pai2020", "m0,CPU,96,512,0\nm1,V100,96,384,8\nm2,V100,96,512,8\n", NULL);
    CU_ASSERT_EQUAL(file->spec.n_nodes, 2);
    check_node(file, 1, "m2:V100:8");
    fz_cluster_file_free(file);
    file = good("pai2020", "machine,gpu_type,cap_cpu,cap_mem,cap_gpu\nm1,MISC,96,384,8\n", NULL);
    CU_ASSERT(file->spec.n_nodes == 1 && file->spec.types[0].mem_bytes == 0);
    fz_cluster_file_free(file);
    file = good("spot2026",
                "gpu_model,gpu_capacity_num,cpu_num,node_name\nGPU-series-1,4,192,0\nA10,1,126,1\n", NULL);
    check_node(file, 0, "0:GPU-series-1:4");
    fz_cluster_file_free(file);
    refused("openb", "sn,cpu_milli,memory_mib,gpu\n", NULL, 1, "there is no column 'model'");
    refused("openb", "sn,cpu_milli,memory_mib,gpu,model\nb,96000,393216,8,\n", NULL, 2, "8 GPUs of model ''");
    refused("openb", "sn,cpu_milli,memory_mib,gpu,model\nb,96000,393216,many,T4\n", NULL, 2, "gpu: 'many'");
    refused("openb", "sn,cpu_milli,memory_mib,gpu,model\nb,96000,393216,2000,T4\n", NULL, 2, "gpu: '2000'");
    refused("openb", "sn,cpu_milli,memory_mib,gpu,model\n", NULL, 1, "there are no nodes");
    refused("openb", "sn,cpu_milli,memory_mib,gpu,model\na,1,1,1,T4\na,1,1,1,T4\n", NULL, 3,
            "node 'a' is there already");
    refused("openb", "sn,cpu_milli,memory_mib,gpu,model\na:b,1,1,1,T4\n", NULL, 2, "must not contain |, :");
    refused("openb", "sn,cpu_milli,memory_mib,gpu,model\na,1,1,0,\n", NULL, 1,
            "no node of this cluster has a GPU");
    refused("pai2020", "m0,CPU,96,512,0\nm1,V100,96,384\n", NULL, 2, "this row has 4 fields; 5 are expected");
    refused("pai2020", "m0,CPU,96,512,0\nm1,CPU,96,384,2\n", NULL, 2, "2 GPUs of type 'CPU'");
    refused("pai2020", "m0,T4,96,512,2\nm1,T4,x,384,2\n", NULL, 2, "cap_cpu: 'x'");
    refused("spot2026", "gpu_model,gpu_capacity_num,cpu_num,node_name\n,4,192,0\n", NULL, 2,
            "gpu_model is empty");
}

static void switches(void)
{
    fz_cluster_file *file =
        good("lingjun", "ip,DSW,PSW,ASW\nh0,G6,P10,S1\nh1,G6,P12,S1\nh2,G6,P10,S1\n", NULL);
    CU_ASSERT(file->spec.n_nodes == 3 && file->spec.nodes[2].gpus == 8);
    fz_cluster_file_free(file);
    file = read_two("lingjun", "ip,DSW,PSW,ASW\nh0,G6,P10,S1\n", NULL,
                    (fz_cluster_source){.gpu = "h800", .gpus_per_node = 4});
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    check_node(file, 0, "h0:h800:4");
    CU_ASSERT(file->spec.types[0].mem_bytes > 70 * FZ_GIB);
    fz_cluster_file_free(file);
    file =
        good("tiresias",
             "num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\r\n2,3,4,40,256", NULL);
    CU_ASSERT_EQUAL(file->spec.n_nodes, 6);
    check_node(file, 5, "GPUx4-5:GPU:4");
    fz_cluster_file_free(file);
    refused("lingjun", "ip,DSW,PSW,ASW\nh0,G6,,S1\n", NULL, 2, "PSW: a name of 1 to 60 characters");
    refused("tiresias",
            "num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\n2,0,4,40,256\n", NULL, 2,
            "num_node_p_switch is 0");
    refused("tiresias",
            "num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\n2,1,4,40,-1\n", NULL, 2,
            "mem_p_node must not be negative");
}

static void counts(void)
{
    fz_cluster_file *file = good("gavel", "{\"philly\": [\"5:0:4\"]}", NULL);
    CU_ASSERT_EQUAL_FATAL(file->spec.n_nodes, 3);
    check_node(file, 0, "v100x4-0:v100:4");
    check_node(file, 1, "v100x1-0:v100:1");
    check_node(file, 2, "k80x4-0:k80:4");
    fz_cluster_file_free(file);
    char *text = NULL;
    size_t length = 0;
    const char *literal = "36:36:36";
    fz_cluster_source source = {.paths = &literal, .n_paths = 1, .gpus_per_node = 2};
    CU_ASSERT_EQUAL_FATAL(fz_cluster_import(&fz_cluster_gavel, &source, &text, &length, &err), FZ_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"count\": 18"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"name\": \"36-36-36\""));
    free(text);
    refused("gavel", "{\"philly\": [\"5:0\"]}", NULL, 1, "such as \"36:36:36\"");
    refused("gavel", "{\"philly\":\n [\"5:0:1\", \"6:0:1\"]}", NULL, 1, "one cluster is expected");
    refused("gavel", "{\"philly\":\n [\"0:0:0\"]}", NULL, 1, "there are no nodes");
    refused("gavel", "[1]", NULL, 1, "a file of Gavel's clusters must be a map");
}

static void sia(void)
{
    static const char python[] =
        "# types\ncluster_ngpus_per_node = {\"aws\": 4, \"dgx-ext\": 8,\n  \"rtx\": 8}\n"
        "cluster_nnodes = {\"aws\": 6, \"dgx-ext\": 2, \"rtx\": 3}   # default\n"
        "# cluster_nnodes = {\"aws\": 16}\nother = 1\n";
    static const char json[] =
        "{\"cluster_nnodes\": {\"aws\": 6, \"dgx-ext\": 2, \"rtx\": 3},\n"
        " \"cluster_ngpus_per_node\": {\"aws\": 4, \"azure\": 8, \"dgx-ext\": 8, \"rtx\": 8}}";
    const char *const texts[] = {python, json};
    for (size_t i = 0; i < 2; i++) {
        fz_cluster_file *file = good("sia", texts[i], NULL);
        CU_ASSERT(file->spec.n_nodes == 11 && file->spec.n_types == 3);
        check_node(file, 0, "awsx4-0:aws:4");
        check_node(file, 10, "rtxx8-2:rtx:8");
        CU_ASSERT_STRING_EQUAL(file->spec.types[1].catalog, "A100-SXM4-40GB");
        fz_cluster_file_free(file);
    }
    refused("sia", "cluster_nnodes = {\"aws\": 6}\n", NULL, 1,
            "there is no line that begins with 'cluster_ngpus_per_node");
    refused("sia", "{\"cluster_nnodes\": {\"aws\": 6}}", NULL, 1, "two maps are expected");
    refused("sia", "{\"cluster_nnodes\": {\"aws\": 6},\n\"cluster_ngpus_per_node\": {\"rtx\": 8}}", NULL, 1,
            "there is no 'aws' in cluster_ngpus_per_node");
    refused("sia", "\ncluster_nnodes = 5\ncluster_ngpus_per_node = {}\n", NULL, 2,
            "a map between { and } is expected");
    refused("sia", "\ncluster_nnodes = {\"aws\": -1}\ncluster_ngpus_per_node = {\"aws\": 1}\n", NULL, 2,
            "'aws': '-1' must not be negative");
}

static void helios(void)
{
    static const char days[] = "date,va,vb,total\n2020-04-01,8,0,8\n2020-04-02,8,16,24\n2020-04-03,0,16,16\n";
    static const struct {
        const char *epoch, *tenants, *events;
    } cases[] = {
        {NULL, "{\"vc\": \"va\", \"quota_gpus\": 8},\n    {\"vc\": \"vb\", \"quota_gpus\": 0}",
         "{\"t_s\": 86400, \"kind\": \"quota\", \"vc\": \"vb\", \"gpus\": 16},\n"
         "    {\"t_s\": 172800, \"kind\": \"quota\", \"vc\": \"va\", \"gpus\": 0}\n  ]"},
        {"2020-04-02T18:00:00",
         "{\"vc\": \"va\", \"quota_gpus\": 8},\n    {\"vc\": \"vb\", \"quota_gpus\": 16}",
         "\"events\": [\n    {\"t_s\": 21600, \"kind\": \"quota\", \"vc\": \"va\", \"gpus\": 0}\n  ]"},
        {"2020-05-01T00:00:00",
         "{\"vc\": \"va\", \"quota_gpus\": 0},\n    {\"vc\": \"vb\", \"quota_gpus\": 16}\n  ]\n}",
         "2020-05-01T00:00:00"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        size_t length = 0;
        const char *path = fz_temp_text(&temp, "days.csv", days);
        fz_cluster_source source = {.paths = &path, .n_paths = 1, .epoch = cases[i].epoch};
        CU_ASSERT_EQUAL_FATAL(fz_cluster_import(&fz_cluster_helios, &source, &text, &length, &err), FZ_OK);
        bool right = strstr(text, cases[i].tenants) != NULL && strstr(text, cases[i].events) != NULL &&
                     strstr(text, "\"count\": 3") != NULL; /* 24 GPUs on the largest day */
        CU_ASSERT_TRUE(right);
        if (!right)
            (void)fprintf(stderr, "%s", text);
        free(text);
    }
    refused("helios", "date,va,vb,total\n2020-04-01,8,0,9\n", NULL, 2,
            "total is 9, but the virtual clusters have 8");
    refused("helios", "date,va,vb,total\n2020-04-31,8,0,8\n", NULL, 2, "'2020-04-31' is no day");
    refused("helios", "date,va,vb,total\n2020-04-02,8,0,8\n2020-04-01,8,0,8\n", NULL, 3,
            "does not come after");
    refused("helios", "date,va,vb,total\n2020-04-02,8,-1,8\n", NULL, 2, "vb: '-1'");
    refused("helios", "day,va,vb,total\n2020-04-02,8,0,8\n", NULL, 1,
            "columns date, a virtual cluster each, and total");
    refused("helios", "date,va,vb,total\n", NULL, 1, "there are no nodes");
}

static const char slurm_conf[] =
    "# comment\nClusterName=x GresTypes=gpu\nNodeName=DEFAULT CPUs=16 RealMemory=8192 Weight=5\n"
    "NodeName=a[1-2,04] Gres=gpu:a100:4(S:0-1),shard:16\n"
    "nodename=b[08-10] CPUs=0 Sockets=2 CoresPerSocket=8 \\\n  ThreadsPerCore=2 gres=gpu:2 Weight=1 # more\n"
    "NodeName=c,d State=UNKNOWN\nNodeName=e Gres=gpu:t4:1,gpu:v100\n"
    "PartitionName=gpu Nodes=ALL Default=YES\nDownNodes=c Reason=\"a b\"\n";

static void slurm(void)
{
    fz_cluster_file *file =
        good("slurm", slurm_conf,
             "NodeName=a[1-2,04] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
             "NodeName=b08 Name=gpu Type=k80 Count=2\nNodeName=b09 Name=gpu Type=k80 File=/dev/n0\n"
             "NodeName=b09 Name=gpu Type=p100 File=/dev/n1\nName=shard Count=9\nAutoDetect=nvml\n");
    static const char *const nodes[] = {"a1:a100:4",  "a2:a100:4", "a04:a100:4", "b08:k80:2", "b09:k80:1",
                                        "b09:p100:1", "b10:gpu:2", "e:t4:1",     "e:v100:1"};
    CU_ASSERT_EQUAL_FATAL(file->spec.n_nodes, 9);
    for (uint32_t i = 0; i < 9; i++)
        check_node(file, i, nodes[i]);
    CU_ASSERT_PTR_NOT_NULL(strstr(file->note, "2 nodes without GPUs left out"));
    fz_cluster_file_free(file);
}

static void slurm_text(void)
{
    char *text = NULL;
    size_t length = 0;
    const char *path = fz_temp_text(&temp, "slurm.conf", slurm_conf);
    fz_cluster_source source = {.paths = &path, .n_paths = 1};
    CU_ASSERT_EQUAL_FATAL(fz_cluster_import(&fz_cluster_slurm, &source, &text, &length, &err), FZ_OK);
    static const char *const parts[] = {
        "\"name\": \"slurm\"",
        "\"gpu\": {\"opaque\": true, \"mem_gib\": null}",
        "\"a100x4\": {\"gpus\": [{\"type\": \"a100\", \"count\": 4}], \"cpus\": 16, \"mem_gib\": 8, "
        "\"weight\": 5}",
        "\"gpux2\": {\"gpus\": [{\"type\": \"gpu\", \"count\": 2}], \"cpus\": 32, \"mem_gib\": 8}",
        "\"cpu\": {\"gpus\": [], \"cpus\": 16, \"mem_gib\": 8, \"weight\": 5}",
        "\"t4x1+v100x1\": {\"gpus\": [{\"type\": \"t4\", \"count\": 1}, {\"type\": \"v100\", \"count\": 1}]",
        "\"names\": [\"b08\", \"b09\", \"b10\"]",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        CU_ASSERT_PTR_NOT_NULL(strstr(text, parts[i]));
        if (strstr(text, parts[i]) == NULL)
            (void)fprintf(stderr, "no %s in\n%s", parts[i], text);
    }
    free(text);
}

static void slurm_refused(void)
{
    refused("slurm", "NodeName=a[1-2 Gres=gpu:4\n", NULL, 1, "is no list of hosts");
    refused("slurm", "NodeName=a[2-1] Gres=gpu:4\n", NULL, 1, "is no list of hosts");
    refused("slurm", "NodeName=a]1 Gres=gpu:4\n", NULL, 1, "is no list of hosts");
    refused("slurm", "\nNodeName=a Gres=gpu:t4:many\n", NULL, 2, "such as gpu:a100:4 is expected");
    refused("slurm", "\nNodeName=a RealMemory=lots Gres=gpu:1\n", NULL, 2,
            "RealMemory: 'lots' is not a number");
    refused("slurm", "\n\nInclude other.conf\n", NULL, 3, "Include is not followed");
    refused("slurm", "NodeName=a Gres=gpu:1 words\n", NULL, 1, "'words' is no Key=value pair");
    refused("slurm", "a,b,c\n", NULL, 1, "'a,b,c' is no Key=value pair");
    refused("slurm", "NodeName=a Gres=gpu:t4:4\n", "NodeName=a Name=gpu Type=t4 Count=3\n", 1,
            "host 'a' has 3 GPUs of type 't4' here, but 4 in slurm.conf");
    refused("slurm", "NodeName=a Gres=gpu:4\n", "NodeName=a Name=gpu Type=t4 Count=3\n", 1,
            "host 'a' has 4 GPUs here, but 3 in gres.conf");
    refused("slurm", "NodeName=a[1-2000000] Gres=gpu:4\n", NULL, 1, "is no list of hosts");
    refused("slurm", "NodeName=a[1-9999]b[1-9999] Gres=gpu:4\n", NULL, 1, "more than 1048576 hosts");
    refused("slurm", "NodeName=x Gres=gpu:1\nNodeName=a[1-2],a1 Gres=gpu:4\n", NULL, 2,
            "node 'a1' is there already; names must be unique");
    refused("slurm", "ClusterName=x\n", NULL, 1, "there are no nodes");
}

static void registry(void)
{
    uint32_t n = 0;
    const fz_cluster_format *const *all = fz_cluster_formats(&n);
    CU_ASSERT_EQUAL(n, 9);
    for (uint32_t i = 0; i < n; i++)
        CU_ASSERT(fz_cluster_format_find(all[i]->name) == all[i] && all[i]->summary[0] != '\0' &&
                  all[i]->max_paths > 0);
    CU_ASSERT_PTR_NULL(fz_cluster_format_find("philly"));
}

int main(void)
{
    static const fz_test tests[] = {
        {"tables of nodes", tables},
        {"switches", switches},
        {"counts", counts},
        {"days of Helios", helios},
        {"Sia's two maps", sia},
        {"Slurm", slurm},
        {"Slurm, the text", slurm_text},
        {"Slurm, refused", slurm_refused},
        {"registry", registry},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("cluster_formats", tests);
    fz_temp_close(&temp);
    return failed;
}
