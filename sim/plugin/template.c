#include "sim/plugin/template.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/support/output.h"
#include "sim/plugin/template_data.h"

#define WORD "mine" /* stands for the name in the files of the template */

static fz_status file_write(const char *path, const unsigned char *bytes, const char *name, fz_error *err)
{
    const char *at = (const char *)bytes; /* a zero follows */
    fz_output *output = NULL;
    FZ_TRY(fz_output_open(path, &output, err));
    for (const char *word = strstr(at, WORD); word != NULL; word = strstr(at, WORD)) {
        fz_output_write(output, at, (size_t)(word - at));
        fz_output_text(output, name);
        at = word + strlen(WORD);
    }
    fz_output_text(output, at);
    return fz_output_commit(output, err);
}

static fz_status files_write(const char *source, const char *build, const char *name, fz_error *err)
{
    FZ_TRY(file_write(source, fz_template_mine_c, name, err));
    return file_write(build, fz_template_CMakeLists_txt, name, err);
}

fz_status fz_template_write(const fz_roster *roster, const char *name, fz_error *err)
{
    char source[160];
    char build[160];
    if (!fz_roster_name_good(name))
        return fz_fail(err, FZ_EUSAGE,
                       "--new: a name is a lower-case letter, then letters, digits and '_', not '%.64s'",
                       name);
    if (fz_roster_find(roster, name) != NULL)
        return fz_fail(err, FZ_EUSAGE, "--new: there is a scheduler '%s' already; choose another name", name);
    snprintf(source, sizeof(source), "%s/%s.c", name, name);
    snprintf(build, sizeof(build), "%s/CMakeLists.txt", name);
    if (mkdir(name, 0777) != 0) {
        if (errno == EEXIST)
            return fz_fail(err, FZ_EUSAGE, "--new: '%s' is there already; nothing is overwritten", name);
        return fz_fail_at(err, FZ_EIO, name, 0, 0, "cannot make the folder: %s", strerror(errno));
    }
    fz_status status = files_write(source, build, name, err);
    if (status == FZ_OK)
        return FZ_OK;
    (void)unlink(source);
    (void)unlink(build);
    (void)rmdir(name);
    return status;
}
