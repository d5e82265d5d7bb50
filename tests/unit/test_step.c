/* Every term of the speed model against values worked out by hand. */
#include <frenzy/step.h>

#include "tests/harness.h"

/* Matrices of a layer 4 x 8 x 8 + 2 x 8 x 32 = 768. */
static fz_model plain_model(void)
{
    fz_model m = {.name = "plain", .layers = 4, .hidden = 8, .heads = 2, .ffn = 32, .vocab = 32};
    CU_ASSERT_EQUAL_FATAL(fz_model_complete(&m, NULL), FZ_OK);
    return m;
}

/* Rates of 1 make seconds of work: FLOP and bytes. */
static const fz_step_hardware unit = {.matrix_flops = 1,
                                      .memory_bandwidth = 1,
                                      .compute_capability = 8,
                                      .node_bandwidth = 1,
                                      .link_bandwidth = 0.5,
                                      .node_gpus = 4};

static fz_training_run run_of(const fz_model *model)
{
    return (fz_training_run){
        .model = model, .seq_len = 16, .micro_batch = 1, .micro_batches = 2, .flash_attention = true};
}

static fz_step_terms terms_of(const fz_training_run *run, const fz_step_hardware *hardware)
{
    fz_step_terms terms;
    fz_step_terms_of(run, hardware, &terms);
    return terms;
}

/* 2 micro-batches x 3 passes. A layer 2 x 16 x 768 = 24576, the head 2 x 16 x 8 x 32 = 8192. Attention 4 x 16 x 16 x 8 / 2
 * = 4096 with flash, 8192 without. */
static void compute(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    fz_step_terms terms = terms_of(&run, &unit);
    CU_ASSERT_EQUAL(terms.x[FZ_SC_GEMM_AMPERE], 6 * (4 * 24576 + 8192));
    CU_ASSERT_EQUAL(terms.x[FZ_SC_GEMM_HOPPER] + terms.x[FZ_SC_GEMM_VOLTA] + terms.x[FZ_SC_GEMM_OTHER], 0);
    CU_ASSERT_EQUAL(terms.x[FZ_SC_ATTENTION], 6 * 4 * 4096);
    CU_ASSERT_EQUAL(terms.x[FZ_SC_SCORES], 0);
    CU_ASSERT_DOUBLE_EQUAL(terms.x[FZ_SC_LAYER], 6 * 4 * 1e-3, 1e-12);
    run.flash_attention = false;
    terms = terms_of(&run, &unit);
    CU_ASSERT_EQUAL(terms.x[FZ_SC_ATTENTION], 6 * 4 * 8192);
    CU_ASSERT_EQUAL(terms.x[FZ_SC_SCORES], 6 * 4 * 8 * 16 * 16 * 2);
    run.recompute = FZ_RECOMPUTE_FULL; /* 4 passes; the head is not made again */
    terms = terms_of(&run, &unit);
    CU_ASSERT_DOUBLE_EQUAL(terms.x[FZ_SC_GEMM_AMPERE], 8 * 4 * 24576 + 6 * 8192, 1e-6);
    run.tuning = FZ_TUNE_ADAPTER; /* no gradient of the frozen weights: 3 passes */
    terms = terms_of(&run, &unit);
    CU_ASSERT_EQUAL(terms.x[FZ_SC_ATTENTION], 6 * 4 * 8192);
}

/* Weights 2 x 768 and 2 x 16 x (10 x 8 + 3 x 32 + 3 x 8) = 6400. */
static void traffic(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    CU_ASSERT_EQUAL(terms_of(&run, &unit).x[FZ_SC_TRAFFIC], 6 * 4 * (1536 + 6400));
}

/* Two stages, two micro-batches: 2 + 1 turns; interleaved in two: 2.5. */
static void pipelines(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    run.pipeline = 2;
    CU_ASSERT_EQUAL(terms_of(&run, &unit).x[FZ_SC_ATTENTION], 3 * 3 * 2 * 4096);
    CU_ASSERT_EQUAL(terms_of(&run, &unit).x[FZ_SC_PIPELINE], 2 * 3 * 2 * 16 * 8);
    run.virtual_stages = 2;
    CU_ASSERT_EQUAL(terms_of(&run, &unit).x[FZ_SC_ATTENTION], 2.5 * 3 * 2 * 4096);
}

