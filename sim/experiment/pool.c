#include "sim/experiment/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/support/unshared.h"
#include "sim/experiment/wire.h"
#include "sim/experiment/worker.h"

#define POLL_MS 200

typedef struct worker {
    pid_t pid; /* 0: the slot is free */
    int fd;    /* its result */
    int words; /* its standard error */
    uint32_t run;
    double started;
    bool out_of_time;
} worker;

/* What a run has sent so far. */
typedef struct inbox {
    char *bytes;
    size_t length, capacity;
    bool complete, skipped, delivered;
    int wait_status;
    bool out_of_time;
    char *words; /* NULL: none */
} inbox;

typedef struct worker_crew {
    const fz_pool *pool;
    const fz_run_spec *specs;
    uint32_t n_runs, next_run, next_done, n_done;
    worker *workers;
    struct pollfd *polls; /* two a worker: result, words */
    inbox *inboxes;
    inbox *spares; /* buffers to use again: as many as workers at most */
    uint32_t n_spares;
} worker_crew;

static struct pollfd *polls_of(const worker_crew *crew, uint32_t slot)
{
    return crew->polls + 2 * (size_t)slot;
}

static double clock_s(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? (double)now.tv_sec + (double)now.tv_nsec / 1e9 : 0;
}

/* ---- starting ------------------------------------------------------------------------------------------- */

static fz_status pipes_open(int result[2], int words[2], fz_error *err)
{
    if (pipe(result) != 0)
        return fz_fail(err, FZ_EIO, "cannot make a pipe: %s", strerror(errno));
    if (pipe(words) == 0)
        return FZ_OK;
    close(result[0]);
    close(result[1]);
    return fz_fail(err, FZ_EIO, "cannot make a pipe: %s", strerror(errno));
}

static fz_status worker_start(worker_crew *crew, uint32_t slot, uint32_t run, fz_error *err)
{
    int result[2] = {-1, -1};
    int words[2] = {-1, -1};
    FZ_TRY(pipes_open(result, words, err));
    fflush(NULL);
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        close(result[0]);
        close(words[0]);
        fz_worker_main(&crew->specs[run], result[1], words[1], parent, crew->pool->memory_limit);
        _exit(1); /* not reached */
    }
    close(result[1]);
    close(words[1]);
    if (pid < 0) {
        close(result[0]);
        close(words[0]);
        return fz_fail(err, FZ_EIO, "cannot start a worker process: %s", strerror(errno));
    }
    (void)fcntl(words[0], F_SETFL, O_NONBLOCK);
    crew->workers[slot] =
        (worker){.pid = pid, .fd = result[0], .words = words[0], .run = run, .started = clock_s()};
    polls_of(crew, slot)[0] = (struct pollfd){.fd = result[0], .events = POLLIN};
    polls_of(crew, slot)[1] = (struct pollfd){.fd = words[0], .events = POLLIN};
    return FZ_OK;
}

/* The next run that is wanted; n_runs if there is none. */
static uint32_t run_next(worker_crew *crew)
{
    for (; crew->next_run < crew->n_runs; crew->next_run++) {
        if (crew->pool->wanted == NULL || crew->pool->wanted(crew->pool->context, crew->next_run))
            return crew->next_run++;
        crew->inboxes[crew->next_run] = (inbox){.complete = true, .skipped = true};
    }
    return crew->n_runs;
}

static fz_status workers_fill(worker_crew *crew, fz_error *err)
{
    for (uint32_t slot = 0; slot < crew->pool->workers; slot++) {
        if (crew->workers[slot].pid != 0)
            continue;
        uint32_t run = run_next(crew);
        if (run == crew->n_runs)
            break;
        FZ_TRY(worker_start(crew, slot, run, err));
    }
    return FZ_OK;
}

/* ---- reading -------------------------------------------------------------------------------------------- */

/* Buffers are not shared with workers: else every fork would make the next write to each of their pages slow. */
static bool inbox_reserve(worker_crew *crew, inbox *box, size_t bytes)
{
    if (box->bytes == NULL && crew->n_spares > 0) {
        const inbox *spare = &crew->spares[--crew->n_spares];
        box->bytes = spare->bytes;
        box->capacity = spare->capacity;
    }
    if (box->length + bytes <= box->capacity)
        return true;
    size_t capacity = 2 * box->capacity + bytes;
    char *larger = fz_unshared_grow(box->bytes, box->capacity, &capacity);
    if (larger == NULL)
        return false;
    box->bytes = larger;
    box->capacity = capacity;
    return true;
}

