#include "calib/groundtruth/run_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <frenzy/memory_terms.h>
#include <frenzy/units.h>

#include "calib/groundtruth/row_model.h"
#include "calib/groundtruth/row_options.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static const char *cut_question(fz_row_fields *f, const char *column)
{
    char text[128];
    (void)snprintf(text, sizeof text, "%s", fz_row_text(f, column));
    text[strcspn(text, "?")] = '\0';
    return fz_row_copy(f, text);
}

/* ---- run ------------------------------------------------------------------------------------------------ */

/* "bf16-true+bnb.nf4-dq": what is computed in, and how frozen weights are stored. */
static const char *read_precision(fz_row_fields *f, fz_training_run *run)
{
    const char *text = fz_row_text(f, "precision");
    static const struct {
        const char *prefix;
        fz_precision precision;
    } known[] = {{"bf16-mixed", FZ_BF16_MIXED},
                 {"fp16-mixed", FZ_FP16_MIXED},
                 {"fp8", FZ_FP8_MIXED},
                 {"bf16-true", FZ_BF16_TRUE},
                 {"fp32", FZ_FP32},
                 {"bf16", FZ_BF16_MIXED},
                 {"fp16", FZ_FP16_MIXED}};
    static const struct {
        const char *word;
        double bytes;
    } stored[] = {{"nf4-dq", 0.52}, {"nf4", 0.56}, {"gptq4", 0.53}, {"int4", 0.53}, {"int8", 1.05}};
    const char *quant = strchr(text, '+');
    for (size_t i = 0; quant != NULL && i < sizeof stored / sizeof stored[0]; i++)
        if (strstr(quant, stored[i].word) != NULL) {
            run->frozen_bytes = stored[i].bytes;
            break;
        }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (begins(text, known[i].prefix)) {
            run->precision = known[i].precision;
            return NULL;
        }
    return text[0] == '\0' ? "precision missing" : fz_row_unknown(f, "precision", text);
}

static const char *read_optimizer(fz_row_fields *f, const char *other, fz_training_run *run)
{
    char value[32];
    const char *text = fz_row_text(f, "optimizer");
    const char *option = fz_row_option(other, "optimizer", value, sizeof value);
    if (option != NULL && option[0] != '\0')
        text = option;
    run->optimizer = strstr(text, "8bit") != NULL   ? FZ_ADAM_8BIT
                     : strstr(text, "muon") != NULL ? FZ_MUON
                     : strstr(text, "sgd") != NULL  ? FZ_SGD
                                                    : FZ_ADAM;
    bool known = text[0] == '\0' || begins(text, "adam") || run->optimizer != FZ_ADAM;
    return known ? NULL : fz_row_unknown(f, "optimizer", text);
}

/* "partial" is the full recomputation of a few layers, which a step hardly feels: as none. */
static const char *read_recompute(fz_row_fields *f, const char *other, fz_training_run *run)
{
    char value[32];
    const char *text = fz_row_text(f, "recompute");
    run->recompute = strcmp(text, "full") == 0        ? FZ_RECOMPUTE_FULL
                     : strcmp(text, "selective") == 0 ? FZ_RECOMPUTE_SELECTIVE
                                                      : FZ_RECOMPUTE_NONE;
    const char *method = fz_row_option(other, "recompute-method", value, sizeof value);
    if (method != NULL && strcmp(method, "block") == 0)
        run->recompute_layers = fz_row_degree(f, "recompute_layers");
    run->dropped = fz_row_dropped_parts(other);
    bool known = run->recompute != FZ_RECOMPUTE_NONE || text[0] == '\0' || strcmp(text, "none") == 0 ||
                 strcmp(text, "partial") == 0;
    return known ? NULL : fz_row_unknown(f, "recompute", text);
}

static void read_parallel(fz_row_fields *f, const char *other, fz_training_run *run)
{
    run->data = fz_row_gpus(f, "dp");
    run->tensor = fz_row_degree(f, "tp");
    run->pipeline = fz_row_degree(f, "pp");
    run->virtual_stages = fz_row_degree(f, "vpp");
    run->context = fz_row_degree(f, "cp");
    run->expert = fz_row_degree(f, "ep");
    run->expert_tensor = fz_row_degree(f, "etp");
    run->zero = (uint8_t)fz_row_up_to(f, "zero", 3);
    run->sequence_parallel = fz_row_up_to(f, "sp", 1) != 0;
    run->optimizer_instances = (uint32_t)fz_row_option_count(other, "num-distributed-optimizer-instances");
    run->first_stage_layers = (uint32_t)fz_row_option_count(other, "decoder-first-pipeline-num-layers");
    run->last_stage_layers = (uint32_t)fz_row_option_count(other, "decoder-last-pipeline-num-layers");
    run->ends_as_layers = fz_row_option_on(other, "account-for-embedding-in-pipeline-split");
    run->predict_layers = (uint32_t)fz_row_option_count(other, "mtp-num-layers");
}

