#include "sim/cli/trace_verbs.h"

#include <stdio.h>
#include <string.h>

#include "core/support/number.h"
#include "sim/cli/inputs.h"
#include "sim/cli/json.h"
#include "sim/cli/say.h"
#include "workloads/formats/formats.h"

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

int fz_trace_verb_open(const fz_args *args, fz_trace **trace)
{
    fz_trace_report report = {0};
    fz_error err = {0};
    if (fz_trace_out_check(args, args->rest[0], &err) != FZ_OK)
        return fz_say_error(&err);
    return fz_trace_open(args->rest[0], FZ_BAD_ROWS_DEFAULT, trace, &report);
}

int fz_trace_verb_end(const fz_args *args, fz_status status, fz_trace *trace, fz_trace *made,
                      const char *schema, fz_error *err)
{
    /* What an option asks for and the trace cannot give. */
    if (status == FZ_EINVAL)
        err->status = FZ_EUSAGE;
    int code = status == FZ_OK ? fz_trace_put(args, made, schema) : fz_say_error(err);
    fz_trace_free(trace);
    fz_trace_free(made);
    return code;
}

/* Seconds of the unit behind a number; 0: there is no such unit. */
static double unit_of(char letter)
{
    static const char letters[] = "smhdw";
    static const double seconds[] = {1, 60, 3600, 86400, 604800};
    const char *at = strchr(letters, letter);
    return letter != '\0' && at != NULL ? seconds[at - letters] : 0;
}

fz_status fz_trace_time_option(const fz_args *args, const char *name, const fz_trace *trace, fz_time *out,
                               fz_error *err)
{
    const char *text = fz_args_get(args, name);
    fz_time wall = 0, epoch = 0;
    double number = 0;
    if (text == NULL)
        return FZ_OK;
    size_t length = strlen(text);
    if (fz_number_time(text, length, out) == FZ_NUMBER_OK)
        return FZ_OK;
    if (fz_wall_time_parse(text, &wall)) {
        if (!fz_wall_time_parse(trace->epoch, &epoch))
            return fz_fail(err, FZ_EUSAGE, "--%s: the trace has no epoch; give seconds, or such as 1.5d",
                           name);
        *out = wall - epoch;
        return FZ_OK;
    }
    double unit = length > 1 ? unit_of(text[length - 1]) : 0;
    if (unit <= 0 || fz_number_real(text, length - 1, &number) != FZ_NUMBER_OK || number < 0 ||
        number * unit > fz_time_to_s(FZ_TIME_LIMIT))
        return fz_fail(err, FZ_EUSAGE,
                       "--%s: '%.60s' is no time; such as 3600, 1.5d or 2017-10-02T00:00:00 is expected",
                       name, text);
    *out = (fz_time)(number * unit * (double)FZ_SECOND + 0.5);
    return FZ_OK;
}
