/* Families of config.json: whole models that are not bundled against the counts of their cards, other forms of
 * each family by hand, and what is refused. The bundled ones: test_models.c. */
#include <stdio.h>
#include <string.h>

#include <frenzy/params.h>

#include "core/support/hf_config.h"
#include "tests/harness.h"

static fz_status parse(const char *text, fz_model *model, fz_error *err)
{
    fz_arena *arena = fz_arena_new(NULL);
    fz_status status = fz_hf_config_parse("m.json", text, strlen(text), arena, model, err);
    fz_arena_free(arena);
    model->name = NULL; /* lived in the arena */
    return status;
}

static fz_model counted(const char *text, uint64_t parameters)
{
    fz_model model = {0};
    fz_error err = {0};
    fz_status status = parse(text, &model, &err);
    if (status != FZ_OK)
        printf("\nunexpected: %s\n", err.message);
    else if (fz_model_params(&model) != parameters)
        printf("\n%llu, expected %llu: %.60s\n", (unsigned long long)fz_model_params(&model),
               (unsigned long long)parameters, text);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    CU_ASSERT_EQUAL(fz_model_params(&model), parameters);
    return model;
}

static void bad(const char *text, fz_status expected, const char *message)
{
    fz_model model = {0};
    fz_error err = {0};
    fz_status status = parse(text, &model, &err);
    bool good = status == expected && strcmp(err.message, message) == 0 && strcmp(err.file, "m.json") == 0;
    CU_ASSERT_TRUE(good);
    CU_ASSERT_EQUAL(model.layers, 0);
    if (!good)
        printf("\n%s: %s\n(expected %s: %s)\n", fz_status_name(status), err.message, fz_status_name(expected),
               message);
}

/* ---- whole models --------------------------------------------------------------------------------------- */

#define USUAL(layers, hidden, heads, ffn, vocab)                                                             \
    "\"num_hidden_layers\": " #layers ", \"hidden_size\": " #hidden ", \"num_attention_heads\": " #heads     \
    ", \"intermediate_size\": " #ffn ", \"vocab_size\": " #vocab
#define GROUPS(kv, dim) ", \"num_key_value_heads\": " #kv ", \"head_dim\": " #dim

static void decoders(void)
{
    fz_model m = counted("{\"model_type\": \"qwen3\", " USUAL(28, 1024, 16, 3072, 151936)
                             GROUPS(8, 128) ","
                                            "\"attention_bias\": false, \"tie_word_embeddings\": true}",
                         596049920); /* Qwen3-0.6B */
    CU_ASSERT(m.head_norms && m.head_dim == 128 && !m.untied_head);
    counted("{\"model_type\": \"gemma2\", " USUAL(26, 2304, 8, 9216, 256000) GROUPS(4, 256) "}",
            2614341888); /* Gemma-2-2B */
    counted("{\"model_type\": \"gemma3_text\", " USUAL(26, 1152, 4, 6912, 262144) GROUPS(1, 256) "}",
            999885952); /* Gemma-3-1B */
    counted("{\"model_type\": \"phi3\", " USUAL(40, 5120, 40, 17920, 32064) ", \"num_key_value_heads\": 10}",
            13960238080); /* Phi-3-medium */
}

static void mixtures(void)
{
    fz_model m =
        counted("{\"model_type\": \"qwen2_moe\", " USUAL(
                    28, 3584, 28, 18944,
                    151936) ","
                            "\"num_key_value_heads\": 4, \"num_experts\": 64, \"num_experts_per_tok\": 8,"
                            "\"moe_intermediate_size\": 2560, \"shared_expert_intermediate_size\": 20480}",
                57408658944); /* Qwen2-57B-A14B */
    CU_ASSERT(m.shared_gate && m.qkv_bias && !m.attention_bias && m.dense_layers == 0);
    CU_ASSERT_EQUAL(fz_model_active_params(&m), 14249270784); /* "A14B" */
    counted("{\"model_type\": \"qwen3_moe\", " USUAL(94, 4096, 64, 12288, 151936) GROUPS(
                4, 128) ","
                        "\"num_experts\": 128, \"num_experts_per_tok\": 8, \"moe_intermediate_size\": 1536,"
                        "\"decoder_sparse_step\": 1, \"mlp_only_layers\": []}",
            235093634560); /* Qwen3-235B-A22B */
}

