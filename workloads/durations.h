/* Run times by GPU type, the text of durations_s: `a100:5|v100:7.5`, seconds. Names as in req_gpu_types. */
#ifndef FRENZY_WORKLOADS_DURATIONS_H
#define FRENZY_WORKLOADS_DURATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <frenzy/cluster.h>
#include <frenzy/units.h>

/* NULL if the text is well formed, else what is wrong with it, in words (static). */
const char *fz_durations_fault(const char *text);

/* The run time on each type of the cluster, FZ_TIME_NONE where none is named; returns the named types. Where
 * two names are the same type, the first counts. The text must be well formed. */
fz_type_mask fz_durations_by_type(const fz_cluster_spec *spec, const char *text, fz_time *by_type);

#endif
