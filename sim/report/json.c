#include "sim/report/write.h"

static void key_write(fz_output *out, const char *key)
{
    fz_report_json_text(out, key);
    fz_output_text(out, ": ");
}

static void estimate_write(fz_output *out, const fz_estimate *e)
{
    if (e->n == 0) {
        fz_output_text(out, "null");
        return;
    }
    const double values[] = {e->mean, e->low, e->high};
    static const char *const keys[] = {"mean", "low", "high"};
    fz_output_text(out, "{");
    for (int i = 0; i < 3; i++) {
        key_write(out, keys[i]);
        fz_report_json_number(out, values[i]);
        fz_output_text(out, ", ");
    }
    fz_report_format(out, "\"seeds\": %u, \"kind\": \"%s\"}", e->n,
                     e->n == 1     ? "single"
                     : e->interval ? "95%"
                                   : "range");
}

static void contender_write(fz_output *out, const fz_contender *self)
{
    fz_output_text(out, "      {\"label\": ");
    fz_report_json_text(out, self->label);
    fz_output_text(out, ", \"scheduler\": ");
    fz_report_json_text(out, self->scheduler);
    fz_report_format(out, ", \"runs\": %u, \"failed\": %u, \"unstable\": %u, \"p\": ", self->n_runs,
                     self->n_failed, self->n_unstable);
    if (self->versus[FZ_FIGURE_JCT_AVG].interval)
        fz_report_json_number(out, self->p);
    else
        fz_output_text(out, "null");
    for (int pass = 0; pass < 2; pass++) {
        const fz_estimate *estimates = pass == 0 ? self->figures : self->versus;
        fz_report_format(out, ",\n       \"%s\": {", pass == 0 ? "figures" : "versus");
        for (int f = 0; f < FZ_N_FIGURES; f++) {
            fz_output_text(out, f > 0 ? ",\n         " : "\n         ");
            key_write(out, fz_figures[f].key);
            estimate_write(out, &estimates[f]);
        }
        fz_output_text(out, "}");
    }
    fz_output_text(out, "}");
}

static void scenario_write(fz_output *out, const fz_scenario_results *scenario)
{
    fz_output_text(out, "    {\"scenario\": ");
    fz_report_json_text(out, scenario->text);
    fz_output_text(out, ", \"load\": ");
    if (scenario->load > 0)
        fz_report_json_number(out, scenario->load);
    else
        fz_output_text(out, "null");
    fz_output_text(out, ", \"baseline\": ");
    fz_report_json_text(out, scenario->contenders[scenario->baseline].label);
    fz_output_text(out, ",\n     \"sentence\": ");
    fz_report_json_text(out, scenario->sentence);
    fz_output_text(out, ",\n     \"schedulers\": [\n");
    for (uint32_t i = 0; i < scenario->n_contenders; i++) {
        fz_output_text(out, i > 0 ? ",\n" : "");
        contender_write(out, &scenario->contenders[i]);
    }
    fz_output_text(out, "]}");
}

fz_status fz_results_json(const fz_results *results, const char *path, fz_error *err)
{
    fz_output *out = NULL;
    FZ_TRY(fz_output_open(path, &out, err));
    fz_report_format(out, "{\"schema\": \"frenzy-report-1\",\n \"failed_runs\": %u,\n \"scenarios\": [\n",
                     results->n_failures);
    for (uint32_t i = 0; i < results->n_scenarios; i++) {
        fz_output_text(out, i > 0 ? ",\n" : "");
        scenario_write(out, &results->scenarios[i]);
    }
    fz_output_text(out, "]}\n");
    return fz_output_commit(out, err);
}
