/* Errors: a status, and a record of what went wrong and where.
 *
 * Three things are kept apart everywhere in frenzy (core/README.md):
 *   - an error is a fz_status: the input or the machine is at fault; the call says so and did nothing else;
 *   - an outcome is a verdict (fz_verdict and friends): "does not fit now" is an answer, not an error;
 *   - a bug is an assert.
 *
 * Every fallible function takes a `fz_error *err` as its last parameter. NULL is allowed: the status
 * alone is then returned. The caller owns the record; a function that succeeds leaves it untouched.
 * Thread-safe: no global state. */
#ifndef FRENZY_STATUS_H
#define FRENZY_STATUS_H

#include <stdint.h>

#include <frenzy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One list of all statuses: name, text. The order is part of the ABI: append only. */
#define FZ_STATUS_LIST(X)                                                                                    \
    X(FZ_OK, "ok")                                                                                           \
    X(FZ_ENOMEM, "out of memory")                                                                            \
    X(FZ_EINVAL, "invalid argument")                                                                         \
    X(FZ_EIO, "input or output failed")                                                                      \
    X(FZ_EPARSE, "invalid input")                                                                            \
    X(FZ_ENOTFOUND, "not found")                                                                             \
    X(FZ_EUNSUPPORTED, "not supported")                                                                      \
    X(FZ_EDECISION, "a policy made a bad decision")                                                          \
    X(FZ_EDB, "database error")                                                                              \
    X(FZ_EUSAGE, "wrong usage")                                                                              \
    X(FZ_EINTERRUPTED, "interrupted")                                                                        \
    X(FZ_EUNSTABLE, "unstable: the queue grows")

typedef enum fz_status {
#define FZ_STATUS_ENUM(name, text) name,
    FZ_STATUS_LIST(FZ_STATUS_ENUM)
#undef FZ_STATUS_ENUM
} fz_status;

/* What went wrong. `line` and `column` count from 1; 0 means "unknown". `file` is empty when no
 * file is involved. Messages name the thing, the value found, and what was expected. */
typedef struct fz_error {
    fz_status status;
    uint32_t line;
    uint32_t column;
    char file[256];
    char message[512];
} fz_error;

#if defined(__GNUC__)
#define FZ_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#else
#define FZ_PRINTF(format_at, args_at)
#endif

/* Fills `err` (if not NULL) and returns `status`, so that a caller writes `return fz_fail(...)`.
 * Longer file names and messages are cut, never overrun. */
FZ_API fz_status fz_fail(fz_error *err, fz_status status, const char *format, ...) FZ_PRINTF(3, 4);
FZ_API fz_status fz_fail_at(fz_error *err, fz_status status, const char *file, uint32_t line, uint32_t column,
                            const char *format, ...) FZ_PRINTF(6, 7);

/* Static texts; never NULL. An unknown value gives "unknown status". */
FZ_API const char *fz_strerror(fz_status status);    /* "out of memory" */
FZ_API const char *fz_status_name(fz_status status); /* "FZ_ENOMEM" */

/* Early return. Only where the function owns nothing yet; otherwise use one `out:` label. */
#define FZ_TRY(call)                                                                                         \
    do {                                                                                                     \
        fz_status fz_try_status = (call);                                                                    \
        if (fz_try_status != FZ_OK)                                                                          \
            return fz_try_status;                                                                            \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
