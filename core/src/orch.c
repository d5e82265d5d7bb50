#include "orch_state.h"

static uint32_t words_of(uint32_t gpus)
{
    return (gpus + 63) / 64;
}

static uint64_t full_word(uint32_t gpus)
{
    return gpus >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << gpus) - 1;
}

static void words_number(fz_orch *orch, const fz_cluster_spec *spec)
{
    uint32_t gpu = 0;
    uint32_t word = 0;
    for (uint32_t node = 0; node < spec->n_nodes; node++) {
        orch->nodes[node].word_at = word;
        for (uint32_t left = spec->nodes[node].gpus; left > 0;) {
            uint32_t here = left < 64 ? left : 64;
            orch->words[word++] = (fz_orch_word){.idle = full_word(here), .node = node, .gpu_at = gpu};
            gpu += here;
            left -= here;
        }
    }
}

fz_status fz_orch_new(fz_arena *arena, const fz_cluster_spec *spec, uint32_t max_holders, fz_orch **out,
                      fz_error *err)
{
    fz_orch *orch = FZ_NEW(arena, 1, fz_orch);
    if (orch == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for an orchestrator");
    FZ_TRY(fz_cluster_new(arena, spec, &orch->cluster, err));
    for (uint32_t node = 0; node < spec->n_nodes; node++)
        orch->n_words += words_of(spec->nodes[node].gpus);
    uint32_t n_gpus = fz_cluster_gpus(orch->cluster, FZ_ALL_TYPES);
    orch->max_holders = max_holders;
    orch->first = FZ_NEW(arena, max_holders, uint32_t);
    orch->parts = FZ_NEW(arena, (size_t)n_gpus + 1, fz_orch_part);
    orch->holder = FZ_NEW(arena, n_gpus, fz_holder);
    orch->nodes = FZ_NEW(arena, spec->n_nodes, fz_orch_node);
    orch->words = FZ_NEW(arena, orch->n_words, fz_orch_word);
    if (orch->first == NULL || orch->parts == NULL || orch->holder == NULL || orch->nodes == NULL ||
        orch->words == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for an orchestrator of %u GPUs", n_gpus);
    words_number(orch, spec);
    *out = orch;
    return FZ_OK;
}

const fz_cluster *fz_orch_cluster(const fz_orch *orch)
{
    return orch->cluster;
}

/* ---- leasing ------------------------------------------------------------------------------------- */

static bool lease_possible(fz_orch *orch, fz_holder holder, const fz_placement *where)
{
    if (holder >= orch->max_holders || orch->first[holder] != 0 || where->n_parts == 0)
        return false;
    uint32_t number = ++orch->lease_number;
    if (number == 0) /* wrapped: 2^32 leases later an old mark must not match */
        number = orch->lease_number = 1;
    for (uint32_t i = 0; i < where->n_parts; i++) {
        const fz_part *part = &where->parts[i];
        if (part->node >= orch->cluster->spec->n_nodes || part->gpus == 0 ||
            part->gpus > orch->cluster->nodes[part->node].idle || orch->nodes[part->node].seen == number)
            return false;
        orch->nodes[part->node].seen = number;
    }
    return true;
}

static uint32_t part_take(fz_orch *orch)
{
    uint32_t at = orch->spare;
    if (at != 0)
        orch->spare = orch->parts[at].next;
    else
        at = ++orch->used;
    return at;
}

/* Takes up to `gpus` of the lowest idle GPUs of a word; the part that says which. */
static fz_orch_part word_take(fz_orch *orch, fz_holder holder, uint32_t at, uint32_t gpus)
{
    fz_orch_word *word = &orch->words[at];
    fz_orch_part part = {.word = at};
    uint64_t idle = word->idle;
    for (; idle != 0 && part.gpus < gpus; idle &= idle - 1, part.gpus++)
        orch->holder[word->gpu_at + (uint32_t)__builtin_ctzll(idle)] = holder;
    part.mask = word->idle & ~idle;
    word->idle = idle;
    return part;
}

/* Takes the lowest idle GPUs of a node and appends them to the chain; returns its new end. */
static uint32_t *node_take(fz_orch *orch, fz_holder holder, const fz_part *part, uint32_t *tail)
{
    uint32_t at = orch->nodes[part->node].word_at;
    for (uint32_t left = part->gpus; left > 0; at++) {
        fz_orch_part taken = word_take(orch, holder, at, left);
        if (taken.gpus == 0)
            continue;
        left -= taken.gpus;
        *tail = part_take(orch);
        orch->parts[*tail] = taken;
        tail = &orch->parts[*tail].next;
    }
    fz_cluster_set_node_idle(orch->cluster, part->node, orch->cluster->nodes[part->node].idle - part->gpus);
    return tail;
}

bool fz_orch_lease(fz_orch *orch, fz_holder holder, const fz_placement *where)
{
    if (!lease_possible(orch, holder, where))
        return false;
    uint32_t *tail = &orch->first[holder];
    for (uint32_t i = 0; i < where->n_parts; i++)
        tail = node_take(orch, holder, &where->parts[i], tail);
    *tail = 0;
    return true;
}

fz_type_mask fz_orch_release(fz_orch *orch, fz_holder holder)
{
    fz_type_mask grown = 0;
    uint32_t at = holder < orch->max_holders ? orch->first[holder] : 0;
    if (at != 0)
        orch->first[holder] = 0;
    while (at != 0) {
        fz_orch_part *part = &orch->parts[at];
        fz_orch_word *word = &orch->words[part->word];
        fz_node_state *node = &orch->cluster->nodes[word->node];
        word->idle |= part->mask;
        grown |= FZ_TYPE_BIT(node->type);
        fz_cluster_set_node_idle(orch->cluster, word->node, node->idle + part->gpus);
        uint32_t next = part->next;
        part->next = orch->spare;
        orch->spare = at;
        at = next;
    }
    return grown;
}

void fz_orch_prefetch(const fz_orch *orch, fz_holder holder)
{
    const fz_orch_part *part = &orch->parts[orch->first[holder]];
    __builtin_prefetch(part, 1);
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* The word of a GPU: by bisection over the first GPUs of words. */
static const fz_orch_word *word_of(const fz_orch *orch, uint32_t gpu)
{
    uint32_t low = 0;
    uint32_t high = orch->n_words;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (orch->words[middle].gpu_at <= gpu)
            low = middle;
        else
            high = middle;
    }
    return &orch->words[low];
}

fz_holder fz_orch_holder_of(const fz_orch *orch, uint32_t gpu)
{
    const fz_orch_word *word = word_of(orch, gpu);
    bool idle = (word->idle >> (gpu - word->gpu_at) & 1) != 0;
    return idle ? FZ_NO_HOLDER : orch->holder[gpu];
}

void fz_orch_placement(const fz_orch *orch, fz_holder holder, fz_placement *out)
{
    out->n_parts = 0;
    out->gpus = 0;
    for (uint32_t at = orch->first[holder]; at != 0; at = orch->parts[at].next) {
        const fz_orch_part *part = &orch->parts[at];
        uint32_t node = orch->words[part->word].node;
        if (out->n_parts == 0 || out->parts[out->n_parts - 1].node != node)
            out->parts[out->n_parts++] = (fz_part){.node = node};
        out->parts[out->n_parts - 1].gpus += part->gpus;
        out->gpus += part->gpus;
    }
}

uint32_t fz_orch_gpus(const fz_orch *orch, fz_holder holder, uint32_t *gpus, uint32_t capacity)
{
    uint32_t n = 0;
    for (uint32_t at = orch->first[holder]; at != 0; at = orch->parts[at].next)
        for (uint64_t mask = orch->parts[at].mask; mask != 0; mask &= mask - 1, n++)
            if (n < capacity)
                gpus[n] = orch->words[orch->parts[at].word].gpu_at + (uint32_t)__builtin_ctzll(mask);
    return n;
}