static void gpt_like(void)
{
    counted("{\"model_type\": \"gpt_neox\", " USUAL(36, 5120, 40, 20480, 50688) "}",
            11846072320); /* Pythia-12B */
    counted("{\"model_type\": \"phi\", " USUAL(32, 2560, 32, 10240, 51200) ", \"qk_layernorm\": false}",
            2779683840); /* Phi-2 */
    fz_model m = counted("{\"model_type\": \"falcon\", \"num_hidden_layers\": 80, \"hidden_size\": 14848,"
                         "\"num_attention_heads\": 232, \"num_kv_heads\": 8, \"vocab_size\": 65024,"
                         "\"new_decoder_architecture\": true, \"multi_query\": true, \"bias\": false}",
                         178557088768); /* Falcon-180B; its files hold 965,476,352 more for the tied head */
    CU_ASSERT(m.kv_heads == 8 && m.norms == 4);
    counted("{\"model_type\": \"roberta\", " USUAL(
                12, 768, 12, 3072, 50265) ","
                                          "\"max_position_embeddings\": 514, \"type_vocab_size\": 1}",
            124645632); /* RoBERTa base */
}

/* The first files of Falcon, and of Bloom, with their own names of keys: the same models. */
static void old_names(void)
{
    counted("{\"model_type\": \"RefinedWebModel\", \"n_layer\": 32, \"hidden_size\": 4544, \"n_head\": 71,"
            "\"multi_query\": true, \"parallel_attn\": true, \"bias\": false, \"vocab_size\": 65024}",
            6921720704);
    counted("{\"model_type\": \"RefinedWeb\", \"n_layer\": 60, \"hidden_size\": 8192, \"n_head\": 128,"
            "\"n_head_kv\": 8, \"parallel_attn\": true, \"bias\": false, \"vocab_size\": 65024}",
            41303293952);
    counted("{\"model_type\": \"bloom\", \"n_layer\": 70, \"n_embed\": 14336, \"num_attention_heads\": 112,"
            "\"vocab_size\": 250880}",
            176247271424);
}

/* ---- other forms, by hand ------------------------------------------------------------------------------- */

#define TINY USUAL(2, 8, 4, 12, 10) /* heads of 2; attention 4 x 64 = 256, gated MLP 288, plain 192 */

static void biases(void)
{
    /* RMS norms 2 x 8 a layer and 8 at the end, two tables of 80 */
    const uint64_t plain = 160 + 2 * (256 + 288 + 16) + 8;
    counted("{\"model_type\": \"llama\", " TINY "}", plain);
    counted("{\"model_type\": \"llama\", " TINY ", \"attention_bias\": true}", plain + 2 * 4 * 8);
    counted("{\"model_type\": \"llama\", " TINY ", \"mlp_bias\": true}", plain + 2 * (12 + 12 + 8));
    counted("{\"model_type\": \"mistral\", " TINY GROUPS(4, 2) ", \"attention_bias\": true}", plain);
    counted("{\"model_type\": \"qwen2\", " TINY GROUPS(4, 2) "}", plain + 2 * 3 * 8);
    counted("{\"model_type\": \"qwen3\", " TINY GROUPS(4, 2) "}", plain + 2 * 2 * 2);
    counted("{\"model_type\": \"gemma\", " TINY GROUPS(2, 2) "}", plain - 80 - 2 * 2 * 32);
    counted("{\"model_type\": \"qwen2_moe\", " TINY GROUPS(
                4, 2) ", \"num_experts\": 1, \"qkv_bias\": false,"
                      "\"num_experts_per_tok\": 1, \"moe_intermediate_size\": 12,"
                      "\"shared_expert_intermediate_size\": 5}",
            plain + 2 * (8 + 3 * 8 * 5 + 8));
}

