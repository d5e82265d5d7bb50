#include <frenzy/memory.h>

#include <math.h>

#include <frenzy/memory_terms.h>

fz_status fz_memory_prepare(const fz_training_run *run, double confidence, fz_memory_basis *out,
                            fz_error *err)
{
    fz_fitted_table table = fz_memory_table();
    if (!(confidence >= 0.5 && confidence <= 0.98))
        return fz_fail(err, FZ_EINVAL, "confidence %g: 0.5 to 0.98 is expected", confidence);
    const fz_fitted_node *spread = fz_fitted_spread_of(table, run, run->tuning);
    *out = (fz_memory_basis){
        .traits = &fz_memory_framework_of(run->profile)->traits,
        .constants = fz_fitted_of(table, run)->constants,
        .lo = exp(fz_fitted_quantile(spread, run->tuning, (1 - confidence) / 2)),
        .hi = exp(fz_fitted_quantile(spread, run->tuning, (1 + confidence) / 2)),
    };
    return FZ_OK;
}

double fz_memory_need(const fz_memory_basis *basis, const fz_training_run *run)
{
    fz_memory_terms terms;
    return fz_memory_fullest(run, basis->traits, basis->constants, &terms);
}

fz_status fz_memory_estimate(const fz_training_run *run, double confidence, fz_memory *out, fz_error *err)
{
    fz_memory_basis basis = {0};
    fz_memory_terms terms = {0};
    FZ_TRY(fz_memory_check(run, err));
    FZ_TRY(fz_memory_prepare(run, confidence, &basis, err));
    out->need = fz_memory_fullest(run, basis.traits, basis.constants, &terms);
    (void)fz_memory_sum(&terms, basis.constants, run->metric, &out->parts);
    out->stage = terms.stage;
    out->lo = out->need * basis.lo;
    out->hi = out->need * basis.hi;
    return FZ_OK;
}
