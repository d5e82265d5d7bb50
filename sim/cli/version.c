#include <stdio.h>
#include <string.h>

#include "core/support/sha256.h"
#include "sim/cli/inputs.h"
#include "sim/cli/libraries.h"
#include "sim/store/schema.h"

const char *fz_program_version(void)
{
    return FZ_VERSION;
}

void fz_program_version_print(void)
{
    printf("frenzy %s\n%-8s %s\n%-8s %u, of results databases\n", FZ_VERSION, "commit", FZ_COMMIT, "schema",
           fz_store_schema_version);
    fz_libraries_print();
}

void fz_program_build(char text[FZ_BUILD_TEXT])
{
    char hex[65];
    if (fz_sha256_file("/proc/self/exe", hex))
        snprintf(text, FZ_BUILD_TEXT, "%s build %.12s", FZ_VERSION, hex);
    else
        snprintf(text, FZ_BUILD_TEXT, "%s", FZ_VERSION);
}
