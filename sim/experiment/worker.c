#include "sim/experiment/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/support/pages.h"
#include "sim/experiment/wire.h"

/* Nobody waits for a worker whose parent was killed: it ends with it. */
static void parent_follow(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(1);
}

/* When the machine runs out of memory, a worker is to go, not the parent with the results of all. */
static void offer_as_victim(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    static const char score[] = "500";
    ssize_t written = write(fd, score, sizeof(score) - 1);
    (void)written; /* a wish, no more */
    close(fd);
}

static void memory_limit_set(uint64_t bytes)
{
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    if (bytes > 0)
        (void)setrlimit(RLIMIT_AS, &limit);
}

void fz_worker_main(const fz_run_spec *spec, int result_fd, int words_fd, pid_t parent, uint64_t memory_limit)
{
    parent_follow(parent);
    offer_as_victim();
    memory_limit_set(memory_limit);
    signal(SIGPIPE, SIG_IGN); /* a parent that went away is an error of write() */
    (void)dup2(words_fd, STDERR_FILENO);
    close(words_fd);
    fz_arena *arena = fz_arena_new(fz_pages_allocator());
    fz_run_result result;
    fz_error err = {0};
    fz_status status =
        arena != NULL ? fz_run(arena, spec, &result, &err) : fz_fail(&err, FZ_ENOMEM, "no memory");
    bool written = fz_wire_write(result_fd, status == FZ_OK ? &result : NULL, status == FZ_OK ? NULL : &err);
    _exit(written ? 0 : 1);
}