/* LayerNorms with bias 4 x 8 a layer and 16 at the end, one table of 80; biases 4 x 8 and 12 + 8 */
static void layer_norms(void)
{
    const uint64_t plain = 80 + 2 * (256 + 192 + 32) + 16, attention = 2 * 32, mlp = 2 * 20;
    const uint64_t all = plain + attention + mlp;
    counted("{\"model_type\": \"gpt_neox\", " TINY "}", all + 80);
    counted("{\"model_type\": \"gpt_neox\", " TINY ", \"attention_bias\": false}", plain + mlp + 80);
    static const char opt[] = "{\"model_type\": \"opt\", \"num_hidden_layers\": 2, \"hidden_size\": 8,"
                              "\"num_attention_heads\": 4, \"ffn_dim\": 12, \"vocab_size\": 10,"
                              "\"max_position_embeddings\": 5, \"word_embed_proj_dim\": 8, "
                              "\"do_layer_norm_before\": true, \"enable_bias\": %s}";
    char text[512];
    (void)snprintf(text, sizeof text, opt, "true");
    counted(text, all + 7 * 8);
    (void)snprintf(text, sizeof text, opt, "false");
    counted(text, plain + 7 * 8);
    counted("{\"model_type\": \"gpt2\", \"n_layer\": 2, \"n_embd\": 8, \"n_head\": 4, \"n_inner\": 12,"
            "\"vocab_size\": 10, \"n_positions\": 5}",
            all + 5 * 8);
    counted("{\"model_type\": \"bert\", " TINY ", \"max_position_embeddings\": 5, \"type_vocab_size\": 3}",
            all + (5 + 3) * 8 + 64 + 8);
}

/* The same with an MLP of 4 x 8: 512 a layer, biases 32 + 8 */
static void falcon_and_mpt(void)
{
    const uint64_t plain = 80 + 2 * (256 + 512), table = 5 * 8;
    const char *falcon = "{\"model_type\": \"falcon\", \"num_hidden_layers\": 2, \"hidden_size\": 8,"
                         "\"num_attention_heads\": 4, \"vocab_size\": 10, ";
    const char *mpt = "{\"model_type\": \"mpt\", \"n_layers\": 2, \"d_model\": 8, \"n_heads\": 4,"
                      "\"vocab_size\": 10, \"max_seq_len\": 5, ";
    const struct {
        const char *form, *keys;
        uint64_t parameters;
    } forms[] = {
        {falcon, "\"multi_query\": true", plain - 2 * 96 + 2 * 16 + 16},
        {falcon, "\"multi_query\": false", plain + 2 * 16 + 16},
        {falcon, "\"multi_query\": false, \"parallel_attn\": false, \"bias\": true",
         plain + 2 * (32 + 32 + 40) + 16},
        {falcon, "\"new_decoder_architecture\": true, \"num_kv_heads\": 2", plain - 2 * 64 + 2 * 32 + 16},
        {falcon, "\"new_decoder_architecture\": true", plain + 2 * 32 + 16},
        {falcon, "\"new_decoder_architecture\": true, \"num_ln_in_parallel_attn\": 1", plain + 2 * 16 + 16},
        {falcon, "\"multi_query\": false, \"ffn_hidden_size\": 16", plain - 2 * 256 + 2 * 16 + 16},
        {mpt, "\"no_bias\": true, \"attn_config\": {\"alibi\": true}", plain + 2 * 16 + 8},
        {mpt, "\"no_bias\": true", plain + 2 * 16 + 8 + table},
        {mpt, "\"no_bias\": true, \"learned_pos_emb\": false", plain + 2 * 16 + 8},
        {mpt, "\"no_bias\": false, \"attn_config\": {\"rope\": true}", plain + 2 * (32 + 32 + 40) + 16},
        {mpt, "\"no_bias\": true, \"expansion_ratio\": 2", plain - 2 * 256 + 2 * 16 + 8 + table},
        {mpt,
         "\"no_bias\": true, \"attn_config\": {\"attn_type\": \"grouped_query_attention\", \"kv_n_heads\": "
         "2}",
         plain - 2 * 64 + 2 * 16 + 8 + table},
        {mpt, "\"no_bias\": true, \"attn_config\": {\"attn_type\": \"multiquery_attention\"}",
         plain - 2 * 96 + 2 * 16 + 8 + table},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "%s%s}", forms[i].form, forms[i].keys);
        counted(text, forms[i].parameters);
    }
}

#define DEEPSEEK                                                                                             \
    TINY ", \"kv_lora_rank\": 6, \"qk_nope_head_dim\": 2, \"qk_rope_head_dim\": 1, \"v_head_dim\": 3"
#define DEEPSEEK_EXPERTS                                                                                     \
    ", \"n_routed_experts\": 7, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 5,"                   \
    "\"first_k_dense_replace\": 1"

