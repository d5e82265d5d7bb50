#include "sim/experiment/wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define MAGIC 0x667a2d77697265ULL

typedef struct wire_head {
    uint64_t magic;
    uint64_t failed;
    fz_error failure;
    fz_run_result result; /* its pointers mean nothing on the other side */
} wire_head;

/* The blocks behind the head follow from its counts: jobs, plans, timeline, places. */
static uint64_t jobs_bytes(const fz_run_result *result)
{
    return (uint64_t)result->n_jobs * sizeof(*result->jobs);
}

static uint64_t plans_bytes(const fz_run_result *result)
{
    return (uint64_t)result->n_plans * sizeof(*result->plans);
}

static uint64_t timeline_bytes(const fz_run_result *result)
{
    return (uint64_t)result->n_timeline * sizeof(*result->timeline);
}

static uint64_t padded(uint64_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static bool write_all(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = write(fd, at, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        length -= (size_t)written;
    }
    return true;
}

/* A block, filled up so that the next one is aligned. */
static bool block_write(int fd, const void *bytes, uint64_t length)
{
    static const char zeros[16] = {0};
    return write_all(fd, bytes, length) && write_all(fd, zeros, padded(length) - length);
}

bool fz_wire_write(int fd, const fz_run_result *result, const fz_error *failure)
{
    wire_head head;
    memset(&head, 0, sizeof(head));
    head.magic = MAGIC;
    if (failure != NULL) {
        head.failed = 1;
        head.failure = *failure;
        return block_write(fd, &head, sizeof(head));
    }
    head.result = *result;
    return block_write(fd, &head, sizeof(head)) && block_write(fd, result->jobs, jobs_bytes(result)) &&
           block_write(fd, result->plans, plans_bytes(result)) &&
           block_write(fd, result->timeline, timeline_bytes(result)) &&
           block_write(fd, result->places, result->places_len);
}

bool fz_wire_read(char *bytes, size_t length, fz_run_result *result, bool *failed, fz_error *failure)
{
    wire_head head;
    if (length < padded(sizeof(head)))
        return false;
    memcpy(&head, bytes, sizeof(head));
    if (head.magic != MAGIC)
        return false;
    *failed = head.failed != 0;
    *failure = head.failure;
    if (*failed)
        return true;
    uint64_t jobs_at = padded(sizeof(head));
    uint64_t plans_at = jobs_at + padded(jobs_bytes(&head.result));
    uint64_t timeline_at = plans_at + padded(plans_bytes(&head.result));
    uint64_t places_at = timeline_at + padded(timeline_bytes(&head.result));
    if (head.result.places_len > length || places_at + padded(head.result.places_len) != length)
        return false;
    *result = head.result;
    result->jobs = (fz_job_result *)(void *)(bytes + jobs_at);
    result->plans = (fz_plan *)(void *)(bytes + plans_at);
    result->timeline = (fz_timeline_point *)(void *)(bytes + timeline_at);
    result->places = (uint8_t *)bytes + places_at;
    return true;
}
