/* Every term of the analytic memory estimate against values worked out by hand, on models small enough for that. */
#include <frenzy/memory_terms.h>

#include <math.h>

#include "tests/harness.h"

/* A plain layer: attention 4 x 8 x 8 + 4 x 8 biases = 288, MLP 2 x 8 x 32 + 32 + 8 = 552, norms 4 x 8 = 32: 872.
 * Embedding 32 x 8 = 256, last norm 2 x 8 = 16. All: 4 x 872 + 272 = 3760. */
static fz_model plain_model(void)
{
    fz_model m = {.name = "plain", .layers = 4, .hidden = 8, .heads = 2, .ffn = 32, .vocab = 32};
    m.attention_bias = m.mlp_bias = true;
    CU_ASSERT_EQUAL_FATAL(fz_model_complete(&m, NULL), FZ_OK);
    return m;
}

/* Attention 2 x 8 x 8 + 2 x 8 x 2 = 160 with one key/value head of four. */
static fz_model grouped_model(void)
{
    fz_model m = {.name = "grouped",
                  .layers = 2,
                  .hidden = 8,
                  .heads = 4,
                  .kv_heads = 1,
                  .ffn = 16,
                  .vocab = 32,
                  .norms = 2,
                  .gated_mlp = true,
                  .untied_head = true};
    CU_ASSERT_EQUAL_FATAL(fz_model_complete(&m, NULL), FZ_OK);
    return m;
}

static fz_model expert_model(void)
{
    fz_model m = {.name = "experts",
                  .layers = 2,
                  .hidden = 8,
                  .heads = 2,
                  .ffn = 16,
                  .vocab = 32,
                  .norms = 2,
                  .gated_mlp = true,
                  .experts = 4,
                  .experts_per_token = 2,
                  .expert_ffn = 16};
    CU_ASSERT_EQUAL_FATAL(fz_model_complete(&m, NULL), FZ_OK);
    return m;
}

static fz_model latent_model(void)
{
    fz_model m = {.name = "latent",
                  .layers = 1,
                  .hidden = 8,
                  .heads = 2,
                  .ffn = 16,
                  .vocab = 32,
                  .norms = 2,
                  .gated_mlp = true,
                  .q_rank = 4,
                  .kv_rank = 2,
                  .nope_dim = 4,
                  .rope_dim = 2,
                  .v_dim = 4};
    CU_ASSERT_EQUAL_FATAL(fz_model_complete(&m, NULL), FZ_OK);
    return m;
}

static const fz_memory_traits fused = {
    .bf16_gradient = 4, .fp16_gradient = 2, .fp16_extra = 4, .zero3_states = 18, .fp8_copies = 2};

static fz_training_run run_of(const fz_model *model)
{
    return (fz_training_run){.model = model, .seq_len = 16, .micro_batch = 1, .flash_attention = true};
}

static fz_memory_terms terms_of(const fz_training_run *run, uint32_t stage)
{
    fz_memory_terms terms;
    fz_memory_stage_terms(run, &fused, stage, &terms);
    return terms;
}

/* Elements on a GPU: 4 bytes each in fp32. */
static double elements(fz_training_run run, uint32_t stage)
{
    run.precision = FZ_FP32;
    return terms_of(&run, stage).weights / 4;
}

/* ---- weights -------------------------------------------------------------------------------------------- */

static void weights_of_stages(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    CU_ASSERT_EQUAL(elements(run, 0), 3760);
    run.pipeline = 2; /* the tied embedding is copied to the last stage, which has the last norm */
    CU_ASSERT_EQUAL(elements(run, 0), 2 * 872 + 256);
    CU_ASSERT_EQUAL(elements(run, 1), 2 * 872 + 256 + 16);
    run.pipeline = 3; /* 4 + 2 over three: the ends count as a layer each */
    CU_ASSERT_EQUAL(elements(run, 0), 1 * 872 + 256);
    CU_ASSERT_EQUAL(elements(run, 1), 2 * 872);
    run.first_stage_layers = 2;
    run.pipeline = 2;
    run.last_stage_layers = 2;
    CU_ASSERT_EQUAL(elements(run, 1), 2 * 872 + 256 + 16);
}

