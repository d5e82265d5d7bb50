/* Two writings of one thing: the weights that the memory estimator puts on a lone GPU are the exact count of
 * parameters, for every bundled model. */
#include <frenzy/memory_terms.h>
#include <frenzy/params.h>

#include <stdio.h>

#include "tests/harness.h"
#include "workloads/models.h"

static double weights(const fz_model *model, const fz_memory_traits *traits)
{
    fz_training_run run = {.model = model, .seq_len = 128, .micro_batch = 1, .precision = FZ_FP32};
    fz_memory_terms terms;
    fz_memory_stage_terms(&run, traits, 0, &terms);
    return terms.weights;
}

static void weights_are_the_parameters(void)
{
    const fz_memory_traits traits = {.pads_vocab = false};
    fz_arena *arena = fz_arena_new(NULL);
    uint32_t count;
    const char *const *names = fz_model_names(&count);
    for (uint32_t i = 0; i < count; i++) {
        fz_model model = {0};
        CU_ASSERT_EQUAL_FATAL(fz_model_find(names[i], arena, &model, NULL), FZ_OK);
        double expected = 4 * (double)fz_model_params(&model); /* bytes; exact below 2^53 */
        CU_ASSERT_EQUAL(weights(&model, &traits), expected);
        if (weights(&model, &traits) != expected)
            printf("\n%s: %.0f bytes of weights, expected %.0f\n", names[i], weights(&model, &traits),
                   expected);
    }
    fz_arena_free(arena);
}

int main(void)
{
    static const fz_test tests[] = {{"weights are the parameters", weights_are_the_parameters}};
    return FZ_TEST_MAIN("memory_params", tests);
}
