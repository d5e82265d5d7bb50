/* Tables of measured runs: what a row becomes, what makes it one that is not scored, and files that are refused with
 * their place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <frenzy/units.h>

#include "calib/groundtruth/run_rows.h"
#include "tests/harness.h"
#include "tests/temp.h"

static fz_temp temp;
static fz_arena *arena;
static fz_error err;

#define MODEL "layers,hidden,heads,ffn,vocab,seq_len,micro_batch,precision,framework"
#define GOOD  "24,1024,16,4096,50257,1024,4,bf16,megatron"

static fz_run_rows read_rows(const char *text, fz_run_kind kind)
{
    fz_run_rows rows;
    err = (fz_error){0};
    CU_ASSERT_EQUAL_FATAL(fz_run_rows_read(fz_temp_text(&temp, "runs.csv", text), kind, arena, &rows, &err),
                          FZ_OK);
    return rows;
}

static void refused(const char *text, fz_run_kind kind, uint32_t line, uint32_t column, const char *message)
{
    fz_run_rows rows;
    err = (fz_error){0};
    fz_status status = fz_run_rows_read(fz_temp_text(&temp, "runs.csv", text), kind, arena, &rows, &err);
    bool right = status == FZ_EPARSE && err.line == line && err.column == column && err.file[0] != '\0' &&
                 strstr(err.message, message) != NULL;
    if (!right)
        (void)fprintf(stderr, "got %s %u:%u: %s\n", fz_status_name(status), err.line, err.column,
                      err.message);
    CU_ASSERT_TRUE(right);
}

/* The reason for which the one row of a table is not scored; NULL: it is. `column` and `value` stand behind the model's. */
static const char *reason(const char *column, const char *value)
{
    char text[1024];
    (void)snprintf(text, sizeof text, "%s,mem_gib,%s\n%s,12.5,%s\n", MODEL, column, GOOD, value);
    return read_rows(text, FZ_RUNS_MEMORY).rows[0].skip;
}

static void a_row(void)
{
    fz_run_rows rows =
        read_rows("id,source,model,gpu,n_gpus,dp,mem_gib,metric,tuning,other," MODEL
                  "\nr1,made up,gpt,a100?,4,,12.5,max_allocated,,position-embedding-type=rope," GOOD
                  "\nr2,made up,gpt,v100,8,8,,,lora,," GOOD "\n",
                  FZ_RUNS_MEMORY);
    const fz_run_row *row = rows.rows;
    CU_ASSERT(rows.n_rows == 2 && row[0].line == 2 && row[1].line == 3);
    CU_ASSERT_PTR_NULL(row[0].skip);
    CU_ASSERT_STRING_EQUAL(row[0].id, "r1");
    CU_ASSERT_STRING_EQUAL(row[0].gpu, "a100");
    CU_ASSERT(row[0].gpu_doubtful && !row[1].gpu_doubtful);
    CU_ASSERT(row[0].outcome == FZ_ROW_OK && row[0].measured == 12.5 * (double)FZ_GIB);
    CU_ASSERT(row[0].run.data == 4 && row[0].run.metric == FZ_METRIC_ALLOCATED && row[0].gpus == 4);
    CU_ASSERT(row[0].model.layers == 24 && row[0].model.ffn == 4096 && row[0].global_batch == 16);
    CU_ASSERT_STRING_EQUAL(row[1].skip, "nothing measured");
}

