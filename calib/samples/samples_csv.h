/* A run of the microbenchmarks as a CSV file: what `frenzy calibrate measure` writes, and what can be fitted on any
 * machine.
 *
 *   # frenzy-samples=1
 *   # device.name=NVIDIA H200          every field of fz_device_facts and fz_run_facts (fields.h)
 *   # run.driver=580.65.06
 *   # memory.context=503316480         memory facts, bytes
 *   # env=0.1,17,1980000000,...        a sample of the environment: the fields of fz_env_sample in their order
 *   bench,dtype,m,n,k,bytes,flops,ranks,src,dst,rep,seconds,seq,batch,impl,...
 *   gemm.bf16,bf16,4096,4096,4096,,137438953472,,,,0,0.000183,0,...
 *
 * A row is one repeat of one point; the rows of a point stand together. Empty: unknown. Only `bench`, `seconds` and
 * the device's name must be there: without `seq` a new point begins where anything but `rep` and `seconds` changes or
 * `rep` does not grow. A point that could not be measured is one row without `seconds` and with an `error`. */
#ifndef FRENZY_CALIB_SAMPLES_CSV_H
#define FRENZY_CALIB_SAMPLES_CSV_H

#include <frenzy/status.h>

#include "calib/samples/samples.h"

#define FZ_SAMPLES_FORMAT 1

/* Arrays and texts in `arena`. A device without a backend is "recorded", one without a uuid gets "BACKEND:NAME", a run
 * without a status is "complete". "-" is standard input; gzip is unpacked. FZ_EPARSE with file, line and column;
 * FZ_EIO. */
fz_status fz_samples_read(const char *path, fz_arena *arena, fz_samples *out, fz_error *err);

/* The file appears whole or not at all (core/support/output.h). Needs libc only. A line break inside a fact becomes a
 * blank, as do bytes that are not UTF-8. */
fz_status fz_samples_write(const char *path, const fz_samples *samples, fz_error *err);

#endif
