#include "sim/experiment/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/support/pages.h"
#include "sim/experiment/wire.h"

typedef struct worker {
    pid_t pid; /* 0: the slot is free */
    int fd;
    uint32_t run;
} worker;

/* What a run has sent so far. */
typedef struct inbox {
    char *bytes;
    size_t length, capacity;
    bool complete;
    int wait_status;
} inbox;

typedef struct worker_crew {
    const fz_pool *pool;
    const fz_run_spec *specs;
    uint32_t n_runs, next_run, next_done, n_busy;
    worker *workers;
    struct pollfd *polls;
    inbox *inboxes;
} worker_crew;

/* ---- in the worker -------------------------------------------------------------------------------------- */

/* Nobody waits for a worker whose parent was killed: it ends with it. */
static void parent_follow(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(1);
}

static void work(const fz_run_spec *spec, int fd, pid_t parent)
{
    parent_follow(parent);
    signal(SIGPIPE, SIG_IGN); /* a parent that went away is an error of write() */
    fz_arena *arena = fz_arena_new(fz_pages_allocator());
    fz_run_result result;
    fz_error err = {0};
    fz_status status =
        arena != NULL ? fz_run(arena, spec, &result, &err) : fz_fail(&err, FZ_ENOMEM, "no memory");
    bool written = fz_wire_write(fd, status == FZ_OK ? &result : NULL, status == FZ_OK ? NULL : &err);
    _exit(written ? 0 : 1);
}

/* ---- in the parent -------------------------------------------------------------------------------------- */

static fz_status worker_start(worker_crew *crew, uint32_t slot, fz_error *err)
{
    int ends[2];
    if (pipe(ends) != 0)
        return fz_fail(err, FZ_EIO, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return fz_fail(err, FZ_EIO, "cannot start a worker process: %s", strerror(errno));
    }
    if (pid == 0) {
        close(ends[0]);
        work(&crew->specs[crew->next_run], ends[1], parent);
        _exit(1); /* not reached: work() ends the process */
    }
    close(ends[1]);
    crew->workers[slot] = (worker){.pid = pid, .fd = ends[0], .run = crew->next_run++};
    crew->polls[slot] = (struct pollfd){.fd = ends[0], .events = POLLIN};
    crew->n_busy++;
    return FZ_OK;
}

static fz_status workers_fill(worker_crew *crew, fz_error *err)
{
    for (uint32_t slot = 0; slot < crew->pool->workers && crew->next_run < crew->n_runs; slot++)
        if (crew->workers[slot].pid == 0)
            FZ_TRY(worker_start(crew, slot, err));
    return FZ_OK;
}

static bool inbox_reserve(inbox *box, size_t bytes)
{
    if (box->length + bytes <= box->capacity)
        return true;
    size_t capacity = 2 * box->capacity + bytes;
    char *larger = realloc(box->bytes, capacity); /* malloc's blocks are aligned to 16 */
    if (larger == NULL)
        return false;
    box->bytes = larger;
    box->capacity = capacity;
    return true;
}

static void worker_finish(worker_crew *crew, uint32_t slot)
{
    worker *self = &crew->workers[slot];
    inbox *box = &crew->inboxes[self->run];
    close(self->fd);
    while (waitpid(self->pid, &box->wait_status, 0) < 0 && errno == EINTR)
        ;
    box->complete = true;
    self->pid = 0;
    crew->polls[slot].fd = -1;
    crew->n_busy--;
}

static fz_status worker_read(worker_crew *crew, uint32_t slot, fz_error *err)
{
    enum { PIECE = 1 << 20 };
    inbox *box = &crew->inboxes[crew->workers[slot].run];
    if (!inbox_reserve(box, PIECE))
        return fz_fail(err, FZ_ENOMEM, "no memory for the result of a run");
    ssize_t got = read(crew->workers[slot].fd, box->bytes + box->length, PIECE);
    if (got < 0 && errno == EINTR)
        return FZ_OK;
    if (got > 0)
        box->length += (size_t)got;
    else
        worker_finish(crew, slot);
    return FZ_OK;
}

