/* Any bytes as a table of measured runs: the first byte, s or anything else, chooses speed or memory. */
#include <assert.h>
#include <math.h>

#include "calib/groundtruth/run_rows.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void rows_sane(const fz_run_rows *rows)
{
    assert(rows->n_rows > 0 && rows->n_groups <= rows->n_rows);
    for (uint32_t i = 0; i < rows->n_rows; i++) {
        const fz_run_row *row = &rows->rows[i];
        assert(row->id != NULL && row->framework != NULL && row->gpu != NULL && row->line > 1);
        assert(row->group < rows->n_groups && row->run.model == &row->model && isfinite(row->link_gbps));
        if (row->skip == NULL && row->outcome == FZ_ROW_OK)
            assert(row->measured > 0 && isfinite(row->measured));
        if (row->skip == NULL)
            assert(row->model.layers > 0 && row->run.micro_batch > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_run_rows rows;
    fz_error err = {0};
    fz_arena *arena = fz_arena_new(NULL);
    if (size == 0 || arena == NULL) {
        fz_arena_free(arena);
        return 0;
    }
    memory_file file = memory_file_of(data + 1, size - 1);
    fz_run_kind kind = data[0] == 's' ? FZ_RUNS_SPEED : FZ_RUNS_MEMORY;
    if (fz_run_rows_read(file.path, kind, arena, &rows, &err) == FZ_OK)
        rows_sane(&rows);
    else
        assert(err.message[0] != '\0' && err.file[0] != '\0' && err.line > 0 && err.column > 0);
    memory_file_close(&file);
    fz_arena_free(arena);
    return 0;
}