/* t = 2: 2 x 8 x 4 + 2 x 8 x 4 = 128 and biases 4 + 8 + 8 = 20; MLP 2 x 8 x 16 + 16 + 8 = 280; norms whole. */
static void weights_split_by_tensor(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    run.tensor = 2;
    CU_ASSERT_EQUAL(elements(run, 0), 4 * (128 + 20 + 280 + 32) + 128 + 16);
}

/* t = 4 over one key/value head: each rank has a copy. Queries 2 of 8, keys and values 2 of 2 columns:
 * 2 x 8 x 2 + 2 x 8 x 2 = 64; MLP 3 x 8 x 4 = 96; norms 16; embedding and head 32 x 8 / 4 each; last norm 8. */
static void grouped_heads_are_copied(void)
{
    fz_model m = grouped_model();
    fz_training_run run = run_of(&m);
    CU_ASSERT_EQUAL(elements(run, 0), 2 * (160 + 384 + 16) + 2 * 256 + 8);
    run.tensor = 4;
    CU_ASSERT_EQUAL(elements(run, 0), 2 * (64 + 96 + 16) + 2 * 64 + 8);
}

/* 32 rows become 128 x 2. */
static void vocabulary_is_padded(void)
{
    fz_memory_traits padding = fused;
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    fz_memory_terms terms;
    padding.pads_vocab = true;
    run.precision = FZ_FP32;
    run.tensor = 2;
    fz_memory_stage_terms(&run, &padding, 0, &terms);
    CU_ASSERT_EQUAL(terms.weights / 4, 4 * 460 + 256 * 8 / 2 + 16);
    CU_ASSERT_EQUAL(terms.x[FZ_MC_LOGITS], 16 * 256 / 2);
}

/* Attention 256, norms 16, router 32; four experts of 3 x 8 x 16 = 384. */
static void experts_are_dealt_out(void)
{
    fz_model m = expert_model();
    fz_training_run run = run_of(&m);
    CU_ASSERT_EQUAL(elements(run, 0), 2 * (304 + 4 * 384) + 256 + 8);
    run.data = 2;
    run.expert = 2;
    CU_ASSERT_EQUAL(elements(run, 0), 2 * (304 + 2 * 384) + 256 + 8);
    run.expert_tensor = 2; /* and each split in two */
    CU_ASSERT_EQUAL(elements(run, 0), 2 * (304 + 384) + 256 + 8);
}

/* h rq + rq + rq a (dn + dr) = 32 + 4 + 48; h (rkv + dr) + rkv + rkv a (dn + dv) = 32 + 2 + 32; a dv h = 64: 214. */
static void latent_attention(void)
{
    fz_model m = latent_model();
    fz_training_run run = run_of(&m);
    CU_ASSERT_EQUAL(elements(run, 0), 214 + 384 + 16 + 256 + 8);
}

/* ---- states --------------------------------------------------------------------------------------------- */

