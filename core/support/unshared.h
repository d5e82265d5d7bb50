/* Memory that child processes do not get: fork() neither copies nor write-protects it, so that the parent's next
 * write to it costs nothing. For large buffers of a program that forks often. */
#ifndef FRENZY_SUPPORT_UNSHARED_H
#define FRENZY_SUPPORT_UNSHARED_H

#include <stddef.h>

/* Zeroed, aligned to pages; NULL when there is no memory. `*size` is rounded up to whole pages. */
void *fz_unshared_new(size_t *size);
/* Grows a block, keeping its bytes; NULL (and the old block stays) when there is no memory. */
void *fz_unshared_grow(void *block, size_t old_size, size_t *size);
void fz_unshared_free(void *block, size_t size); /* NULL is allowed */

#endif
