#include <frenzy/gpu.h>

#define TYPICAL_SHARE 0.79 /* achieved over peak: see fz_gpu_rate() */
#define TFLOP         1e12

double fz_gpu_rate(const fz_gpu_rates *rates, fz_origin *origin)
{
    *origin = FZ_ORIGIN_MEASURED;
    if (rates->measured_fp16_tflops > 0)
        return rates->measured_fp16_tflops * TFLOP;
    if (rates->compute_capability >= 8.0 && rates->measured_bf16_tflops > 0)
        return rates->measured_bf16_tflops * TFLOP;
    *origin = FZ_ORIGIN_CATALOG;
    if (rates->peak_fp16_tflops > 0)
        return TYPICAL_SHARE * rates->peak_fp16_tflops * TFLOP;
    if (rates->peak_fp32_tflops > 0)
        return TYPICAL_SHARE * rates->peak_fp32_tflops * TFLOP;
    *origin = FZ_ORIGIN_NONE;
    return 0;
}

const char *fz_origin_name(fz_origin origin)
{
    switch (origin) {
    case FZ_ORIGIN_NONE:
        return "none";
    case FZ_ORIGIN_DEFAULT:
        return "default";
    case FZ_ORIGIN_CATALOG:
        return "catalog";
    case FZ_ORIGIN_MEASURED:
        return "measured";
    }
    return "none";
}
