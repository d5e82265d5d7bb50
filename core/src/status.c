#include <frenzy/status.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(fz_error *err, fz_status status, const char *file, uint32_t line, uint32_t column,
                 const char *format, va_list args)
{
    if (err == NULL)
        return;
    /* The message may quote an older message of the same record: write it aside first. */
    char message[sizeof(err->message)];
    vsnprintf(message, sizeof(message), format, args);
    char name[sizeof(err->file)];
    snprintf(name, sizeof(name), "%s", file);
    *err = (fz_error){.status = status, .line = line, .column = column};
    memcpy(err->message, message, sizeof(message));
    memcpy(err->file, name, sizeof(name));
}

fz_status fz_fail(fz_error *err, fz_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, "", 0, 0, format, args);
    va_end(args);
    return status;
}

fz_status fz_fail_at(fz_error *err, fz_status status, const char *file, uint32_t line, uint32_t column,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, file, line, column, format, args);
    va_end(args);
    return status;
}

const char *fz_strerror(fz_status status)
{
    switch (status) {
#define FZ_STATUS_CASE(name, text)                                                                           \
    case name:                                                                                               \
        return text;
        FZ_STATUS_LIST(FZ_STATUS_CASE)
#undef FZ_STATUS_CASE
    }
    return "unknown status";
}

const char *fz_status_name(fz_status status)
{
    switch (status) {
#define FZ_STATUS_CASE(name, text)                                                                           \
    case name:                                                                                               \
        return #name;
        FZ_STATUS_LIST(FZ_STATUS_CASE)
#undef FZ_STATUS_CASE
    }
    return "unknown status";
}
