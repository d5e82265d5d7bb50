/* Reading the files that frenzy import is given: one trace out of one or several. */
#ifndef FRENZY_SIM_CLI_IMPORT_FILES_H
#define FRENZY_SIM_CLI_IMPORT_FILES_H

#include "sim/cli/options.h"
#include "workloads/canonical.h"

enum { FZ_MAX_IMPORT_FILES = 64 };

typedef struct fz_import_files {
    const fz_trace_format *format; /* of the first file */
    fz_trace *trace;
    fz_trace_report report; /* over all files; lines are those of the file where a cause came first */
} fz_import_files;

/* Reads FILE... (args->rest from 1 on) in the format that is named first, or found by their content: "auto". Several
 * files must be of one format; they become one trace as by `frenzy trace merge`. Says what was found in each of several
 * files on standard error. FZ_EUSAGE: an unknown format, an option that does not suit. */
fz_status fz_import_files_read(const fz_args *args, const fz_import_options *how, fz_import_files *out,
                               fz_error *err);

#endif