static void deepseek(void)
{
    /* queries 8 x 4 x 3 (rank 5: 40 + 5 + 60); rest 8 x 7 + 6 + 6 x 4 x 5 + 4 x 3 x 8 */
    const uint64_t queries = 96, rest = 56 + 6 + 120 + 96;
    const uint64_t dense = 160 + 2 * (queries + rest + 288 + 16) + 8;
    counted("{\"model_type\": \"deepseek_v2\", " DEEPSEEK ", \"q_lora_rank\": null}", dense);
    counted("{\"model_type\": \"deepseek_v2\", " DEEPSEEK ", \"q_lora_rank\": 5}", dense + 2 * (105 - 96));
    const uint64_t experts = dense - 288 + 8 * 7 + 7 * 120;
    counted("{\"model_type\": \"deepseek_v2\", " DEEPSEEK DEEPSEEK_EXPERTS "}", experts);
    counted("{\"model_type\": \"deepseek_v2\", " DEEPSEEK DEEPSEEK_EXPERTS ", \"n_shared_experts\": 2,"
            "\"topk_method\": \"greedy\"}",
            experts + 2 * 120);
    counted("{\"model_type\": \"deepseek_v3\", " DEEPSEEK DEEPSEEK_EXPERTS "}", experts + 7);
    fz_model m = counted("{\"model_type\": \"deepseek_v3\", " DEEPSEEK DEEPSEEK_EXPERTS ","
                         "\"topk_method\": \"noaux_tc\", \"num_nextn_predict_layers\": 1}",
                         experts + 7);
    CU_ASSERT(m.router_bias && m.dense_layers == 1);
}

/* ---- refusals ------------------------------------------------------------------------------------------- */

static void missing_keys(void)
{
    bad("{\"model_type\": \"mixtral\", \"num_local_experts\": 8}", FZ_EPARSE,
        "model_type 'mixtral' needs 'num_hidden_layers', 'hidden_size', 'num_attention_heads', "
        "'intermediate_size', 'vocab_size', 'num_key_value_heads', not in the file");
    bad("{\"model_type\": \"mixtral\", " TINY GROUPS(4, 2) "}", FZ_EPARSE,
        "model_type 'mixtral' needs 'num_local_experts', 'num_experts_per_tok', not in the file");
    bad("{\"model_type\": \"gemma2\", " TINY "}", FZ_EPARSE,
        "model_type 'gemma2' needs 'num_key_value_heads', 'head_dim', not in the file");
    bad("{\"model_type\": \"deepseek_v3\", " TINY "}", FZ_EPARSE,
        "model_type 'deepseek_v3' needs 'kv_lora_rank', 'qk_nope_head_dim', 'qk_rope_head_dim', "
        "'v_head_dim', not in the file");
    bad("{\"model_type\": \"mpt\", \"n_layers\": 2}", FZ_EPARSE,
        "model_type 'mpt' needs 'd_model', 'n_heads', 'vocab_size', 'max_seq_len', not in the file");
    bad("{\"model_type\": \"mpt\", \"n_layers\": 2, \"d_model\": 8, \"n_heads\": 4, \"vocab_size\": 10,"
        "\"max_seq_len\": 5, \"attn_config\": {\"attn_type\": \"grouped_query_attention\"}}",
        FZ_EPARSE, "model_type 'mpt' needs 'attn_config.kv_n_heads', not in the file");
    bad("{\"model_type\": \"bert\", " TINY "}", FZ_EPARSE,
        "model_type 'bert' needs 'max_position_embeddings', not in the file");
    bad("{\"model_type\": \"llama\", \"num_hidden_layers\": 2, \"hidden_size\": 8, \"num_attention_heads\": "
        "4,"
        "\"intermediate_size\": 12}",
        FZ_EPARSE, "model_type 'llama' needs 'vocab_size', not in the file");
    bad("{}", FZ_EUNSUPPORTED,
        "model_type '(none)' needs 'num_hidden_layers', 'hidden_size', 'num_attention_heads', "
        "'intermediate_size', 'vocab_size', 'hidden_act', not in the file");
}

#define QWEN_MOE                                                                                             \
    "{\"model_type\": \"qwen3_moe\", " TINY GROUPS(                                                          \
        4, 2) ", \"num_experts\": 8, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 4, "