static void failure_of(const inbox *box, fz_error *failure)
{
    if (WIFSIGNALED(box->wait_status))
        fz_fail(failure, FZ_EIO, "the worker was killed by signal %d (%s)", WTERMSIG(box->wait_status),
                strsignal(WTERMSIG(box->wait_status)));
    else
        fz_fail(failure, FZ_EIO, "the worker ended with exit code %d before its result was complete",
                WEXITSTATUS(box->wait_status));
}

/* Hands out, in run order, what is complete. */
static fz_status results_deliver(worker_crew *crew, fz_error *err)
{
    for (; crew->next_done < crew->n_runs && crew->inboxes[crew->next_done].complete; crew->next_done++) {
        inbox *box = &crew->inboxes[crew->next_done];
        fz_run_result result;
        fz_error failure = {0};
        bool failed = false;
        if (!fz_wire_read(box->bytes, box->length, &result, &failed, &failure)) {
            failed = true;
            failure_of(box, &failure);
        }
        fz_status status = crew->pool->done(crew->pool->context, crew->next_done, failed ? NULL : &result,
                                            failed ? &failure : NULL, err);
        free(box->bytes);
        *box = (inbox){.complete = true};
        FZ_TRY(status);
    }
    return FZ_OK;
}

static fz_status crew_step(worker_crew *crew, fz_error *err)
{
    FZ_TRY(workers_fill(crew, err));
    int ready = poll(crew->polls, crew->pool->workers, 200);
    if (ready < 0 && errno != EINTR)
        return fz_fail(err, FZ_EIO, "cannot wait for the workers: %s", strerror(errno));
    if (crew->pool->interrupted != NULL && crew->pool->interrupted())
        return fz_fail(err, FZ_EINTERRUPTED, "interrupted");
    for (uint32_t slot = 0; ready > 0 && slot < crew->pool->workers; slot++)
        if (crew->workers[slot].pid != 0 && crew->polls[slot].revents != 0)
            FZ_TRY(worker_read(crew, slot, err));
    return results_deliver(crew, err);
}

static bool crew_hire(worker_crew *crew)
{
    crew->workers = calloc(crew->pool->workers, sizeof(*crew->workers));
    crew->polls = calloc(crew->pool->workers, sizeof(*crew->polls));
    crew->inboxes = calloc((size_t)crew->n_runs + 1, sizeof(*crew->inboxes));
    for (uint32_t slot = 0; crew->polls != NULL && slot < crew->pool->workers; slot++)
        crew->polls[slot].fd = -1;
    return crew->workers != NULL && crew->polls != NULL && crew->inboxes != NULL;
}

static void crew_dismiss(worker_crew *crew)
{
    for (uint32_t slot = 0; crew->workers != NULL && slot < crew->pool->workers; slot++)
        if (crew->workers[slot].pid != 0) {
            kill(crew->workers[slot].pid, SIGKILL);
            worker_finish(crew, slot);
        }
    for (uint32_t run = 0; crew->inboxes != NULL && run < crew->n_runs; run++)
        free(crew->inboxes[run].bytes);
    free(crew->workers);
    free(crew->polls);
    free(crew->inboxes);
}

fz_status fz_pool_run(const fz_pool *pool, const fz_run_spec *specs, uint32_t n_runs, fz_error *err)
{
    worker_crew crew = {.pool = pool, .specs = specs, .n_runs = n_runs};
    if (!crew_hire(&crew)) {
        crew_dismiss(&crew);
        return fz_fail(err, FZ_ENOMEM, "no memory for %u workers", pool->workers);
    }
    fz_status status = FZ_OK;
    while (status == FZ_OK && crew.next_done < n_runs)
        status = crew_step(&crew, err);
    crew_dismiss(&crew);
    return status;
}
