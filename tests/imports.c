#include "tests/imports.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

fz_imported fz_imported_read(const char *name, const char *path, fz_import_options options)
{
    fz_imported imported = {0};
    const fz_trace_format *format = NULL;
    if (name == NULL)
        imported.status = fz_trace_format_probe(path, &format, &imported.err);
    else
        format = fz_trace_format_find(name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(format);
    if (imported.status == FZ_OK)
        imported.status = format->read(path, &options, &imported.trace, &imported.report, &imported.err);
    return imported;
}

fz_imported fz_imported_text(fz_temp *temp, const char *format, const char *text, fz_import_options options)
{
    fz_imported imported = fz_imported_read(format, fz_temp_text(temp, "import.txt", text), options);
    if (imported.status != FZ_OK)
        (void)fprintf(stderr, "%u:%u: %s\n", imported.err.line, imported.err.column, imported.err.message);
    CU_ASSERT_EQUAL_FATAL(imported.status, FZ_OK);
    return imported;
}

void fz_imported_free(fz_imported *imported)
{
    fz_trace_free(imported->trace);
    imported->trace = NULL;
}

void fz_import_refused(fz_temp *temp, const char *format, const char *text, uint32_t line, uint32_t column,
                       const char *message)
{
    fz_imported imported = fz_imported_read(format, fz_temp_text(temp, "import.txt", text),
                                            (fz_import_options){.bad_rows = FZ_BAD_ROWS_FAIL});
    const fz_error *err = &imported.err;
    bool right = imported.status == FZ_EPARSE && err->line == line && err->column == column &&
                 strstr(err->message, message) != NULL;
    if (!right)
        (void)fprintf(stderr, "got %s %u:%u: %s\n", fz_status_name(imported.status), err->line, err->column,
                      err->message);
    CU_ASSERT_TRUE(right);
    fz_imported_free(&imported);
}

uint64_t fz_imported_rows(const fz_imported *imported, const char *cause, char what)
{
    for (uint32_t i = 0; i < imported->report.n_findings; i++) {
        const fz_finding *finding = &imported->report.findings[i];
        if (finding->what == what && strcmp(finding->cause, cause) == 0)
            return finding->rows;
    }
    return 0;
}

uint64_t fz_imported_dropped(const fz_imported *imported)
{
    uint64_t rows = 0;
    for (uint32_t i = 0; i < imported->report.n_findings; i++)
        rows += imported->report.findings[i].what == 'd' ? imported->report.findings[i].rows : 0;
    return rows;
}

const char *fz_imported_extra(const fz_trace *trace, const char *name, uint32_t job)
{
    for (uint32_t i = 0; i < trace->n_extras; i++)
        if (strcmp(trace->extras[i].name, name) == 0)
            return trace->texts[trace->extras[i].values[job]];
    return "(no such column)";
}

double fz_imported_gpu_seconds(const fz_trace *trace)
{
    double sum = 0;
    for (uint32_t job = 0; job < trace->n_jobs && trace->duration != NULL; job++)
        sum += fz_time_to_s(trace->duration[job]) * fz_trace_gpus(trace, job);
    return sum;
}

static bool same_files(const char *a, const char *b)
{
    bool same = true;
    int byte = 0;
    FILE *first = fopen(a, "rb"), *second = fopen(b, "rb");
    if (first != NULL && second != NULL)
        while (same && byte != EOF) {
            byte = fgetc(first);
            same = byte == fgetc(second);
        }
    same = same && first != NULL && second != NULL;
    if (first != NULL)
        (void)fclose(first);
    if (second != NULL)
        (void)fclose(second);
    return same;
}

void fz_imported_comes_back(fz_temp *temp, const fz_trace *trace, bool cpu_jobs)
{
    fz_import_options options = {.bad_rows = FZ_BAD_ROWS_FAIL, .cpu_jobs = cpu_jobs};
    char once[sizeof temp->path], twice[sizeof temp->path];
    fz_error err = {0};
    (void)snprintf(once, sizeof once, "%s", fz_temp_path(temp, "once.csv"));
    (void)snprintf(twice, sizeof twice, "%s", fz_temp_path(temp, "twice.csv"));
    CU_ASSERT_EQUAL_FATAL(fz_trace_write(trace, once, &err), FZ_OK);
    fz_imported again = fz_imported_read("canonical", once, options);
    if (again.status != FZ_OK)
        (void)fprintf(stderr, "%u:%u: %s\n", again.err.line, again.err.column, again.err.message);
    CU_ASSERT_EQUAL_FATAL(again.status, FZ_OK);
    CU_ASSERT_EQUAL_FATAL(again.trace->n_jobs, trace->n_jobs);
    CU_ASSERT_EQUAL(again.trace->n_extras, trace->n_extras);
    CU_ASSERT_EQUAL(again.trace->n_headers, trace->n_headers);
    CU_ASSERT_EQUAL_FATAL(fz_trace_write(again.trace, twice, &err), FZ_OK);
    CU_ASSERT_TRUE(same_files(once, twice));
    for (uint32_t job = 0; job < trace->n_jobs; job++)
        CU_ASSERT_FATAL(fz_trace_gpus(again.trace, job) == fz_trace_gpus(trace, job) &&
                        again.trace->submit[job] == trace->submit[job]);
    CU_ASSERT_EQUAL_FATAL(again.trace->duration != NULL, trace->duration != NULL);
    for (uint32_t job = 0; job < trace->n_jobs && trace->duration != NULL; job++)
        CU_ASSERT_FATAL(again.trace->duration[job] == trace->duration[job]);
    fz_imported_free(&again);
}