static void check_states(const fz_training_run *run, double weights, double gradients, double optimizer)
{
    fz_memory_terms terms = terms_of(run, 0);
    CU_ASSERT_DOUBLE_EQUAL(terms.weights, weights, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(terms.gradients, gradients, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(terms.optimizer, optimizer, 1e-6);
}

/* n = 3760 over four ranks. */
static void states_by_zero_stage(void)
{
    const double n = 3760;
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    run.data = 4;
    check_states(&run, 2 * n, 4 * n, 12 * n);
    run.zero = 1;
    check_states(&run, 2 * n, 4 * n, 3 * n);
    run.zero = 2;
    check_states(&run, 2 * n, n, 3 * n);
    run.zero = 3; /* 18 / 4 in all */
    check_states(&run, n / 2, n, 3 * n);
    run.zero = 1;
    run.optimizer_instances = 2; /* sharded over two of the four */
    check_states(&run, 2 * n, 4 * n, 6 * n);
    run.optimizer_instances = 0;
    run.context = 2; /* shards over data and context ranks alike */
    check_states(&run, 2 * n, 4 * n, 1.5 * n);
}

/* Fully sharded: fp32 shards are the master copy, 16 in all. */
static void shards_of_16_bytes(void)
{
    fz_memory_traits fsdp = {.bf16_gradient = 4, .zero3_states = 16};
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    fz_memory_terms terms;
    run.data = 4;
    run.zero = 3;
    fz_memory_stage_terms(&run, &fsdp, 0, &terms);
    CU_ASSERT_DOUBLE_EQUAL(terms.weights + terms.gradients + terms.optimizer, 16 * 3760 / 4.0, 1e-6);
}

static void states_by_precision_and_optimizer(void)
{
    const double n = 3760;
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    run.precision = FZ_FP16_MIXED; /* 20 in all, as in the published formula */
    check_states(&run, 2 * n, 2 * n, 16 * n);
    run.precision = FZ_FP8_MIXED;
    check_states(&run, 4 * n, 4 * n, 12 * n);
    run.precision = FZ_BF16_TRUE;
    check_states(&run, 2 * n, 2 * n, 4 * n);
    run.precision = FZ_FP32;
    check_states(&run, 4 * n, 4 * n, 8 * n);
    run.precision = FZ_BF16_MIXED;
    run.optimizer = FZ_MUON;
    check_states(&run, 2 * n, 4 * n, 8 * n);
    run.optimizer = FZ_ADAM_8BIT;
    check_states(&run, 2 * n, 4 * n, 6 * n);
    run.optimizer = FZ_SGD;
    check_states(&run, 2 * n, 4 * n, 4 * n);
}

/* Experts shard over d t / (ep etp) = 4 x 1 / 2 = 2 ranks, all else over 4. */
static void experts_shard_over_their_own(void)
{
    fz_model m = expert_model();
    fz_training_run run = run_of(&m);
    run.data = 4;
    run.expert = 2;
    run.zero = 1;
    double common = 2 * 304 + 256 + 8;
    double experts = 2 * 2 * 384;
    check_states(&run, 2 * (common + experts), 4 * (common + experts), 12 * (common / 4 + experts / 2));
}

/* Layers at 0.5 bytes, ends at 2, 16 bytes a trained parameter; trained ends cost 12 more. */
static void adapters(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    run.tuning = FZ_TUNE_ADAPTER;
    run.trainable = 100;
    run.frozen_bytes = 0.5;
    check_states(&run, 0.5 * 3488 + 2 * 272 + 400, 400, 800);
    run.embeddings_trained = true;
    check_states(&run, 0.5 * 3488 + 2 * 272 + 400 + 2 * 272, 400 + 2 * 272, 800 + 8 * 272);
    run.embeddings_trained = false;
    run.trainable = 0; /* rank 8 on q, k, v, o: 4 layers x 8 x 4 x 16 = 2048 */
    check_states(&run, 0.5 * 3488 + 2 * 272 + 4 * 2048, 4 * 2048, 8 * 2048);
}

/* ---- activations ---------------------------------------------------------------------------------------- */

/* s b h 8 = 1024; q, k, v 2 x 16 x 6 x 4 = 768; attention 2 x 16 x 8 + 4 x 16 x 2 = 384; MLP 2 x 16 x 32 x 2 = 2048. */
#define LAYER 4224.0

static void activations_of_a_layer(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * LAYER);
    run.dropout = true; /* two masks of a byte */
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * (LAYER + 256));
    run.flash_attention = false; /* 5 a s^2 = 2560 instead of 4 s a = 128 */
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * (LAYER + 256 + 2560 - 128));
    run.dropout = false; /* 2 a s^2 = 1024 */
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * (LAYER + 1024 - 128));
    run.micro_batch = 3;
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 3 * 4 * (LAYER + 1024 - 128));
}

