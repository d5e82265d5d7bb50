/* All commands of the program, one file each. */
#ifndef FRENZY_SIM_CLI_COMMANDS_H
#define FRENZY_SIM_CLI_COMMANDS_H

#include "sim/cli/options.h"

extern const fz_command fz_command_plan, fz_command_validate, fz_command_fit, fz_command_replay,
    fz_command_compare, fz_command_sweep, fz_command_report, fz_command_import, fz_command_trace,
    fz_command_cluster, fz_command_schedulers, fz_command_models, fz_command_demo, fz_command_doctor;

#endif
