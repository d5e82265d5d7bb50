/* What is believed of the constants before any run is seen. */
#ifndef FRENZY_CALIB_MEMORY_PRIOR_H
#define FRENZY_CALIB_MEMORY_PRIOR_H

#include <frenzy/memory_terms.h>

typedef struct fz_memory_prior {
    double mean;   /* over all frameworks */
    double spread; /* standard deviation of that mean */
    double family; /* of a family about it, and of a framework about its family */
    double least;  /* smallest sensible value */
} fz_memory_prior;

extern const fz_memory_prior fz_memory_priors[FZ_MC_N];
extern const char *const fz_memory_constant_names[FZ_MC_N];

#endif