static const char *read_tuning(fz_row_fields *f, fz_training_run *run)
{
    const char *text = fz_row_text(f, "tuning");
    bool full = text[0] == '\0' || strcmp(text, "pretrain") == 0 || strcmp(text, "full") == 0;
    run->tuning = full ? FZ_TUNE_FULL : FZ_TUNE_ADAPTER;
    run->trainable = fz_row_number(f, "trainable_params", 0);
    run->embeddings_trained = strstr(text, "+emb") != NULL;
    bool adapter = begins(text, "lora") || begins(text, "qlora") || begins(text, "adapter");
    return full || adapter ? NULL : fz_row_unknown(f, "tuning", text);
}

/* Whether the figure is what the driver shows (the default), what the allocator holds, or less. */
static const char *read_metric(fz_row_fields *f, fz_run_row *row)
{
    const char *text = fz_row_text(f, "metric");
    row->run.metric = begins(text, "max_allocated") || begins(text, "max_active") ? FZ_METRIC_ALLOCATED
                      : begins(text, "max_reserved")                              ? FZ_METRIC_RESERVED
                      : begins(text, "unspecified")                               ? FZ_METRIC_UNSPECIFIED
                                                                                  : FZ_METRIC_DEVICE;
    row->computed = begins(text, "model+optimizer");
    if (row->computed)
        row->run.metric = FZ_METRIC_ALLOCATED;
    const char *rank = fz_row_text(f, "rank");
    row->run.rank = strcmp(rank, "last") == 0    ? FZ_RANK_LAST
                    : strcmp(rank, "first") == 0 ? FZ_RANK_FIRST
                                                 : FZ_RANK_MAX;
    bool known = row->run.metric != FZ_METRIC_DEVICE || text[0] == '\0' || begins(text, "nvidia-smi") ||
                 strcmp(text, "fits") == 0 || strcmp(text, "oom") == 0;
    return known ? NULL : fz_row_unknown(f, "metric", text);
}

/* ---- whether the row says enough ------------------------------------------------------------------------ */

static uint32_t at_least_one(uint32_t degree)
{
    return degree > 0 ? degree : 1;
}

static const char *missing_field(const fz_row_fields *f)
{
    static const char *const needed[] = {"layers", "hidden",  "heads",      "ffn",
                                         "vocab",  "seq_len", "micro_batch"};
    static const char *const reasons[] = {"layers missing",     "hidden missing", "heads missing",
                                          "ffn missing",        "vocab missing",  "seq_len missing",
                                          "micro_batch missing"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!fz_row_has(f, needed[i]) || strcmp(fz_row_text(f, needed[i]), "0") == 0)
            return reasons[i];
    return NULL;
}

/* Degrees must multiply to the GPUs. A model laid out layer by layer over the GPUs of one process
 * ("device_map2") is a pipeline with one micro-batch in flight. */
static const char *settle_degrees(fz_row_fields *f, const char *other, fz_training_run *run)
{
    uint64_t gpus = fz_row_gpus(f, "n_gpus");
    uint64_t others =
        (uint64_t)at_least_one(run->tensor) * at_least_one(run->pipeline) * at_least_one(run->context);
    if (strstr(other, "device_map") != NULL && gpus > 1 && others == 1) {
        run->pipeline = (uint32_t)gpus;
        run->micro_batches = 1;
        return NULL;
    }
    if (!fz_row_has(f, "dp") && gpus > 0 && gpus % others == 0)
        run->data = (uint32_t)(gpus / others);
    if (gpus > 0 && run->data * others != gpus)
        return "degrees do not multiply to n_gpus";
    uint64_t share = fz_row_count(f, "micro_batch") * at_least_one(run->data);
    run->micro_batches = share > 0 ? fz_row_count(f, "global_batch") / share : 0;
    return NULL;
}

static const char *why_not(fz_row_fields *f, const char *other, const char *degrees, fz_run_row *row)
{
    fz_error error = {0};
    const char *missing = missing_field(f);
    if (missing != NULL)
        return missing;
    const char *strange = fz_row_strange_key(other);
    if (strange != NULL)
        return fz_row_copy(f, strange);
    if (degrees != NULL)
        return degrees;
    if (fz_model_complete(&row->model, &error) != FZ_OK || fz_memory_check(&row->run, &error) != FZ_OK)
        return fz_row_copy(f, error.message);
    return NULL;
}

static const char *first_of(const char *a, const char *b)
{
    return a != NULL ? a : b;
}

