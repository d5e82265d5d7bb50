/* A plug-in to start from, written by `frenzy schedulers --new NAME`. */
#ifndef FRENZY_SIM_PLUGIN_TEMPLATE_H
#define FRENZY_SIM_PLUGIN_TEMPLATE_H

#include <frenzy/status.h>

#include "sim/plugin/roster.h"

/* Makes the folder `name` in the current one, with NAME.c and CMakeLists.txt. FZ_EUSAGE: no good name, the name of a
 * policy of the roster, or the folder is there already; nothing is ever overwritten. FZ_EIO: it cannot be written;
 * nothing is left behind. */
fz_status fz_template_write(const fz_roster *roster, const char *name, fz_error *err);

#endif
