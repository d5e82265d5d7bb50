#include <frenzy/model.h>

#include <stddef.h>

#define LARGEST                                                                                              \
    ((uint64_t)1 << 32) /* of any size: products of three still fit into a double exactly enough */

static void fill(uint64_t *field, uint64_t value)
{
    if (*field == 0)
        *field = value;
}

static fz_status model_check(const fz_model *model, fz_error *err)
{
    const struct {
        const char *name;
        uint64_t value;
        uint64_t least;
    } fields[] = {
        {"layers", model->layers, 1},       {"hidden", model->hidden, 1},
        {"heads", model->heads, 1},         {"kv_heads", model->kv_heads, 1},
        {"head_dim", model->head_dim, 1},   {"ffn", model->ffn, 1},
        {"vocab", model->vocab, 0},         {"max_seq", model->max_seq, 0},
        {"positions", model->positions, 0}, {"norms", model->norms, 1},
    };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (fields[i].value < fields[i].least || fields[i].value > LARGEST)
            return fz_fail(err, FZ_EINVAL, "model '%s': %s is %llu, expected %llu to 2^32",
                           model->name != NULL ? model->name : "?", fields[i].name,
                           (unsigned long long)fields[i].value, (unsigned long long)fields[i].least);
    if (model->heads % model->kv_heads != 0)
        return fz_fail(err, FZ_EINVAL, "model '%s': kv_heads %llu does not divide heads %llu",
                       model->name != NULL ? model->name : "?", (unsigned long long)model->kv_heads,
                       (unsigned long long)model->heads);
    return FZ_OK;
}

fz_status fz_model_complete(fz_model *model, fz_error *err)
{
    if (model->head_dim == 0 && model->heads > 0) {
        if (model->hidden % model->heads != 0)
            return fz_fail(err, FZ_EINVAL,
                           "model '%s': heads %llu does not divide hidden %llu, and head_dim is not given",
                           model->name != NULL ? model->name : "?", (unsigned long long)model->heads,
                           (unsigned long long)model->hidden);
        model->head_dim = model->hidden / model->heads;
    }
    fill(&model->kv_heads, model->heads);
    fill(&model->ffn, model->hidden <= LARGEST ? 4 * model->hidden : model->hidden);
    fill(&model->norms, 4);
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