static void mixes_of_layers(void)
{
    bad(QWEN_MOE "\"mlp_only_layers\": [0, 1]}", FZ_EUNSUPPORTED,
        "key 'mlp_only_layers' is [0,1]: layers without experts in between are not supported");
    bad(QWEN_MOE "\"mlp_only_layers\": 3}", FZ_EPARSE,
        "key 'mlp_only_layers' is a number; a list is expected");
    bad(QWEN_MOE "\"decoder_sparse_step\": 2}", FZ_EUNSUPPORTED,
        "key 'decoder_sparse_step' is 2: only layers that all have experts (1) are supported");
    bad("{\"model_type\": \"deepseek_v2\", " DEEPSEEK DEEPSEEK_EXPERTS ", \"moe_layer_freq\": 2}",
        FZ_EUNSUPPORTED,
        "key 'moe_layer_freq' is 2: only experts in each layer after the dense ones (1) are supported");
    bad("{\"model_type\": \"deepseek_v2\", " DEEPSEEK ", \"attention_bias\": true}", FZ_EUNSUPPORTED,
        "key 'attention_bias' is true: latent attention with biases is not supported");
    bad("{\"model_type\": \"llama\", " TINY ", \"num_local_experts\": 8}", FZ_EUNSUPPORTED,
        "mixtures of experts are not supported for model_type 'llama' (key 'num_local_experts')");
    bad("{\"model_type\": \"new\", " TINY ", \"kv_lora_rank\": 8}", FZ_EUNSUPPORTED,
        "latent attention is not supported for model_type 'new' (key 'kv_lora_rank')");
    bad("{\"model_type\": \"olmo2\", " TINY ", \"hidden_act\": \"silu\", \"rms_norm_eps\": 1e-5}",
        FZ_EUNSUPPORTED,
        "key 'model_type' is \"olmo2\": its layers differ from what its keys say; not supported");
    bad("{\"model_type\": \"new\", " TINY ", \"qk_layernorm\": true}", FZ_EUNSUPPORTED,
        "key 'qk_layernorm' is true: what it means for this model_type is not known");
}

static void other_shapes(void)
{
    static const char opt[] = "{\"model_type\": \"opt\", \"num_hidden_layers\": 2, \"hidden_size\": 8,"
                              "\"num_attention_heads\": 4, \"ffn_dim\": 12, \"vocab_size\": 10,"
                              "\"max_position_embeddings\": 5, ";
    static const char mpt[] = "{\"model_type\": \"mpt\", \"n_layers\": 2, \"d_model\": 8, \"n_heads\": 4,"
                              "\"vocab_size\": 10, \"max_seq_len\": 5, ";
    const struct {
        const char *form, *keys, *message;
    } refused[] = {
        {opt, "\"word_embed_proj_dim\": 4",
         "key 'word_embed_proj_dim' is 4: an embedding narrower than 'hidden_size' is not supported"},
        {opt, "\"do_layer_norm_before\": false",
         "key 'do_layer_norm_before' is false: norms after the blocks are not supported"},
        {opt, "\"_remove_final_layer_norm\": true",
         "key '_remove_final_layer_norm' is true: a stack without a last norm is not supported"},
        {opt, "\"layer_norm_elementwise_affine\": false",
         "key 'layer_norm_elementwise_affine' is false: norms without weights are not supported"},
        {mpt, "\"attn_config\": {\"qk_ln\": true}",
         "key 'attn_config.qk_ln' is true: norms over all of q and k are not supported"},
        {mpt, "\"attn_config\": {\"attn_type\": \"sliding\"}",
         "key 'attn_config.attn_type' is \"sliding\": only multi-head, multi-query and grouped-query "
         "attention "
         "are supported"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "%s%s}", refused[i].form, refused[i].keys);
        bad(text, FZ_EUNSUPPORTED, refused[i].message);
    }
    bad("{\"model_type\": \"bert\", " TINY ", \"position_embedding_type\": \"relative_key\"}",
        FZ_EUNSUPPORTED, "key 'position_embedding_type' is \"relative_key\": only \"absolute\" is supported");
    bad("{\"model_type\": \"gpt2\", \"add_cross_attention\": true}", FZ_EUNSUPPORTED,
        "key 'add_cross_attention' is true: cross attention is not supported");
    bad("{\"model_type\": \"falcon\", \"num_hidden_layers\": 2, \"hidden_size\": 8, \"num_attention_heads\": "
        "4,"
        "\"vocab_size\": 10, \"num_ln_in_parallel_attn\": 3}",
        FZ_EUNSUPPORTED, "key 'num_ln_in_parallel_attn' is 3: 1 or 2 is supported");
}