/* Two all-reduces of 2 x 16 x 8 = 256 bytes a pass, 2 (t - 1) / t of it: 512 for t = 2. */
static void tensor_collectives(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    CU_ASSERT_EQUAL(terms_of(&run, &unit).x[FZ_SC_TENSOR], 0);
    run.tensor = 2;
    CU_ASSERT_EQUAL(terms_of(&run, &unit).x[FZ_SC_TENSOR], 6 * 4 * 512);
    fz_step_hardware small = unit;
    small.node_gpus = 1; /* across nodes: half the bandwidth */
    CU_ASSERT_EQUAL(terms_of(&run, &small).x[FZ_SC_TENSOR], 2 * 6 * 4 * 512);
}

/* n = 4 x (768 + 32 norms) + 256 embedding + 16 = 3472, no biases. Gradients 2 x 3/4 x 2 n inside a node of four; eight
 * ranks go over the slow link: 2 x 7/8 x 2 n / 0.5. */
static void data_collectives(void)
{
    const double n = 3472;
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    run.data = 4;
    CU_ASSERT_DOUBLE_EQUAL(terms_of(&run, &unit).x[FZ_SC_GRADIENTS], 3 * n, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(terms_of(&run, &unit).x[FZ_SC_OPTIMIZER], 30 * n, 1e-6);
    CU_ASSERT_EQUAL(terms_of(&run, &unit).x[FZ_SC_GATHER], 0);
    run.zero = 3; /* gathered twice for each of two micro-batches */
    CU_ASSERT_DOUBLE_EQUAL(terms_of(&run, &unit).x[FZ_SC_GATHER], 2 * 2 * 0.75 * 2 * n, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(terms_of(&run, &unit).x[FZ_SC_OPTIMIZER], 30 * n / 4, 1e-6);
    run.data = 8;
    CU_ASSERT_DOUBLE_EQUAL(terms_of(&run, &unit).x[FZ_SC_GRADIENTS], 2 * 0.875 * 2 * n / 0.5, 1e-6);
}

static void sum_of_parts(void)
{
    fz_step_terms terms = {{0}};
    double constants[FZ_SC_N];
    fz_step step = {0};
    for (int j = 0; j < FZ_SC_N; j++) {
        terms.x[j] = 1;
        constants[j] = j + 1;
    }
    CU_ASSERT_EQUAL(fz_step_sum(&terms, constants, &step), FZ_SC_N * (FZ_SC_N + 1) / 2.0);
    CU_ASSERT_EQUAL(step.communication,
                    (FZ_SC_TENSOR + FZ_SC_PIPELINE + FZ_SC_GRADIENTS + FZ_SC_GATHER) + 4.0);
    CU_ASSERT_EQUAL(step.compute + step.communication + step.overhead, step.seconds);
}

static void default_links(void)
{
    fz_gpu_type a100 = {
        .name = "a", .mem_bandwidth = 2e12, .compute_capability = 8, .peak_matrix_flops = 312e12};
    fz_gpu_type t4 = {.name = "t", .mem_bandwidth = 320e9, .compute_capability = 7.5, .flops_per_s = 40e12};
    fz_step_hardware hw = fz_step_hardware_of(&a100, 8);
    CU_ASSERT_EQUAL(hw.node_bandwidth, 250e9);
    CU_ASSERT_EQUAL(hw.link_bandwidth, 25e9);
    CU_ASSERT_EQUAL(hw.matrix_flops, 312e12);
    hw = fz_step_hardware_of(&t4, 0);
    CU_ASSERT_EQUAL(hw.node_bandwidth, 12.5e9);
    CU_ASSERT_EQUAL(hw.link_bandwidth, 12.5e9);
    CU_ASSERT_EQUAL(hw.matrix_flops, 40e12);
    CU_ASSERT_EQUAL(hw.node_gpus, 1);
}

int main(void)
{
    static const fz_test tests[] = {{"compute", compute},
                                    {"traffic", traffic},
                                    {"pipelines", pipelines},
                                    {"tensor collectives", tensor_collectives},
                                    {"data collectives", data_collectives},
                                    {"sum of parts", sum_of_parts},
                                    {"default links", default_links}};
    return FZ_TEST_MAIN("step", tests);
}
