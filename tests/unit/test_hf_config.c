#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <frenzy/params.h>

#include "core/support/hf_config.h"
#include "tests/harness.h"
#include "tests/temp.h"

static fz_temp temp;

static fz_status parse_into(const char *text, fz_arena *arena, fz_model *model, fz_error *err)
{
    return fz_hf_config_parse("m.json", text, strlen(text), arena, model, err);
}

/* The fields; the name lives in the arena only. */
static fz_model parse(const char *text)
{
    fz_model model = {0};
    fz_error err = {0};
    fz_arena *arena = fz_arena_new(NULL);
    fz_status status = parse_into(text, arena, &model, &err);
    if (status != FZ_OK)
        printf("\nunexpected: %s:%u:%u: %s\n", err.file, err.line, err.column, err.message);
    CU_ASSERT_EQUAL_FATAL(status, FZ_OK);
    fz_arena_free(arena);
    model.name = NULL;
    return model;
}

static void bad(const char *text, fz_status expected, uint32_t line, uint32_t column, const char *part)
{
    fz_model model = {0};
    fz_error err = {0};
    fz_arena *arena = fz_arena_new(NULL);
    fz_status status = parse_into(text, arena, &model, &err);
    bool good = status == expected && err.line == line && err.column == column &&
                strstr(err.message, part) != NULL && strcmp(err.file, "m.json") == 0 && model.layers == 0;
    CU_ASSERT_TRUE(good);
    if (!good)
        printf("\n%s %s:%u:%u: %s (expected %s %u:%u: %s)\n", fz_status_name(status), err.file, err.line,
               err.column, err.message, fz_status_name(expected), line, column, part);
    CU_ASSERT_EQUAL(parse_into(text, arena, &model, NULL), expected);
    fz_arena_free(arena);
}

/* 124,439,808: the number that the weights of gpt2 hold. */
static void gpt2(void)
{
    fz_model m = parse(
        "{\"activation_function\": \"gelu_new\", \"architectures\": [\"GPT2LMHeadModel\"], \"model_type\": "
        "\"gpt2\","
        "\"n_ctx\": 1024, \"n_embd\": 768, \"n_head\": 12, \"n_layer\": 12, \"n_positions\": 1024, "
        "\"n_inner\": null,"
        "\"task_specific_params\": {\"text-generation\": {\"max_length\": 50}}, \"vocab_size\": 50257}");
    CU_ASSERT_EQUAL(m.ffn, 3072);
    CU_ASSERT_EQUAL(m.max_seq, 1024);
    CU_ASSERT_TRUE(m.attention_bias && m.mlp_bias && !m.gated_mlp && !m.untied_head);
    CU_ASSERT_EQUAL(fz_model_params(&m), 124439808);
}

/* 6,738,415,616 (LLaMA-2 7B) and 8,030,261,248 (LLaMA-3 8B), as on their model cards. */
static void llama(void)
{
    fz_model m =
        parse("{\"model_type\": \"llama\", \"hidden_act\": \"silu\", \"hidden_size\": 4096, "
              "\"intermediate_size\": 11008,"
              "\"max_position_embeddings\": 4096, \"num_attention_heads\": 32, \"num_hidden_layers\": 32,"
              "\"num_key_value_heads\": 32, \"rms_norm_eps\": 1e-05, \"rope_scaling\": null, \"vocab_size\": "
              "32000}");
    CU_ASSERT_EQUAL(fz_model_params(&m), 6738415616);
    CU_ASSERT_EQUAL(m.positions, 0);
    m = parse("{\"model_type\": \"llama\", \"hidden_size\": 4096, \"intermediate_size\": 14336, "
              "\"num_attention_heads\": 32,"
              "\"num_hidden_layers\": 32, \"num_key_value_heads\": 8, \"tie_word_embeddings\": false, "
              "\"vocab_size\": 128256}");
    CU_ASSERT_EQUAL(fz_model_params(&m), 8030261248);
    CU_ASSERT_TRUE(m.gated_mlp && m.untied_head && !m.attention_bias);
    CU_ASSERT_EQUAL(m.max_seq, 0);
}

