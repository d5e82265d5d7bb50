/* Jobs on nodes for the page: a Gantt chart of up to FZ_GANTT_JOBS jobs, a heat map of node x time above. */
#ifndef FRENZY_SIM_REPORT_NODES_JSON_H
#define FRENZY_SIM_REPORT_NODES_JSON_H

#include "core/support/output.h"
#include "sim/store/read.h"

#define FZ_GANTT_JOBS 8000u

/* What a page has room for; charts that find none are left out. */
typedef struct fz_nodes_budget {
    uint32_t rectangles, cells;
} fz_nodes_budget;

fz_nodes_budget fz_nodes_budget_full(void);

/* Writes ,"gantt":{...} or ,"heat":{...} or nothing. */
fz_status fz_nodes_json(fz_output *out, fz_reader *reader, fz_arena *arena, int64_t run,
                        fz_nodes_budget *budget, fz_error *err);

#endif
