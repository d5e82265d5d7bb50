/* The schema of the results database, as migrations: script k brings it from version k to k + 1. */
#ifndef FRENZY_SIM_STORE_SCHEMA_H
#define FRENZY_SIM_STORE_SCHEMA_H

#include <stdint.h>

#define FZ_STORE_APPLICATION_ID 0x667a7231 /* "fzr1" */

extern const char *const fz_store_schema[];
extern const uint32_t fz_store_schema_version;

#endif