/* 7,241,732,096 */
static void mistral(void)
{
    fz_model m = parse("{\"model_type\": \"mistral\", \"hidden_size\": 4096, \"intermediate_size\": 14336, "
                       "\"num_attention_heads\": 32,"
                       "\"num_hidden_layers\": 32, \"num_key_value_heads\": 8, \"sliding_window\": 4096, "
                       "\"vocab_size\": 32000}");
    CU_ASSERT_EQUAL(fz_model_params(&m), 7241732096);
}

/* 109,482,240, of which 2 token types (1,536) and the pooler (h^2 + h = 590,592) are extra. */
static void bert(void)
{
    fz_model m =
        parse("{\"model_type\": \"bert\", \"hidden_act\": \"gelu\", \"hidden_size\": 768, "
              "\"intermediate_size\": 3072,"
              "\"layer_norm_eps\": 1e-12, \"max_position_embeddings\": 512, \"num_attention_heads\": 12,"
              "\"num_hidden_layers\": 12, \"type_vocab_size\": 2, \"vocab_size\": 30522}");
    CU_ASSERT_EQUAL(m.extra_params, 1536 + 590592);
    CU_ASSERT_EQUAL(fz_model_params(&m), 109482240);
}

static const char generic[] =
    "{\"model_type\": \"new\", \"hidden_act\": \"silu\", \"rms_norm_eps\": 1e-6, \"hidden_size\": 64,"
    "\"intermediate_size\": 96, \"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"head_dim\": 32,"
    "\"num_hidden_layers\": 3, \"attention_bias\": true, \"vocab_size\": 1000}";

static void other_families(void)
{
    fz_model m = parse(generic);
    CU_ASSERT(m.layers == 3 && m.hidden == 64 && m.heads == 4 && m.kv_heads == 2 && m.head_dim == 32 &&
              m.ffn == 96);
    CU_ASSERT(m.norms == 2 && m.gated_mlp && m.attention_bias && !m.mlp_bias && !m.untied_head &&
              m.positions == 0);
    char nested[1000];
    (void)snprintf(nested, sizeof nested, "{\"model_type\": \"vision\", \"text_config\": %s}", generic);
    CU_ASSERT_EQUAL(parse(nested).layers, 3);
    bad("{\"model_type\": \"x\", \"hidden_size\": 64}", FZ_EUNSUPPORTED, 0, 0,
        "'num_hidden_layers', 'num_attention_heads', 'intermediate_size', 'vocab_size', 'hidden_act'");
    bad("{\"text_config\": {\"model_type\": \"llama\", \"hidden_size\": 0, \"num_hidden_layers\": 2, "
        "\"num_attention_heads\": 2,"
        "\"vocab_size\": 9, \"intermediate_size\": 5}}",
        FZ_EPARSE, 0, 0, "key 'text_config.hidden_size' is 0;");
    bad("{\"model_type\": \"new\", \"num_local_experts\": 8}", FZ_EUNSUPPORTED, 0, 0, "mixtures of experts");
    bad("{\"model_type\": \"t5\", \"is_encoder_decoder\": true}", FZ_EUNSUPPORTED, 0, 0, "encoder-decoder");
    bad("{\"model_type\": \"ds\", \"kv_lora_rank\": 512}", FZ_EUNSUPPORTED, 0, 0, "latent attention");
    bad("{\"model_type\": \"gemma9\", \"hidden_act\": \"gelu\", \"rms_norm_eps\": 1e-6, \"hidden_size\": 64, "
        "\"intermediate_size\": 96,"
        "\"num_attention_heads\": 4, \"num_hidden_layers\": 3, \"vocab_size\": 1000}",
        FZ_EUNSUPPORTED, 0, 0, "gated is not known");
}

