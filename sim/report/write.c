#include "sim/report/write.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/support/timetext.h"

void fz_report_format(fz_output *output, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (length > 0)
        fz_output_write(output, text, (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

void fz_report_json_text(fz_output *output, const char *text)
{
    fz_output_text(output, "\"");
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            fz_report_format(output, "\\%c", *at);
        else if (*at < 0x20 || *at == '<' || *at == 0x7f) /* "</script>" must not end the script */
            fz_report_format(output, "\\u%04x", *at);
        else
            fz_output_write(output, (const char *)at, 1);
    }
    fz_output_text(output, "\"");
}

void fz_report_json_number(fz_output *output, double value)
{
    char text[FZ_NUMBER_TEXT];
    if (!isfinite(value)) {
        fz_output_text(output, "null");
        return;
    }
    fz_number_text(value, text);
    fz_output_text(output, text);
}

fz_status fz_report_file(const char *dir, const char *name, fz_output **out, fz_error *err)
{
    char path[4096];
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return fz_fail_at(err, FZ_EIO, dir, 0, 0, "cannot make the folder: %s", strerror(errno));
    int length = snprintf(path, sizeof(path), "%s/%s", dir, name);
    if (length < 0 || (size_t)length >= sizeof(path))
        return fz_fail(err, FZ_EUSAGE, "the name of the folder is too long");
    return fz_output_open(path, out, err);
}
