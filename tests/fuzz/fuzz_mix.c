/* Any bytes as a model mix; one that is accepted has a model for every size. */
#include <assert.h>
#include <math.h>

#include "workloads/mix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_mix *mix = NULL;
    fz_error err = {0};
    if (fz_mix_parse("fuzz", (const char *)data, size, &mix, &err) != FZ_OK) {
        assert(err.message[0] != '\0');
        return 0;
    }
    for (uint32_t i = 0; i < 40; i++) {
        fz_mix_draw draw = fz_mix_draw_of(fz_mix_class_of(mix, pow(2, i) / 4), 1, i);
        double steps = fz_mix_steps(mix, &draw, pow(3, i));
        assert(draw.model->params >= 1 && draw.seq_len >= 1 && draw.global_batch >= 1);
        assert(isfinite(steps) && steps >= 1);
    }
    fz_mix_free(mix);
    return 0;
}