/* A gpt2 with one key changed, or with text before the closing brace. */
static const char *changed(const char *key, const char *value, char *text, size_t size)
{
    static const char *const keys[] = {"n_layer", "n_embd", "n_head", "n_positions", "vocab_size"};
    static const char *const values[] = {"2", "64", "4", "128", "1000"};
    size_t used = (size_t)snprintf(text, size, "{\"model_type\": \"gpt2\"");
    bool found = false;
    for (size_t i = 0; i < 5; i++) {
        bool here = strcmp(keys[i], key) == 0;
        found = found || here;
        used += (size_t)snprintf(text + used, size - used, ", \"%s\": %s", keys[i], here ? value : values[i]);
    }
    if (!found)
        used += (size_t)snprintf(text + used, size - used, ", \"%s\": %s", key, value);
    (void)snprintf(text + used, size - used, "}");
    return text;
}

/* What real files hold and JSON does not. */
static void odd_numbers(void)
{
    static const char *const values[] = {"Infinity",
                                         "-Infinity",
                                         "NaN",
                                         "[0.0, Infinity]",
                                         "{\"a\": [NaN,-Infinity]}",
                                         "1000000000000000019884624838656",
                                         "\"NaN \\\" Infinity\"",
                                         "1e300"};
    char text[512];
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        CU_ASSERT_EQUAL(parse(changed("odd", values[i], text, sizeof text)).layers, 2);
    CU_ASSERT_EQUAL(parse(changed("n_inner", "NaN", text, sizeof text)).ffn, 256); /* counts as null */
    (void)snprintf(text, sizeof text, "\xef\xbb\xbf%s", generic);
    CU_ASSERT_EQUAL(parse(text).layers, 3);
    CU_ASSERT_EQUAL(parse(changed("n_layer", "12.0", text, sizeof text)).layers, 12);
    bad(changed("odd", "1e400", text, sizeof text), FZ_EPARSE, 1, 116, "real number overflow");
}

static void bad_values(void)
{
    char text[512];
    bad(changed("n_layer", "\"12\"", text, sizeof text), FZ_EPARSE, 0, 0,
        "key 'n_layer' is a text; a whole number of 1 to 2^32");
    bad(changed("n_layer", "[12]", text, sizeof text), FZ_EPARSE, 0, 0, "key 'n_layer' is a list");
    bad(changed("n_layer", "true", text, sizeof text), FZ_EPARSE, 0, 0, "key 'n_layer' is true or false");
    bad(changed("n_layer", "-3", text, sizeof text), FZ_EPARSE, 0, 0, "key 'n_layer' is -3;");
    bad(changed("n_layer", "0", text, sizeof text), FZ_EPARSE, 0, 0, "key 'n_layer' is 0;");
    bad(changed("n_layer", "1.5", text, sizeof text), FZ_EPARSE, 0, 0, "key 'n_layer' is 1.5;");
    bad(changed("n_layer", "4294967297", text, sizeof text), FZ_EPARSE, 0, 0, "key 'n_layer' is 4294967297;");
    bad(changed("n_layer", "9223372036854775807000", text, sizeof text), FZ_EPARSE, 0, 0,
        "key 'n_layer' is 9.22");
    bad(changed("n_layer", "null", text, sizeof text), FZ_EPARSE, 0, 0,
        "model_type 'gpt2' needs 'n_layer', not in the file");
    bad(changed("n_head", "7", text, sizeof text), FZ_EPARSE, 0, 0,
        "key 'n_embd' is 64, which 7 heads ('n_head') do not divide");
    bad(changed("tie_word_embeddings", "1", text, sizeof text), FZ_EPARSE, 0, 0,
        "key 'tie_word_embeddings' is a number");
    bad("{\"model_type\": 7}", FZ_EPARSE, 0, 0, "key 'model_type' is a number; a text is expected");
    bad("{\"model_type\": \"llama\", \"hidden_size\": 64, \"num_hidden_layers\": 2, \"num_attention_heads\": "
        "4,"
        "\"num_key_value_heads\": 3, \"vocab_size\": 9, \"intermediate_size\": 5}",
        FZ_EPARSE, 0, 0,
        "key 'num_key_value_heads' is 3, which does not divide the 4 of 'num_attention_heads'");
}

