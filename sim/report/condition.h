/* Conditions on results, as in --fail-if 'has.jct_avg_s > 1.05 * easy.jct_avg_s or failed > 0'.
 *
 *     condition   a or b, a and b, not a, ( a ), and comparisons: < <= > >= == !=
 *     value       numbers, + - * /, ( ), and names
 *     name        `failed` and `runs`: counts of runs; LABEL.FIGURE: mean over all runs of a scheduler, FIGURE being
 *                 a column of v_summary (jct_avg_s, jct_p50_s, jct_p99_s, queue_avg_s, makespan_s, alloc_frac, ooms,
 *                 finished, not_finished); a LABEL with other characters than letters, digits, _ and - in double
 *                 quotes */
#ifndef FRENZY_SIM_REPORT_CONDITION_H
#define FRENZY_SIM_REPORT_CONDITION_H

#include "sim/report/results.h"

/* FZ_EUSAGE says where the text is wrong, or which name is unknown. `results` NULL: only the form is checked. */
fz_status fz_condition_holds(const char *text, const fz_results *results, bool *holds, fz_error *err);

#endif