static void inbox_release(worker_crew *crew, inbox *box)
{
    if (box->bytes != NULL && crew->n_spares < crew->pool->workers)
        crew->spares[crew->n_spares++] = *box;
    else
        fz_unshared_free(box->bytes, box->capacity);
    free(box->words);
}

/* Keeps the end of what was said. */
static void words_keep(inbox *box, const char *bytes, size_t length)
{
    if (box->words == NULL)
        box->words = calloc(1, FZ_LAST_WORDS);
    if (box->words == NULL)
        return;
    size_t have = strlen(box->words);
    size_t room = FZ_LAST_WORDS - 1;
    if (length > room) {
        bytes += length - room;
        length = room;
    }
    if (have + length > room) {
        size_t drop = have + length - room;
        memmove(box->words, box->words + drop, have - drop);
        have -= drop;
    }
    memcpy(box->words + have, bytes, length);
    box->words[have + length] = '\0';
}

/* Reads what is there; false at the end. */
static bool words_read(worker_crew *crew, uint32_t slot)
{
    char piece[4096];
    ssize_t got = 0;
    while ((got = read(crew->workers[slot].words, piece, sizeof(piece))) > 0) {
        for (ssize_t i = 0; i < got; i++) /* a text for every reader, whatever was written */
            if ((piece[i] < ' ' || piece[i] > '~') && piece[i] != '\n')
                piece[i] = '?';
        words_keep(&crew->inboxes[crew->workers[slot].run], piece, (size_t)got);
    }
    return got != 0;
}

static void worker_finish(worker_crew *crew, uint32_t slot)
{
    worker *self = &crew->workers[slot];
    inbox *box = &crew->inboxes[self->run];
    close(self->fd);
    while (waitpid(self->pid, &box->wait_status, 0) < 0 && errno == EINTR)
        ;
    (void)words_read(crew, slot);
    close(self->words);
    box->complete = true;
    box->out_of_time = self->out_of_time;
    self->pid = 0;
    polls_of(crew, slot)[0].fd = -1;
    polls_of(crew, slot)[1].fd = -1;
}

