#include "sim/cli/libraries.h"

#include <gsl/gsl_version.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <yaml.h>
#include <zlib.h>

void fz_libraries_list(fz_library libraries[FZ_N_LIBRARIES])
{
    libraries[0] = (fz_library){"GSL", GSL_VERSION, gsl_version};
    libraries[1] = (fz_library){"SQLite", SQLITE_VERSION, sqlite3_libversion()};
    libraries[2] = (fz_library){"zlib", ZLIB_VERSION, zlibVersion()};
    libraries[3] = (fz_library){"jansson", JANSSON_VERSION, jansson_version_str()};
    libraries[4] = (fz_library){"libyaml", yaml_get_version_string(), NULL};
}

void fz_libraries_print(void)
{
    fz_library libraries[FZ_N_LIBRARIES];
    fz_libraries_list(libraries);
    for (int i = 0; i < FZ_N_LIBRARIES; i++)
        printf("%-8s %s%s%s\n", libraries[i].name, libraries[i].built,
               libraries[i].found != NULL ? ", runs " : "",
               libraries[i].found != NULL ? libraries[i].found : "");
}
