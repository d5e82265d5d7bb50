/* Descriptions of clusters with random damage, through every format: reading never breaks, an error names the file,
 * and what was written can be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"
#include "tests/temp.h"
#include "workloads/cluster_file.h"
#include "workloads/cluster_formats/formats.h"

enum { ROUNDS = 4000, LONGEST = 4096 };
#define SEED UINT64_C(20231105)

static fz_temp temp;

static const struct {
    const char *format, *text;
} samples[] = {
    {"openb",
     "sn,cpu_milli,memory_mib,gpu,model\nb,96000,393216,8,G2\na,104000,524288,2,T4\nc,32000,262144,0,\n"},
    {"pai2020", "m0,CPU,96,512,0\nm1,V100,96,384,8\nm2,MISC,96,512,8\n"},
    {"spot2026", "gpu_model,gpu_capacity_num,cpu_num,node_name\nGPU-series-1,4,192,0\nA10,1,126,1\n"},
    {"lingjun", "ip,DSW,PSW,ASW\nh0,G6,P10,S1\nh1,G6,P12,S1\nh2,G6,P10,S1\n"},
    {"tiresias", "num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\r\n2,3,4,40,256"},
    {"helios", "date,va,vb,total\n2020-04-01,8,0,8\n2020-04-02,8,16,24\n2020-04-03,0,16,16\n"},
    {"gavel", "{\"philly\": [\"5:0:4\"]}"},
    {"sia", "cluster_ngpus_per_node = {\"aws\": 4, \"rtx\": 8}\ncluster_nnodes = {\"aws\": 6, \"rtx\": 3}\n"},
    {"slurm", "NodeName=DEFAULT CPUs=16 RealMemory=8192\nNodeName=a[1-2,04] Gres=gpu:a100:4(S:0-1),shard:16\n"
              "NodeName=b[1-3][4-5] Sockets=2 \\\n CoresPerSocket=8 gres=gpu:2 Weight=1 # more\n"},
};

enum { N_SAMPLES = sizeof samples / sizeof samples[0] };

static uint64_t draw(uint64_t *state) /* SplitMix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* One change: a byte replaced, a stretch taken out or written twice, or a piece that is likely to hurt. */
static size_t damage(char *text, size_t length, uint64_t *state)
{
    static const char *const pieces[] = {"\"",    ",", "\n", "-1", "1e400", "[",    "]",
                                         "[1-9]", "=", "#",  ":",  "{",     "\\\n", "\xff"};
    uint64_t x = draw(state);
    size_t at = length > 0 ? (size_t)(x >> 8) % length : 0, left = length - at;
    size_t n = left > 0 ? (size_t)(x >> 40) % (left < 20 ? left : 20) : 0;
    const char *piece = pieces[(x >> 24) % (sizeof pieces / sizeof pieces[0])];
    switch (x % 4) {
    case 0:
        if (length > 0)
            text[at] = (char)(x >> 32);
        return length;
    case 1:
        memmove(text + at, text + at + n, left - n);
        return length - n;
    case 2:
        memmove(text + at + n, text + at, left);
        return length + n;
    default:
        n = strlen(piece);
        memmove(text + at + n, text + at, left);
        for (size_t i = 0; i < n; i++)
            text[at + i] = piece[i];
        return length + n;
    }
}

static bool import_damaged(const char *format, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    fz_error err = {0};
    fz_cluster_file *file = NULL;
    fz_cluster_source source = {.paths = &path, .n_paths = 1};
    fz_status status = fz_cluster_import(fz_cluster_format_find(format), &source, &text, &length, &err);
    if (status != FZ_OK) {
        CU_ASSERT(err.message[0] != '\0' && err.file[0] != '\0' && (status == FZ_EPARSE || status == FZ_EIO));
        if (err.message[0] == '\0' || err.file[0] == '\0')
            (void)fprintf(stderr, "%s: %s\n", format, err.message);
        return false;
    }
    CU_ASSERT_EQUAL(fz_cluster_file_parse("again", text, length, &file, &err), FZ_OK);
    fz_cluster_file_free(file);
    free(text);
    return true;
}

static void damaged_files(void)
{
    uint64_t state = SEED;
    uint32_t read = 0;
    (void)printf("seed %llu\n", (unsigned long long)SEED);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        char text[LONGEST];
        uint64_t x = draw(&state);
        size_t length = strlen(samples[x % N_SAMPLES].text);
        memcpy(text, samples[x % N_SAMPLES].text, length);
        for (uint64_t i = 0; i < (x >> 8) % 4; i++)
            length = damage(text, length, &state);
        read += import_damaged(samples[x % N_SAMPLES].format, fz_temp_write(&temp, "damaged", text, length));
    }
    CU_ASSERT(read > ROUNDS / 5); /* else the damage is too heavy to say much */
}

int main(void)
{
    static const fz_test tests[] = {{"damaged files", damaged_files}};
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("cluster_imports", tests);
    fz_temp_close(&temp);
    return failed;
}