static void activations_split(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    run.tensor = 2; /* what is split: 768, 384, 2048 */
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * (1024 + (768 + 384 + 2048) / 2.0));
    run.sequence_parallel = true;
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * LAYER / 2);
    run.tensor = 1;
    run.context = 2;
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * LAYER / 2);
}

static void recomputation(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    run.recompute = FZ_RECOMPUTE_FULL; /* 2 s b h = 256 a layer, and one whole layer */
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * 256 + LAYER);
    run.recompute_layers = 1; /* of four */
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 256 + 3 * LAYER + LAYER);
    run.recompute_layers = 0;
    run.offload_activations = true;
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, LAYER);
    run.offload_activations = false;
    run.recompute = FZ_RECOMPUTE_SELECTIVE; /* flash attention has no core to drop */
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * LAYER);
    run.flash_attention = false; /* dropped, and made again for a layer at a time: 2 a s^2 = 1024 */
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * LAYER + 1024);
    run.dropped = FZ_DROP_MLP; /* the core is kept then */
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * (LAYER + 1024 - 128 - 2048));
}

static void micro_batches_in_flight(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    run.pipeline = 4;
    run.micro_batches = 8;
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 4 * LAYER); /* one layer, four micro-batches */
    CU_ASSERT_EQUAL(terms_of(&run, 3).activations, LAYER);
    run.micro_batches = 2;
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 2 * LAYER);
    run.micro_batches = 8;
    run.virtual_stages = 2; /* (2 x 3 + 4 + 1) / 2 and (0 + 4 + 1) / 2 */
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 5.5 * LAYER);
    CU_ASSERT_EQUAL(terms_of(&run, 3).activations, 2.5 * LAYER);
}

/* 32 tokens to experts: 6 h = 48 and 2 x 3 x 16 = 96 bytes each; fp32 scores twice: 8 x 16 x 4 = 512. */
static void activations_of_experts(void)
{
    fz_model m = expert_model();
    fz_training_run run = run_of(&m);
    CU_ASSERT_EQUAL(terms_of(&run, 0).activations, 2 * (1024 + 768 + 384 + 32 * 144 + 512));
}

/* ---- the rest ------------------------------------------------------------------------------------------- */

static void regressors(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    fz_memory_terms terms = terms_of(&run, 0);
    CU_ASSERT_EQUAL(terms.x[FZ_MC_LOGITS], 16 * 32);
    CU_ASSERT_EQUAL(terms.x[FZ_MC_WORK], 2 * 16 * 32);
    CU_ASSERT_EQUAL(terms.x[FZ_MC_GATHER] + terms.x[FZ_MC_ROOT] + terms.x[FZ_MC_BUCKETS], 0);
    CU_ASSERT_EQUAL(terms.groups, 0);
    run.data = 4;
    run.pipeline = 2;
    run.zero = 3;
    terms = terms_of(&run, 0);
    CU_ASSERT_EQUAL(terms.x[FZ_MC_LOGITS], 0); /* on the last stage only */
    CU_ASSERT_EQUAL(terms.x[FZ_MC_GATHER], 2 * 872);
    CU_ASSERT_EQUAL(terms.x[FZ_MC_ROOT], 2 * 256);
    CU_ASSERT_EQUAL(terms.x[FZ_MC_BUCKETS], 0x1p30);
    CU_ASSERT_EQUAL(terms.groups, 3); /* data, pipeline, world */
}

