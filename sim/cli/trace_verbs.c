#include "sim/cli/trace_verbs.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/inputs.h"
#include "sim/cli/json.h"
#include "sim/cli/say.h"

fz_status fz_trace_out_check(const fz_args *args, const char *input, fz_error *err)
{
    const char *out = fz_args_get(args, "out");
    if (fz_args_has(args, "json") && (out == NULL || strcmp(out, "-") == 0))
        return fz_fail(err, FZ_EUSAGE, "--json and the trace both want standard output; give --out a file");
    return fz_output_spares("out", out, input, err);
}

int fz_trace_put(const fz_args *args, const fz_trace *trace, const char *schema)
{
    const char *out = fz_args_get(args, "out");
    fz_error err = {0};
    if (fz_trace_write(trace, out != NULL ? out : "-", &err) != FZ_OK)
        return fz_say_error(&err);
    if (fz_args_has(args, "json")) {
        fz_json json = fz_json_start(stdout, schema);
        fz_json_count(&json, "jobs", trace->n_jobs);
        fz_json_text(&json, "out", out);
        fz_json_end(&json);
    }
    return FZ_EXIT_DONE;
}