/* tokens/s of a GPU, else seconds of a step, else sequences/s: 64 sequences of 1,024 tokens on 4 GPUs. */
static void speeds(void)
{
    static const struct {
        const char *cells;
        double seconds;
    } cases[] = {{"8192,,", 2}, {",1.5,9", 1.5}, {",,128", 0.5}, {"8192,7,7", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "n_gpus,global_batch,tokens_per_s_gpu,sec_per_iter,samples_per_s_total,gpus_per_node,"
                       "interconnect," MODEL "\n4,64,%s,8,4x100Gb Omni-Path per node," GOOD "\n",
                       cases[i].cells);
        fz_run_rows rows = read_rows(text, FZ_RUNS_SPEED);
        CU_ASSERT_DOUBLE_EQUAL(rows.rows[0].measured, cases[i].seconds, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(rows.rows[0].link_gbps, 50, 1e-12); /* 400 over 8 GPUs */
    }
}

/* A word that is not known is a reason and never a number. */
static void reasons(void)
{
    static const struct {
        const char *column, *value, *reason;
    } cases[] = {{"optimizer", "lion", "optimizer 'lion' is not known"},
                 {"recompute", "some", "recompute 'some' is not known"},
                 {"tuning", "prompt", "tuning 'prompt' is not known"},
                 {"metric", "a guess", "metric 'a guess' is not known"},
                 {"outcome", "crash", "outcome 'crash' is not known"},
                 {"other", "hybrid-ratio=0.5", "hybrid"},
                 {"n_gpus,tp", "4,3", "degrees do not multiply to n_gpus"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = reason(cases[i].column, cases[i].value);
        CU_ASSERT(got != NULL && strcmp(got, cases[i].reason) == 0);
        if (got == NULL || strcmp(got, cases[i].reason) != 0)
            (void)fprintf(stderr, "%s: got %s\n", cases[i].value, got != NULL ? got : "(scored)");
    }
    CU_ASSERT_PTR_NULL(reason("optimizer", "adamw"));
    fz_run_rows rows = read_rows("mem_gib," MODEL "\n1,24,1024,16,4096,50257,1024,4,int3,x\n"
                                 "1,,1024,16,4096,50257,1024,4,bf16,x\n1,24,1024,16,4096,50257,0,4,bf16,x\n"
                                 "1,24,1000,16,4096,50257,1024,4,bf16,x\n",
                                 FZ_RUNS_MEMORY);
    CU_ASSERT_STRING_EQUAL(rows.rows[0].skip, "precision 'int3' is not known");
    CU_ASSERT_STRING_EQUAL(rows.rows[1].skip, "layers missing");
    CU_ASSERT_STRING_EQUAL(rows.rows[2].skip, "seq_len missing");
    CU_ASSERT_PTR_NOT_NULL(rows.rows[3].skip); /* 1000 / 16 is no whole number */
}

/* Figures that would not hold in 64 bits when multiplied, and others that are none. */
static void refusals(void)
{
    static const struct {
        const char *column, *value, *message;
    } cases[] = {{"tp", "16385", "tp: '16385' is too large"},
                 {"pp", "9e18", "pp: '9e18' is too large"},
                 {"vpp", "x", "vpp: 'x' is not a number"},
                 {"n_gpus", "2000000", "n_gpus: '2000000' is too large"},
                 {"dp", "-1", "dp: '-1' must not be negative"},
                 {"dp", "1.5", "dp: '1.5' must be a whole number"},
                 {"zero", "4", "zero: '4' is too large"},
                 {"sp", "2", "sp: '2' is too large"},
                 {"flash_attn", "yes", "flash_attn: 'yes' is not a number"},
                 {"n_experts", "many", "n_experts: 'many' is not a number"},
                 {"global_batch", "1e30", "global_batch: '1e30' is too large"},
                 {"kv_heads", "4294967297", "kv_heads: '4294967297' is too large"},
                 {"trainable_params", "some", "trainable_params: 'some' is not a number"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, "%s,mem_gib,%s\n%s,12.5,\n%s,12.5,%s\n", MODEL, cases[i].column,
                       GOOD, GOOD, cases[i].value);
        refused(text, FZ_RUNS_MEMORY, 3, (uint32_t)strlen(GOOD) + 7, cases[i].message);
    }
    refused(MODEL ",mem_gib\n" GOOD ",nan\n", FZ_RUNS_MEMORY, 2, (uint32_t)strlen(GOOD) + 2,
            "mem_gib: 'nan' is not a number");
    refused(MODEL ",sec_per_iter\n" GOOD ",1s\n", FZ_RUNS_SPEED, 2, (uint32_t)strlen(GOOD) + 2,
            "sec_per_iter: '1s' is not a number");
    refused("layers,hidden\n1,2\n", FZ_RUNS_MEMORY, 1, 1, "no column 'heads'");
    refused(MODEL "\n" GOOD "\n", FZ_RUNS_MEMORY, 1, 1, "no column with a measurement, such as 'mem_gib'");
    refused(MODEL ",mem_gib\n" GOOD ",1\n", FZ_RUNS_SPEED, 1, 1, "such as 'tokens_per_s_gpu'");
    refused(MODEL ",mem_gib\n", FZ_RUNS_MEMORY, 1, 1, "there are no rows");
    refused(MODEL ",mem_gib\n" GOOD "\n", FZ_RUNS_MEMORY, 2, 1, "this row has 9 fields, the header has 10");
    refused("", FZ_RUNS_MEMORY, 1, 1, "the file is empty");
    refused(MODEL ",mem_gib\n\"24\n", FZ_RUNS_MEMORY, 2, 1, "");
}

/* More rows than are made room for at first: each still points to its own model. */
static void many_rows(void)
{
    enum { N = 300 };
    char *text = fz_temp_bytes(N * 80 + 200, '\0');
    int at = sprintf(text, "%s,mem_gib\n", MODEL);
    for (uint32_t i = 0; i < N; i++)
        at += sprintf(text + at, "%u,1024,16,4096,50257,1024,4,bf16,x,%u\n", i + 1, i + 1);
    fz_run_rows rows = read_rows(text, FZ_RUNS_MEMORY);
    CU_ASSERT(rows.n_rows == N && rows.n_groups == N);
    for (uint32_t i = 0; i < N; i++) {
        const fz_run_row *row = &rows.rows[i];
        CU_ASSERT(row->run.model == &row->model && row->model.layers == i + 1 && row->group == i &&
                  row->line == i + 2 && row->measured == (i + 1) * (double)FZ_GIB);
    }
    free(text);
}

/* One configuration on two GPUs is a group; another batch is another. */
static void groups(void)
{
    fz_run_rows rows = read_rows("id,gpu,mem_gib," MODEL "\na,a100,10," GOOD "\nb,h100,11," GOOD
                                 "\nc,a100,10,24,1024,16,4096,50257,1024,8,bf16,megatron\n",
                                 FZ_RUNS_MEMORY);
    CU_ASSERT(rows.n_groups == 2 && rows.rows[0].group == rows.rows[1].group);
    CU_ASSERT(rows.rows[2].group != rows.rows[0].group);
}

int main(void)
{
    static const fz_test tests[] = {{"a row", a_row},       {"speeds", speeds}, {"reasons", reasons},
                                    {"refusals", refusals}, {"groups", groups}, {"many rows", many_rows}};
    fz_temp_open(&temp);
    arena = fz_arena_new(NULL);
    int failed = FZ_TEST_MAIN("run_rows", tests);
    fz_arena_free(arena);
    fz_temp_close(&temp);
    return failed;
}
