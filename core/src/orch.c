#include <frenzy/orch.h>

#include "cluster_state.h"

/* A lease is a chain of GPUs: `first` by holder, `next` by GPU. Numbers are kept plus one, so that the
 * zero pages of the arena mean "none" and an unused table costs no memory. */
struct fz_orch {
    fz_cluster *cluster;
    uint32_t max_holders;
    uint32_t n_gpus;
    uint32_t *first;   /* by holder: first GPU + 1 */
    uint32_t *next;    /* by GPU: next GPU of the lease + 1 */
    uint32_t *holder;  /* by GPU: holder + 1 */
    uint32_t *node_of; /* by GPU */
    uint32_t *gpu_at;  /* by node: its first GPU */
    uint32_t *word_at; /* by node: its first word in `idle` */
    uint64_t *idle;    /* one bit a GPU, words of a node together */
    uint32_t *seen;    /* by node: number of the lease that named it last */
    uint32_t lease_number;
};

static uint32_t words_of(uint32_t gpus)
{
    return (gpus + 63) / 64;
}

static void nodes_number(fz_orch *orch, const fz_cluster_spec *spec)
{
    uint32_t gpu = 0;
    uint32_t word = 0;
    for (uint32_t node = 0; node < spec->n_nodes; node++) {
        orch->gpu_at[node] = gpu;
        orch->word_at[node] = word;
        for (uint32_t i = 0; i < spec->nodes[node].gpus; i++) {
            orch->node_of[gpu + i] = node;
            orch->idle[word + i / 64] |= (uint64_t)1 << (i % 64);
        }
        gpu += spec->nodes[node].gpus;
        word += words_of(spec->nodes[node].gpus);
    }
}

fz_status fz_orch_new(fz_arena *arena, const fz_cluster_spec *spec, uint32_t max_holders, fz_orch **out,
                      fz_error *err)
{
    fz_orch *orch = FZ_NEW(arena, 1, fz_orch);
    if (orch == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for an orchestrator");
    FZ_TRY(fz_cluster_new(arena, spec, &orch->cluster, err));
    uint32_t n_words = 0;
    for (uint32_t node = 0; node < spec->n_nodes; node++)
        n_words += words_of(spec->nodes[node].gpus);
    orch->n_gpus = fz_cluster_gpus(orch->cluster, FZ_ALL_TYPES);
    orch->max_holders = max_holders;
    orch->first = FZ_NEW(arena, max_holders, uint32_t);
    orch->next = FZ_NEW(arena, orch->n_gpus, uint32_t);
    orch->holder = FZ_NEW(arena, orch->n_gpus, uint32_t);
    orch->node_of = FZ_NEW(arena, orch->n_gpus, uint32_t);
    orch->gpu_at = FZ_NEW(arena, spec->n_nodes, uint32_t);
    orch->word_at = FZ_NEW(arena, spec->n_nodes, uint32_t);
    orch->seen = FZ_NEW(arena, spec->n_nodes, uint32_t);
    orch->idle = FZ_NEW(arena, n_words, uint64_t);
    if (orch->first == NULL || orch->next == NULL || orch->holder == NULL || orch->node_of == NULL ||
        orch->gpu_at == NULL || orch->word_at == NULL || orch->seen == NULL || orch->idle == NULL)
        return fz_fail(err, FZ_ENOMEM, "no memory for an orchestrator of %u GPUs", orch->n_gpus);
    nodes_number(orch, spec);
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
            part->gpus > orch->cluster->node_idle[part->node] || orch->seen[part->node] == number)
            return false;
        orch->seen[part->node] = number;
    }
    return true;
}

/* Takes the lowest idle GPUs of a node and appends them to the chain; returns its new end. */
static uint32_t *node_take(fz_orch *orch, fz_holder holder, const fz_part *part, uint32_t *tail)
{
    uint64_t *word = &orch->idle[orch->word_at[part->node]];
    uint32_t base = orch->gpu_at[part->node];
    for (uint32_t left = part->gpus; left > 0; word++, base += 64) {
        for (; *word != 0 && left > 0; left--, *word &= *word - 1) {
            uint32_t gpu = base + (uint32_t)__builtin_ctzll(*word);
            orch->holder[gpu] = holder + 1;
            *tail = gpu + 1;
            tail = &orch->next[gpu];
        }
    }
    fz_cluster_set_node_idle(orch->cluster, part->node, orch->cluster->node_idle[part->node] - part->gpus);
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

/* Gives back the leading GPUs of the chain that lie on one node; returns the rest of the chain. */
static uint32_t node_give(fz_orch *orch, uint32_t chain)
{
    uint32_t node = orch->node_of[chain - 1];
    uint32_t count = 0;
    while (chain != 0 && orch->node_of[chain - 1] == node) {
        uint32_t gpu = chain - 1;
        uint32_t place = gpu - orch->gpu_at[node];
        orch->idle[orch->word_at[node] + place / 64] |= (uint64_t)1 << (place % 64);
        orch->holder[gpu] = 0;
        chain = orch->next[gpu];
        count++;
    }
    fz_cluster_set_node_idle(orch->cluster, node, orch->cluster->node_idle[node] + count);
    return chain;
}

fz_type_mask fz_orch_release(fz_orch *orch, fz_holder holder)
{
    fz_type_mask grown = 0;
    uint32_t chain = holder < orch->max_holders ? orch->first[holder] : 0;
    while (chain != 0) {
        grown |= FZ_TYPE_BIT(orch->cluster->spec->nodes[orch->node_of[chain - 1]].type);
        chain = node_give(orch, chain);
    }
    if (grown != 0)
        orch->first[holder] = 0;
    return grown;
}

/* ---- reading ------------------------------------------------------------------------------------- */

fz_holder fz_orch_holder_of(const fz_orch *orch, uint32_t gpu)
{
    return orch->holder[gpu] - 1; /* 0 - 1 is FZ_NO_HOLDER */
}

uint32_t fz_orch_first(const fz_orch *orch, fz_holder holder)
{
    return orch->first[holder] - 1; /* 0 - 1 is FZ_NO_GPU */
}

uint32_t fz_orch_next(const fz_orch *orch, uint32_t gpu)
{
    return orch->next[gpu] - 1;
}

uint32_t fz_orch_node_of(const fz_orch *orch, uint32_t gpu)
{
    return orch->node_of[gpu];
}