static void bad_files(void)
{
    bad("", FZ_EPARSE, 1, 1, "the file is empty");
    bad(" \n ", FZ_EPARSE, 1, 1, "the file is empty");
    bad("[1]", FZ_EPARSE, 0, 0, "the file holds a list; an object");
    bad("{\"a\": 1,\n \"b\" 2}", FZ_EPARSE, 2, 6, "':' expected");
    bad("{\"a\": NaN, \"b\": NaN,\n \"d\": NaN, \"c\": nan}", FZ_EPARSE, 2, 19, "invalid token");
    bad("{\"a\": 1, \"a\": 2}", FZ_EPARSE, 1, 12, "duplicate object key");
    bad("{\"a\": 1", FZ_EPARSE, 1, 7, "'}' expected");
    bad("{\"a\": \"\xff\"}", FZ_EPARSE, 1, 7, "unable to decode byte 0xff");
    bad("{} x", FZ_EPARSE, 1, 4, "end of file expected");
}

static void files_and_folders(void)
{
    fz_model m = {0};
    fz_error err = {0};
    fz_arena *arena = fz_arena_new(NULL);
    char text[512];
    CU_ASSERT_EQUAL(fz_hf_config_read(fz_temp_path(&temp, "absent.json"), arena, &m, &err), FZ_EIO);
    CU_ASSERT_EQUAL(fz_hf_config_read(temp.folder, arena, &m, &err), FZ_EIO);
    CU_ASSERT_STRING_EQUAL(err.message, "this folder has no config.json");
    CU_ASSERT_EQUAL(fz_hf_config_read(fz_temp_text(&temp, "tiny.json", generic), arena, &m, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(m.name, "tiny");
    const char *path = fz_temp_text(&temp, "config.json", generic);
    CU_ASSERT_EQUAL(fz_hf_config_read(path, arena, &m, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(m.name, strrchr(temp.folder, '/') + 1);
    CU_ASSERT_EQUAL(fz_hf_config_read(temp.folder, arena, &m, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(m.name, strrchr(temp.folder, '/') + 1);
    CU_ASSERT_EQUAL(fz_hf_config_read(fz_temp_path(&temp, ""), arena, &m, &err), FZ_OK); /* with a slash */
    CU_ASSERT_STRING_EQUAL(m.name, strrchr(temp.folder, '/') + 1);
    (void)changed("_name_or_path", "\"me/mine\"", text, sizeof text);
    CU_ASSERT_EQUAL(fz_hf_config_read(fz_temp_text(&temp, "named.json", text), arena, &m, &err), FZ_OK);
    CU_ASSERT_STRING_EQUAL(m.name, "me/mine");
    size_t size = 100u << 20;
    char *big = fz_temp_bytes(size, ' ');
    CU_ASSERT_EQUAL(fz_hf_config_read(fz_temp_write(&temp, "big.json", big, size), arena, &m, &err), FZ_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "larger than"));
    free(big);
    fz_arena_free(arena);
}

int main(void)
{
    static const fz_test tests[] = {
        {"gpt2", gpt2},
        {"llama", llama},
        {"mistral", mistral},
        {"bert", bert},
        {"other families", other_families},
        {"odd numbers", odd_numbers},
        {"bad values", bad_values},
        {"bad files", bad_files},
        {"files and folders", files_and_folders},
    };
    fz_temp_open(&temp);
    int failed = FZ_TEST_MAIN("hf_config", tests);
    fz_temp_close(&temp);
    return failed;
}
