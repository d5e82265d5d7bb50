/* Whether two traces are one: every column of every job, every extra column and every header line. */
#ifndef FRENZY_TESTS_SAME_TRACE_H
#define FRENZY_TESTS_SAME_TRACE_H

#include <stdbool.h>

#include "workloads/trace.h"

/* Says on standard error what differs first. Path, SHA-256 and lines in the file are not compared. */
bool fz_same_trace(const fz_trace *a, const fz_trace *b);

#endif
