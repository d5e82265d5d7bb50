/* Any bytes as a cluster file; one that is accepted can be simulated on. */
#include <assert.h>

#include "workloads/cluster_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_cluster_file *file = NULL;
    fz_error err = {0};
    if (fz_cluster_file_parse("fuzz", (const char *)data, size, &file, &err) != FZ_OK) {
        assert(err.message[0] != '\0');
        return 0;
    }
    fz_arena *arena = fz_arena_new(NULL);
    fz_cluster *cluster = NULL;
    assert(file->spec.n_nodes > 0 && file->spec.n_types > 0 && file->note != NULL);
    if (file->spec.n_nodes < 10000)
        assert(fz_cluster_new(arena, &file->spec, &cluster, &err) == FZ_OK);
    fz_arena_free(arena);
    fz_cluster_file_free(file);
    return 0;
}
