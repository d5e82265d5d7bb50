/* The trace event format: JSON objects with ph (M: names, X: slices, C: counters), ts and dur in microseconds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/support/timetext.h"
#include "sim/report/spans.h"
#include "sim/report/write.h"

/* ---- packed output -------------------------------------------------------------------------------------- */

typedef struct sink {
    fz_output *out;
    bool packed, failed;
    z_stream stream;
} sink;

static void deflate_some(sink *self, int flush)
{
    unsigned char piece[1 << 15];
    int code = Z_OK;
    do {
        self->stream.next_out = piece;
        self->stream.avail_out = sizeof(piece);
        code = deflate(&self->stream, flush);
        self->failed |= code == Z_STREAM_ERROR;
        fz_output_write(self->out, (const char *)piece, sizeof(piece) - self->stream.avail_out);
    } while (self->stream.avail_out == 0 && !self->failed);
}

static void write_text(sink *self, const char *text)
{
    if (!self->packed) {
        fz_output_text(self->out, text);
        return;
    }
    char *copy = strdup(text); /* zlib's input is not const */
    if (copy == NULL) {
        self->failed = true;
        return;
    }
    self->stream.next_in = (unsigned char *)copy;
    self->stream.avail_in = (unsigned int)strlen(copy);
    deflate_some(self, Z_NO_FLUSH);
    free(copy);
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t n = strlen(text);
    size_t m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

static fz_status sink_open(sink *self, const char *path, fz_error *err)
{
    enum { GZIP_WINDOW = 15 + 16, MEMORY = 8 };
    *self = (sink){.packed = has_suffix(path, ".gz")};
    if (self->packed && deflateInit2(&self->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY,
                                     Z_DEFAULT_STRATEGY) != Z_OK)
        return fz_fail(err, FZ_ENOMEM, "no memory to pack %s", path);
    fz_status status = fz_output_open(path, &self->out, err);
    if (status != FZ_OK && self->packed)
        deflateEnd(&self->stream);
    return status;
}

static fz_status sink_close(sink *self, fz_error *err)
{
    if (self->packed) {
        deflate_some(self, Z_FINISH);
        deflateEnd(&self->stream);
    }
    if (!self->failed)
        return fz_output_commit(self->out, err);
    fz_output_discard(self->out);
    return fz_fail(err, FZ_ENOMEM, "no memory to pack a trace");
}

/* ---- events --------------------------------------------------------------------------------------------- */

/* A text as a JSON string, cut to what an event shows. */
static void quoted(const char *text, char *out, size_t size)
{
    size_t at = 0;
    out[at++] = '"';
    for (; *text != '\0' && at + 8 < size; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            at += (size_t)snprintf(out + at, size - at, "\\%c", c);
        else if (c < 0x20)
            at += (size_t)snprintf(out + at, size - at, "\\u%04x", c);
        else
            out[at++] = (char)c;
    }
    out[at++] = '"';
    out[at] = '\0';
}

static void name_write(sink *out, const char *what, uint32_t pid, uint32_t tid, const char *name, bool first)
{
    char text[512];
    char id[256];
    quoted(name, id, sizeof(id));
    snprintf(text, sizeof(text),
             "%s{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":0,\"args\":{\"name\":%s}}",
             first ? "" : ",\n", what, pid, tid, id);
    write_text(out, text);
}

/* Process 0 is the cluster; node k is process k + 1, its GPUs are threads. */
static void names_write(sink *out, const fz_spans *spans)
{
    name_write(out, "process_name", 0, 0, "cluster", true);
    for (uint32_t n = 0; n < spans->n_nodes; n++) {
        name_write(out, "process_name", n + 1, 0, spans->nodes[n], false);
        for (uint32_t gpu = 0; gpu < spans->node_gpus[n]; gpu++) {
            char name[32];
            snprintf(name, sizeof(name), "GPU %u", gpu);
            name_write(out, "thread_name", n + 1, gpu, name, false);
        }
    }
}

static void slice_write(sink *out, const fz_spans *spans, const fz_span *span)
{
    char id[256], model[160], state[64];
    const fz_span_job *job = &spans->jobs[span->job];
    quoted(job->id, id, sizeof(id));
    quoted(job->model, model, sizeof(model));
    quoted(job->state, state, sizeof(state));
    for (uint32_t i = 0; i < span->gpus; i++) {
        char text[1024];
        snprintf(
            text, sizeof(text),
            ",\n{\"ph\":\"X\",\"name\":%s,\"cat\":\"job\",\"pid\":%u,\"tid\":%u,\"ts\":%lld,\"dur\":%lld,"
            "\"args\":{\"row\":%u,\"model\":%s,\"state\":%s,\"gpus\":%u,\"attempt\":%u}}",
            id, span->node + 1, span->gpu[i], (long long)span->start_us,
            (long long)(span->end_us - span->start_us), job->row, model, state, job->gpus, job->attempts);
        write_text(out, text);
    }
}

static void counters_write(sink *out, const fz_bin_row *bin)
{
    char text[512], alloc[FZ_NUMBER_TEXT], waiting[FZ_NUMBER_TEXT];
    long long at = llround(bin->start_s * 1e6);
    fz_number_text(100 * bin->alloc_frac, alloc);
    fz_number_text(bin->waiting, waiting);
    snprintf(
        text, sizeof(text),
        ",\n{\"ph\":\"C\",\"name\":\"queue\",\"pid\":0,\"tid\":0,\"ts\":%lld,\"args\":{\"waiting jobs\":%s}}"
        ",\n{\"ph\":\"C\",\"name\":\"allocation\",\"pid\":0,\"tid\":0,\"ts\":%lld,\"args\":{\"percent\":%s}}",
        at, waiting, at, alloc);
    write_text(out, text);
}

fz_status fz_report_chrome(fz_reader *reader, int64_t run, fz_arena *arena, const char *path, fz_error *err)
{
    fz_spans spans;
    fz_bin_row *bins = NULL;
    uint32_t n_bins = 0;
    sink out;
    FZ_TRY(fz_spans_read(reader, run, arena, &spans, err));
    FZ_TRY(fz_reader_timeline(reader, run, arena, &bins, &n_bins, err));
    FZ_TRY(sink_open(&out, path, err));
    write_text(&out, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    names_write(&out, &spans);
    uint32_t bin = 0;
    for (uint32_t i = 0; i < spans.n_spans; i++) {
        for (; bin < n_bins && llround(bins[bin].start_s * 1e6) <= spans.spans[i].start_us; bin++)
            counters_write(&out, &bins[bin]);
        slice_write(&out, &spans, &spans.spans[i]);
    }
    for (; bin < n_bins; bin++)
        counters_write(&out, &bins[bin]);
    write_text(&out, "\n]}\n");
    return sink_close(&out, err);
}
