#include "calib/fit/memory_prior.h"

/* A logit is kept in 16 bit, in fp32, and as a gradient of either: 6 to 12 bytes. The others start small. */
const fz_memory_prior fz_memory_priors[FZ_MC_N] = {
    [FZ_MC_LOGITS] = {8, 4, 4, 0},
    [FZ_MC_FUSED_LOSS] = {0, 2, 2, -6},
    [FZ_MC_WORK] = {1, 1, 1, 0},
    [FZ_MC_GATHER] = {2, 1, 1, 0},
    [FZ_MC_ROOT] = {1, 1, 1, 0},
    [FZ_MC_FIXED] = {0.2, 0.2, 0.3, 0},
    [FZ_MC_ACTIVATIONS] = {0, 0.1, 0.2, -0.8},
    [FZ_MC_STATES] = {0, 0.05, 0.1, -0.5},
    [FZ_MC_STEP] = {0.5, 0.5, 0.5, 0},
    [FZ_MC_BUCKETS] = {0.2, 0.3, 0.5, 0},
    [FZ_MC_FRAGMENTATION] = {0.06, 0.05, 0.05, 0},
    [FZ_MC_CONTEXT] = {0.8, 0.4, 0.4, 0},
    [FZ_MC_COMMUNICATOR] = {0.3, 0.2, 0.3, 0},
    [FZ_MC_UNSPECIFIED] = {0.05, 0.05, 0.05, 0},
    [FZ_MC_UNSPECIFIED_CONTEXT] = {0.5, 0.5, 0.5, 0},
};

const char *const fz_memory_constant_names[FZ_MC_N] = {
    "logits",        "fused_loss",  "work",         "gather",      "root",
    "fixed",         "activations", "states",       "step",        "buckets",
    "fragmentation", "context",     "communicator", "unspecified", "unspecified_context",
};