/* The sum: fragmentation on what is allocated, context and groups on top. */
static void sums(void)
{
    fz_memory_terms terms = {
        .weights = 100, .gradients = 200, .optimizer = 300, .activations = 400, .groups = 2};
    fz_memory_parts parts;
    double c[FZ_MC_N] = {0};
    terms.x[FZ_MC_LOGITS] = 10;
    terms.x[FZ_MC_WORK] = 5;
    c[FZ_MC_LOGITS] = 6;
    c[FZ_MC_WORK] = 8;
    CU_ASSERT_DOUBLE_EQUAL(fz_memory_sum(&terms, c, FZ_METRIC_ALLOCATED, &parts), 1100, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(parts.logits, 60, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(parts.buffers, 40, 1e-9);
    c[FZ_MC_FRAGMENTATION] = 0.1;
    c[FZ_MC_CONTEXT] = 1;
    c[FZ_MC_COMMUNICATOR] = 0.25;
    CU_ASSERT_DOUBLE_EQUAL(fz_memory_sum(&terms, c, FZ_METRIC_RESERVED, NULL), 1210, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(fz_memory_sum(&terms, c, FZ_METRIC_DEVICE, &parts), 1210 + 1.5 * 0x1p30, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(parts.fragmentation, 110, 1e-9);
    c[FZ_MC_UNSPECIFIED] = 0.2;
    c[FZ_MC_UNSPECIFIED_CONTEXT] = 2;
    CU_ASSERT_DOUBLE_EQUAL(fz_memory_sum(&terms, c, FZ_METRIC_UNSPECIFIED, NULL), 1320 + 2 * 0x1p30, 1e-6);
}

static void refusals(void)
{
    fz_model m = plain_model();
    fz_training_run run = run_of(&m);
    fz_memory memory;
    fz_error err = {0};
    CU_ASSERT_EQUAL(fz_memory_estimate(&run, 0.9, &memory, &err), FZ_OK);
    run.tensor = 3;
    CU_ASSERT_EQUAL(fz_memory_estimate(&run, 0.9, &memory, &err), FZ_EINVAL);
    CU_ASSERT_STRING_EQUAL(err.message, "tensor 3: does not divide the heads");
    run = run_of(&m);
    run.zero = 4;
    CU_ASSERT_EQUAL(fz_memory_estimate(&run, 0.9, &memory, &err), FZ_EINVAL);
    run = run_of(&m);
    run.expert = 2;
    CU_ASSERT_EQUAL(fz_memory_estimate(&run, 0.9, &memory, &err), FZ_EINVAL);
    run = run_of(&m);
    run.micro_batch = 0;
    CU_ASSERT_EQUAL(fz_memory_estimate(&run, 0.9, &memory, &err), FZ_EINVAL);
    run = run_of(&m);
    run.context = 3;
    CU_ASSERT_EQUAL(fz_memory_estimate(&run, 0.9, &memory, &err), FZ_EINVAL);
    run = run_of(&m);
    CU_ASSERT_EQUAL(fz_memory_estimate(&run, 1.2, &memory, &err), FZ_EINVAL);
    m.vocab = 0;
    CU_ASSERT_EQUAL(fz_memory_estimate(&run, 0.9, &memory, &err), FZ_EINVAL);
}

int main(void)
{
    static const fz_test tests[] = {{"weights of stages", weights_of_stages},
                                    {"weights split by tensor", weights_split_by_tensor},
                                    {"grouped heads are copied", grouped_heads_are_copied},
                                    {"vocabulary is padded", vocabulary_is_padded},
                                    {"experts are dealt out", experts_are_dealt_out},
                                    {"latent attention", latent_attention},
                                    {"states by ZeRO stage", states_by_zero_stage},
                                    {"shards of 16 bytes", shards_of_16_bytes},
                                    {"states by precision and optimizer", states_by_precision_and_optimizer},
                                    {"experts shard over their own", experts_shard_over_their_own},
                                    {"adapters", adapters},
                                    {"activations of a layer", activations_of_a_layer},
                                    {"activations split", activations_split},
                                    {"recomputation", recomputation},
                                    {"micro-batches in flight", micro_batches_in_flight},
                                    {"activations of experts", activations_of_experts},
                                    {"regressors", regressors},
                                    {"sums", sums},
                                    {"refusals", refusals}};
    return FZ_TEST_MAIN("memory_terms", tests);
}
