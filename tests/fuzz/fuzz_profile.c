/* Any bytes as a profile; a profile that is accepted makes a sane trace. */
#include "tests/fuzz/trace_sane.h"
#include "workloads/generate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_profile *profile = NULL;
    fz_trace *trace = NULL;
    fz_error err = {0};
    if (fz_profile_parse("fuzz", (const char *)data, size, &profile, &err) != FZ_OK) {
        assert(err.message[0] != '\0');
        return 0;
    }
    assert(isfinite(fz_profile_shift_variance(profile)));
    /* Hours go by one at a time: a rate of one job in a century would take a while. */
    fz_generate_options options = {.jobs = 20, .seed = 3, .jobs_per_h = 5};
    if (fz_generate(profile, &options, &trace, &err) == FZ_OK) {
        assert(trace->n_jobs == 20);
        trace_sane(trace);
        for (uint32_t job = 0; trace->duration != NULL && job < 20; job++)
            assert(trace->duration[job] >= 0 && trace->duration[job] <= FZ_TIME_LIMIT);
    } else {
        assert(err.message[0] != '\0');
    }
    fz_trace_free(trace);
    fz_profile_free(profile);
    return 0;
}
