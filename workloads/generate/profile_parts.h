/* The sections of a profile, one function each; profile.c puts them together. */
#ifndef FRENZY_WORKLOADS_GENERATE_PROFILE_PARTS_H
#define FRENZY_WORKLOADS_GENERATE_PROFILE_PARTS_H

#include "workloads/profile.h"
#include "workloads/yaml_values.h"

#define FZ_PROFILE_MAX_JOBS 100000000u

fz_status fz_profile_arrivals_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p,
                                   fz_error *err);
fz_status fz_profile_sizes_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err);
fz_status fz_profile_durations_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p,
                                    fz_error *err);
fz_status fz_profile_states_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err);
fz_status fz_profile_types_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err);
fz_status fz_profile_guess_read(const fz_yaml *yaml, const fz_doc_node *root, fz_profile *p, fz_error *err);
fz_status fz_profile_ranks_read(const fz_yaml *yaml, const fz_doc_node *map, const char *key,
                                fz_profile_ranks *out, fz_error *err);

#endif
