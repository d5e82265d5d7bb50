/* The members of the structs of samples.h by name: one list for the CSV file and for the columns of the
 * database, so that a fact is named alike everywhere and added in one place. */
#ifndef FRENZY_CALIB_FIELDS_H
#define FRENZY_CALIB_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "calib/samples/samples.h"

typedef enum fz_field_kind {
    FZ_FIELD_TEXT, /* const char *; unknown: "" */
    FZ_FIELD_I32,  /* unknown: FZ_UNKNOWN */
    FZ_FIELD_I64,
    FZ_FIELD_U64,  /* unknown: 0 */
    FZ_FIELD_REAL, /* unknown: NaN */
    FZ_FIELD_FLAG, /* bool; unknown: false */
} fz_field_kind;

typedef struct fz_field {
    const char *name;
    fz_field_kind kind;
    size_t offset;
} fz_field;

typedef struct fz_field_list {
    const fz_field *fields;
    uint32_t n;
} fz_field_list;

/* In the order of the struct. Of a point: all but its samples. */
fz_field_list fz_device_fields(void);
fz_field_list fz_run_fields(void);
fz_field_list fz_point_fields(void);
fz_field_list fz_env_fields(void);

const fz_field *fz_field_find(fz_field_list list, const char *name); /* NULL: none */

/* Sets all members of `object` to unknown: how those who measure begin. */
void fz_fields_forget(fz_field_list list, void *object);

/* Whether the value is a known one; a flag: whether it is set. */
bool fz_field_known(const fz_field *field, const void *object);
bool fz_field_equal(const fz_field *field, const void *a, const void *b);

/* Access by kind; the kind must be that of the field (fz_field_integer: any but TEXT and REAL). */
const char *fz_field_text(const fz_field *field, const void *object);
double fz_field_real(const fz_field *field, const void *object);
int64_t fz_field_integer(const fz_field *field, const void *object);
void fz_field_set_text(const fz_field *field, void *object, const char *text); /* borrowed */
void fz_field_set_real(const fz_field *field, void *object, double value);
void fz_field_set_integer(const fz_field *field, void *object, int64_t value);
/* The largest value an integer field can hold. */
uint64_t fz_field_max(const fz_field *field);

#endif
