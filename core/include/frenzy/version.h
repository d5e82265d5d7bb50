/* Version of the library that runs, to compare with the headers that a program was built with. */
#ifndef FRENZY_VERSION_H
#define FRENZY_VERSION_H

#include <frenzy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FZ_ABI_VERSION 0 /* changes when a program must be compiled again; 0 until 1.0: with every version */

FZ_API int fz_abi_version(void);
FZ_API const char *fz_version(void); /* "0.1.0" */

#ifdef __cplusplus
}
#endif
#endif
