/* Resource plans: how many GPUs, how the work is split over them, and what each GPU must hold. */
#ifndef FRENZY_PLAN_H
#define FRENZY_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include <frenzy/export.h>
#include <frenzy/gpu.h>

#ifdef __cplusplus
extern "C" {
#endif

/* N = data * tensor * pipeline GPUs. An opaque job (a GPU count and a duration, no model) has
 * data = tensor = pipeline = 0 and only `gpus`. */
typedef struct fz_plan {
    uint32_t gpus;        /* N >= 1 */
    uint32_t data;        /* d, data parallel degree; up to N */
    uint16_t tensor;      /* t, tensor parallel degree */
    uint16_t pipeline;    /* p, pipeline parallel degree */
    uint16_t zero;        /* ZeRO stage 0..3 */
    uint8_t recompute;    /* fz_recompute; plans of the published formula have none */
    uint32_t micro_batch; /* sequences at a time; 0: the published formula does not know it */
    uint64_t mem_bytes;   /* S, peak memory per GPU that must be there; 0 for "no demand known" */
    uint64_t
        expected_bytes; /* the prediction itself, where mem_bytes is the end of an interval; 0: mem_bytes */
    fz_type_mask types; /* GPU types of the cluster on which the plan may run */
} fz_plan;

/* `d2t4p1z0`, or an empty text for an opaque plan. Returns the length without the zero; `size` of 32
 * always suffices. */
FZ_API size_t fz_plan_format(const fz_plan *plan, char *text, size_t size);

/* True when the two run alike: same GPUs, degrees, recomputation and micro-batch (types and memory are not compared). */
FZ_API int fz_plan_same_shape(const fz_plan *a, const fz_plan *b);

#ifdef __cplusplus
}
#endif
#endif
