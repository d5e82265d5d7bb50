/* The libraries that the program was built with, and those that it runs with. */
#ifndef FRENZY_SIM_CLI_LIBRARIES_H
#define FRENZY_SIM_CLI_LIBRARIES_H

#define FZ_N_LIBRARIES 5

typedef struct fz_library {
    const char *name;
    const char *built; /* version of the headers */
    const char *found; /* version that runs; NULL where the library does not tell */
} fz_library;

void fz_libraries_list(fz_library libraries[FZ_N_LIBRARIES]);
/* A line each, on standard output. */
void fz_libraries_print(void);

#endif
