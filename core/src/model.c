#include <frenzy/model.h>

#include <frenzy/params.h>
#include <stddef.h>
#include <stdio.h>

#define LARGEST ((uint64_t)1 << 32) /* of any size */

/* Of a whole model, so that its bytes fit into 64 bits, at up to 32 of them a parameter. */
#define MOST_PARAMS ((uint64_t)1 << 58)

static void fill(uint64_t *field, uint64_t value)
{
    if (*field == 0)
        *field = value;
}

static const char *name_of(const fz_model *model)
{
    return model->name != NULL ? model->name : "?";
}

/* ---- ranges --------------------------------------------------------------------------------------------- */

typedef struct range {
    const char *name;
    uint64_t value, least, most;
    const char *where; /* why only 0 will do, where `most` is 0 */
} range;

static fz_status range_fail(const fz_model *model, const range *r, fz_error *err)
{
    char expected[64];
    if (r->most == 0)
        (void)snprintf(expected, sizeof(expected), "0 %s", r->where);
    else if (r->most == LARGEST)
        (void)snprintf(expected, sizeof(expected), "%llu to 2^32", (unsigned long long)r->least);
    else
        (void)snprintf(expected, sizeof(expected), "%llu to %llu", (unsigned long long)r->least,
                       (unsigned long long)r->most);
    return fz_fail(err, FZ_EINVAL, "model '%s': %s is %llu, expected %s", name_of(model), r->name,
                   (unsigned long long)r->value, expected);
}

static fz_status ranges_check(const fz_model *model, const range *ranges, size_t n, fz_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most)
            return range_fail(model, &ranges[i], err);
    return FZ_OK;
}

static fz_status sizes_check(const fz_model *model, fz_error *err)
{
    const range ranges[] = {
        {"layers", model->layers, 1, LARGEST, ""},
        {"hidden", model->hidden, 1, LARGEST, ""},
        {"heads", model->heads, 1, LARGEST, ""},
        {"kv_heads", model->kv_heads, 1, LARGEST, ""},
        {"head_dim", model->head_dim, 1, LARGEST, ""},
        {"ffn", model->ffn, 1, LARGEST, ""},
        {"vocab", model->vocab, 0, LARGEST, ""},
        {"max_seq", model->max_seq, 0, LARGEST, ""},
        {"positions", model->positions, 0, LARGEST, ""},
        {"norms", model->norms, 1, LARGEST, ""},
        {"final_norms", model->final_norms, 1, LARGEST, ""},
    };
    return ranges_check(model, ranges, sizeof(ranges) / sizeof(ranges[0]), err);
}

/* Without experts all that describes them is 0. */
static fz_status experts_check(const fz_model *model, fz_error *err)
{
    uint64_t some = model->experts > 0 ? 1 : 0;
    uint64_t most = some != 0 ? LARGEST : 0;
    const range ranges[] = {
        {"experts", model->experts, 0, LARGEST, ""},
        {"experts_per_token", model->experts_per_token, some, model->experts, "without experts"},
        {"expert_ffn", model->expert_ffn, some, most, "without experts"},
        {"shared_ffn", model->shared_ffn, 0, most, "without experts"},
        {"dense_layers", model->dense_layers, 0, model->layers, ""},
        {"shared_gate", model->shared_gate, 0, model->shared_ffn > 0, "without shared_ffn"},
        {"router_bias", model->router_bias, 0, some, "without experts"},
    };
    return ranges_check(model, ranges, sizeof(ranges) / sizeof(ranges[0]), err);
}

/* Without kv_rank all that describes latent attention is 0; with it no biases or head norms are counted. */
static fz_status latent_check(const fz_model *model, fz_error *err)
{
    uint64_t some = model->kv_rank > 0 ? 1 : 0;
    uint64_t most = some != 0 ? LARGEST : 0;
    const range ranges[] = {
        {"kv_rank", model->kv_rank, 0, LARGEST, ""},
        {"q_rank", model->q_rank, 0, most, "without kv_rank"},
        {"nope_dim", model->nope_dim, some, most, "without kv_rank"},
        {"rope_dim", model->rope_dim, some, most, "without kv_rank"},
        {"v_dim", model->v_dim, some, most, "without kv_rank"},
        {"attention_bias", model->attention_bias, 0, 1 - some, "with kv_rank"},
        {"qkv_bias", model->qkv_bias, 0, 1 - some, "with kv_rank"},
        {"head_norms", model->head_norms, 0, 1 - some, "with kv_rank"},
    };
    return ranges_check(model, ranges, sizeof(ranges) / sizeof(ranges[0]), err);
}

static fz_status model_check(const fz_model *model, fz_error *err)
{
    FZ_TRY(latent_check(model, err)); /* before head_dim, which follows from it */
    FZ_TRY(sizes_check(model, err));
    FZ_TRY(experts_check(model, err));
    if (model->heads % model->kv_heads != 0)
        return fz_fail(err, FZ_EINVAL, "model '%s': kv_heads %llu does not divide heads %llu", name_of(model),
                       (unsigned long long)model->kv_heads, (unsigned long long)model->heads);
    if (fz_model_params(model) > MOST_PARAMS)
        return fz_fail(err, FZ_EINVAL,
                       "model '%s': layers, hidden, ffn and vocab make more than 2^58 parameters",
                       name_of(model));
    return FZ_OK;
}

/* ---- defaults ------------------------------------------------------------------------------------------- */

static fz_status head_dim_fill(fz_model *model, fz_error *err)
{
    if (model->head_dim != 0 || model->heads == 0)
        return FZ_OK;
    if (model->kv_rank > 0) { /* plays no part there, and hidden / heads need not be whole */
        model->head_dim = model->nope_dim + model->rope_dim;
        return FZ_OK;
    }
    if (model->hidden % model->heads != 0)
        return fz_fail(err, FZ_EINVAL,
                       "model '%s': heads %llu does not divide hidden %llu, and head_dim is not given",
                       name_of(model), (unsigned long long)model->heads, (unsigned long long)model->hidden);
    model->head_dim = model->hidden / model->heads;
    return FZ_OK;
}

fz_status fz_model_complete(fz_model *model, fz_error *err)
{
    FZ_TRY(head_dim_fill(model, err));
    fill(&model->kv_heads, model->heads);
    fill(&model->ffn, model->hidden <= LARGEST ? 4 * model->hidden : model->hidden);
    fill(&model->norms, 4);
    fill(&model->final_norms, model->norms > 1 ? model->norms / 2 : 1);
    return model_check(model, err);
}

fz_status fz_training_check(const fz_training *training, fz_error *err)
{
    if (training->global_batch < 1 || training->global_batch > LARGEST)
        return fz_fail(err, FZ_EINVAL, "global_batch is %llu, expected 1 to 2^32",
                       (unsigned long long)training->global_batch);
    if (training->seq_len < 1 || training->seq_len > LARGEST)
        return fz_fail(err, FZ_EINVAL, "seq_len is %llu, expected 1 to 2^32",
                       (unsigned long long)training->seq_len);
    return FZ_OK;
}