static void bad_sizes(void)
{
    bad(QWEN_MOE "\"head_dim\": 0, \"num_experts\": 9}", FZ_EPARSE,
        "duplicate object key near '\"head_dim\"'");
    bad("{\"model_type\": \"llama\", " USUAL(2, 8, 3, 12, 10) "}", FZ_EPARSE,
        "key 'hidden_size' is 8, which 3 heads ('num_attention_heads') do not divide");
    bad("{\"model_type\": \"llama\", " USUAL(2, 9223372036854775807, 4, 12, 10) "}", FZ_EPARSE,
        "key 'hidden_size' is 9.2233720368547758e+18; a whole number of 1 to 2^32 is expected");
    bad("{\"model_type\": \"llama\", " USUAL(-1, 8, 4, 12, 10) "}", FZ_EPARSE,
        "key 'num_hidden_layers' is -1; a whole number of 1 to 2^32 is expected");
    bad("{\"model_type\": \"mixtral\", " TINY GROUPS(4, 2) ", \"num_local_experts\": 8,"
                                                           "\"num_experts_per_tok\": 9}",
        FZ_EPARSE, "key 'num_experts_per_tok' is 9, more than the 8 of 'num_local_experts'");
    bad("{\"model_type\": \"deepseek_v2\", " DEEPSEEK ", \"n_routed_experts\": 7, \"num_experts_per_tok\": 2,"
        "\"moe_intermediate_size\": 5, \"first_k_dense_replace\": 3}",
        FZ_EPARSE, "key 'first_k_dense_replace' is 3, more than the 2 of 'num_hidden_layers'");
    bad("{\"model_type\": \"mpt\", \"n_layers\": 2, \"d_model\": 8, \"n_heads\": 4, \"vocab_size\": 10,"
        "\"max_seq_len\": 5, \"attn_config\": [1]}",
        FZ_EPARSE, "key 'attn_config' is a list; an object is expected");
    bad("{\"model_type\": \"mpt\", \"n_layers\": 2, \"d_model\": 8, \"n_heads\": 4, \"vocab_size\": 10,"
        "\"max_seq_len\": 5, \"expansion_ratio\": 4294967296}",
        FZ_EPARSE, "key 'expansion_ratio' is 4294967296; 1 to 1024 is expected");
}

/* Each size is legal, the product is not. */
static void overflow(void)
{
    static const char message[] =
        "model 'm.json': layers, hidden, ffn and vocab make more than 2^58 parameters";
    bad("{\"model_type\": \"llama\", " USUAL(4294967296, 4294967296, 1, 4294967296, 4294967296) "}",
        FZ_EPARSE, message);
    bad("{\"model_type\": \"bert\", " USUAL(1, 4294967296, 1, 1, 10) ", \"max_position_embeddings\": 5,"
                                                                     "\"type_vocab_size\": 4294967296}",
        FZ_EPARSE, message);
    bad("{\"model_type\": \"deepseek_v2\", " DEEPSEEK ", \"n_routed_experts\": 4294967296,"
        "\"num_experts_per_tok\": 2, \"moe_intermediate_size\": 4294967296, \"first_k_dense_replace\": 1,"
        "\"n_shared_experts\": 4294967296}",
        FZ_EPARSE, message);
    bad("{\"model_type\": \"deepseek_v2\", " DEEPSEEK ", \"n_routed_experts\": 4, \"num_experts_per_tok\": 2,"
        "\"moe_intermediate_size\": 4294967296, \"first_k_dense_replace\": 1, \"n_shared_experts\": 3}",
        FZ_EPARSE, "model 'm.json': shared_ffn is 12884901888, expected 0 to 2^32");
}

int main(void)
{
    static const fz_test tests[] = {
        {"decoders", decoders},
        {"mixtures of experts", mixtures},
        {"relatives of GPT", gpt_like},
        {"old names of keys", old_names},
        {"biases", biases},
        {"layer norms", layer_norms},
        {"falcon and mpt", falcon_and_mpt},
        {"deepseek", deepseek},
        {"missing keys", missing_keys},
        {"mixes of layers", mixes_of_layers},
        {"other shapes", other_shapes},
        {"bad sizes", bad_sizes},
        {"products that overflow", overflow},
    };
    return FZ_TEST_MAIN("hf_families", tests);
}