static const char *read_peak(fz_row_fields *f, fz_run_row *row)
{
    const char *text = fz_row_text(f, "outcome");
    row->outcome = strcmp(text, "fits") == 0  ? FZ_ROW_FITS
                   : strcmp(text, "oom") == 0 ? FZ_ROW_OOM
                                              : FZ_ROW_OK;
    row->measured = row->outcome == FZ_ROW_OK ? fz_row_number(f, "mem_gib", 0) * (double)FZ_GIB : 0;
    if (row->outcome != FZ_ROW_OK)
        row->run.metric = FZ_METRIC_DEVICE;
    bool known = row->outcome != FZ_ROW_OK || text[0] == '\0' || strcmp(text, "ok") == 0;
    return known ? NULL : fz_row_unknown(f, "outcome", text);
}

/* tokens/s of a GPU, else seconds of a step, else sequences/s of all GPUs. */
static const char *read_step(fz_row_fields *f, fz_run_row *row)
{
    double sequences = (double)row->global_batch;
    double gpus = row->gpus > 0 ? row->gpus : 1;
    double tokens = fz_row_number(f, "tokens_per_s_gpu", 0);
    double samples = fz_row_number(f, "samples_per_s_total", 0);
    row->measured = fz_row_number(f, "sec_per_iter", 0);
    if (tokens > 0)
        row->measured = sequences * (double)row->run.seq_len / (tokens * gpus);
    else if (!(row->measured > 0) && samples > 0)
        row->measured = sequences / samples;
    return NULL;
}

/* "4x100Gb Omni-Path per node", "400Gb/s RDMA per GPU", "8x200Gb IB": Gb/s of one GPU; 0 where nothing is said. */
static double link_gbps(const char *text, uint32_t node_gpus)
{
    const char *unit = strstr(text, "Gb");
    const char *from = unit;
    while (from != NULL && from > text && from[-1] >= '0' && from[-1] <= '9')
        from--;
    if (from == NULL || from == unit)
        return 0;
    double each = strtod(from, NULL);
    double count = 1;
    if (from > text + 1 && from[-1] == 'x') {
        const char *first = from - 1;
        while (first > text && first[-1] >= '0' && first[-1] <= '9')
            first--;
        count = strtod(first, NULL);
    }
    return strstr(text, "per GPU") != NULL ? each : each * count / (node_gpus > 0 ? node_gpus : 8);
}

static void read_size(fz_row_fields *f, fz_run_row *row)
{
    uint64_t data = row->run.data > 0 ? row->run.data : 1;
    row->gpus = fz_row_gpus(f, "n_gpus");
    row->node_gpus = fz_row_gpus(f, "gpus_per_node");
    row->link_gbps = link_gbps(fz_row_text(f, "interconnect"), row->node_gpus);
    row->global_batch = fz_row_count(f, "global_batch");
    if (row->global_batch == 0)
        row->global_batch = row->run.micro_batch * data;
}

fz_status fz_run_row_read(fz_row_fields *f, fz_run_kind kind, fz_run_row *row)
{
    const char *other = fz_row_keep(f, "other");
    row->id = fz_row_keep(f, "id");
    row->source = fz_row_keep(f, "source");
    row->framework = fz_row_keep(f, "framework");
    row->name = fz_row_keep(f, "model");
    row->gpu = cut_question(f, "gpu");
    row->gpu_doubtful = strchr(fz_row_text(f, "gpu"), '?') != NULL;
    row->ci_log = strstr(fz_row_text(f, "source_ref"), "golden_values") != NULL;
    row->line = fz_csv_line(f->csv);
    row->run.model = &row->model;
    row->run.profile = fz_memory_profile_find(row->framework);
    fz_row_read_model(f, other, &row->model);
    row->model.name = row->name;
    row->run.seq_len = fz_row_count(f, "seq_len");
    row->run.micro_batch = fz_row_count(f, "micro_batch");
    read_parallel(f, other, &row->run);
    const char *degrees = settle_degrees(f, other, &row->run);
    const char *unknown = read_recompute(f, other, &row->run);
    unknown = first_of(unknown, read_tuning(f, &row->run));
    unknown = first_of(unknown, read_metric(f, row));
    row->run.dropout = fz_row_has_dropout(row, other);
    row->run.flash_attention = fz_row_up_to(f, "flash_attn", 1) != 0 && !fz_row_is_local(other) &&
                               !fz_row_flash_ruled_out(row, other);
    row->run.fused_loss = fz_row_option_on(other, "cross-entropy-loss-fusion");
    row->run.offload_activations = strstr(fz_row_text(f, "offload"), "activations") != NULL;
    const char *precision = read_precision(f, &row->run);
    const char *optimizer = read_optimizer(f, other, &row->run);
    unknown = first_of(unknown, first_of(precision, optimizer));
    read_size(f, row);
    unknown = first_of(unknown, kind == FZ_RUNS_MEMORY ? read_peak(f, row) : read_step(f, row));
    row->skip = first_of(why_not(f, other, degrees, row), unknown);
    if (row->skip == NULL && row->outcome == FZ_ROW_OK && !(row->measured > 0))
        row->skip = "nothing measured";
    return f->status;
}