static fz_status worker_read(worker_crew *crew, uint32_t slot, fz_error *err)
{
    enum { PIECE = 1 << 20 };
    inbox *box = &crew->inboxes[crew->workers[slot].run];
    if (!inbox_reserve(crew, box, PIECE))
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

static fz_status workers_read(worker_crew *crew, fz_error *err)
{
    for (uint32_t slot = 0; slot < crew->pool->workers; slot++) {
        struct pollfd *polls = polls_of(crew, slot);
        if (crew->workers[slot].pid == 0)
            continue;
        if (polls[1].revents != 0 && !words_read(crew, slot))
            polls[1].fd = -1; /* closed by the worker */
        if (polls[0].revents != 0)
            FZ_TRY(worker_read(crew, slot, err));
    }
    return FZ_OK;
}

static void times_check(worker_crew *crew)
{
    double limit = crew->pool->time_limit_s;
    for (uint32_t slot = 0; limit > 0 && slot < crew->pool->workers; slot++) {
        worker *self = &crew->workers[slot];
        if (self->pid != 0 && !self->out_of_time && clock_s() - self->started > limit) {
            self->out_of_time = true;
            kill(self->pid, SIGKILL);
        }
    }
}

/* ---- handing out ---------------------------------------------------------------------------------------- */

static void ended_badly(const worker_crew *crew, const inbox *box, fz_run_failure *failure)
{
    int signal = WIFSIGNALED(box->wait_status) ? WTERMSIG(box->wait_status) : 0;
    if (box->out_of_time) {
        failure->kind = "time";
        fz_fail(&failure->error, FZ_EIO, "stopped at its time limit of %g s", crew->pool->time_limit_s);
    } else if (signal != 0) {
        failure->kind = "killed";
        fz_fail(&failure->error, FZ_EIO, "the worker was killed by signal %d (%s)%s", signal,
                strsignal(signal), signal == SIGKILL ? ": out of memory, or somebody's kill -9" : "");
    } else {
        failure->kind = "exit";
        fz_fail(&failure->error, FZ_EIO, "the worker ended with exit code %d before its result was complete",
                WEXITSTATUS(box->wait_status));
    }
}

static const char *kind_of(fz_status status)
{
    return status == FZ_EUNSTABLE ? "unstable" : status == FZ_ENOMEM ? "memory" : "error";
}

static fz_status box_deliver(worker_crew *crew, uint32_t run, fz_error *err)
{
    inbox *box = &crew->inboxes[run];
    fz_run_result result;
    fz_run_failure failure = {.kind = ""};
    bool failed = false;
    if (!fz_wire_read(box->bytes, box->length, &result, &failed, &failure.error)) {
        failed = true;
        ended_badly(crew, box, &failure);
    } else if (failed) {
        failure.kind = kind_of(failure.error.status);
    }
    if (box->words != NULL)
        memcpy(failure.last_words, box->words, sizeof(failure.last_words));
    fz_status status =
        crew->pool->done(crew->pool->context, run, failed ? NULL : &result, failed ? &failure : NULL, err);
    return status;
}

static fz_status box_empty(worker_crew *crew, uint32_t run, fz_error *err)
{
    inbox *box = &crew->inboxes[run];
    fz_status status = box->skipped ? FZ_OK : box_deliver(crew, run, err);
    inbox_release(crew, box);
    *box = (inbox){.complete = true, .delivered = true};
    crew->n_done++;
    return status;
}

/* Hands out what is complete: in run order, or all of it. */
static fz_status results_deliver(worker_crew *crew, fz_error *err)
{
    bool any = crew->pool->as_they_come;
    for (uint32_t run = crew->next_done; run < crew->next_run; run++) {
        if (crew->inboxes[run].complete && !crew->inboxes[run].delivered)
            FZ_TRY(box_empty(crew, run, err));
        if (crew->inboxes[run].delivered && run == crew->next_done)
            crew->next_done++;
        else if (!any)
            break;
    }
    return FZ_OK;
}

static fz_status crew_step(worker_crew *crew, fz_error *err)
{
    FZ_TRY(workers_fill(crew, err));
    int ready = poll(crew->polls, 2 * (nfds_t)crew->pool->workers, POLL_MS);
    if (ready < 0 && errno != EINTR)
        return fz_fail(err, FZ_EIO, "cannot wait for the workers: %s", strerror(errno));
    if (crew->pool->interrupted != NULL && crew->pool->interrupted())
        return fz_fail(err, FZ_EINTERRUPTED, "interrupted");
    if (ready > 0)
        FZ_TRY(workers_read(crew, err));
    times_check(crew);
    if (crew->pool->tick != NULL)
        crew->pool->tick(crew->pool->context);
    FZ_TRY(workers_fill(crew, err)); /* they work while results are handed out */
    return results_deliver(crew, err);
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static bool crew_hire(worker_crew *crew)
{
    crew->workers = calloc(crew->pool->workers, sizeof(*crew->workers));
    crew->polls = calloc(2 * (size_t)crew->pool->workers, sizeof(*crew->polls));
    crew->inboxes = calloc((size_t)crew->n_runs + 1, sizeof(*crew->inboxes));
    crew->spares = calloc(crew->pool->workers, sizeof(*crew->spares));
    for (size_t i = 0; crew->polls != NULL && i < 2 * (size_t)crew->pool->workers; i++)
        crew->polls[i].fd = -1;
    return crew->workers != NULL && crew->polls != NULL && crew->inboxes != NULL && crew->spares != NULL;
}

static void crew_dismiss(worker_crew *crew)
{
    for (uint32_t slot = 0; crew->workers != NULL && slot < crew->pool->workers; slot++)
        if (crew->workers[slot].pid != 0) {
            kill(crew->workers[slot].pid, SIGKILL);
            worker_finish(crew, slot);
        }
    for (uint32_t run = 0; crew->inboxes != NULL && run < crew->n_runs; run++) {
        fz_unshared_free(crew->inboxes[run].bytes, crew->inboxes[run].capacity);
        free(crew->inboxes[run].words);
    }
    for (uint32_t i = 0; i < crew->n_spares; i++)
        fz_unshared_free(crew->spares[i].bytes, crew->spares[i].capacity);
    free(crew->spares);
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
    while (status == FZ_OK && crew.n_done < n_runs)
        status = crew_step(&crew, err);
    crew_dismiss(&crew);
    return status;
}
