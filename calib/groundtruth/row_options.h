/* What the options of a framework, in the column `other`, say about a run. */
#ifndef FRENZY_CALIB_ROW_OPTIONS_H
#define FRENZY_CALIB_ROW_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "calib/groundtruth/run_rows.h"

uint64_t fz_row_option_count(const char *other,
                             const char *key);             /* 0 where it is not there; at most 2^32 - 1 */
bool fz_row_option_on(const char *other, const char *key); /* there, and not "false" */

/* A word of an option that changes the architecture in a way that fz_model cannot say; NULL: none. */
const char *fz_row_strange_key(const char *other);
/* "([0]*3+[1]*13)": the first three layers are dense. */
uint64_t fz_row_dense_layers(const char *other);
/* Megatron's own layers, not Transformer Engine's: no flash attention, whatever else is said. */
bool fz_row_is_local(const char *other);
/* Megatron's default unless it is set to zero. */
bool fz_row_has_dropout(const fz_run_row *row, const char *other);
/* Deterministic mode rules flash attention out in some frameworks; row->run.dropout is set. */
bool fz_row_flash_ruled_out(const fz_run_row *row, const char *other);
uint32_t fz_row_dropped_parts(const char *other); /* FZ_DROP_... */

#endif
