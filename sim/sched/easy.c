/* EASY backfill: FIFO with a reservation for the head of the queue only. */
#include "sim/sched/fixed.h"
#include "sim/sched/orderq.h"

/* The head's reservation: at `shadow` it starts on `type`, where `extra` GPUs are then spare. */
typedef struct reservation {
    uint32_t type; /* FZ_NO_TYPE: none can be given, as no estimate says when it fits */
    fz_time shadow;
    uint32_t extra;
} reservation;

static fz_status easy_init(void *state, const fz_sched_env *env, fz_error *err)
{
    return fz_orderq_init(state, env, err);
}

static bool head_starts(const fz_view *view, fz_decision *decision, fz_job head)
{
    uint32_t type =
        fz_fixed_type(fz_view_cluster(view), &fz_view_demand(view, head)->fixed, FZ_TYPE_FILE_ORDER);
    return type != FZ_NO_TYPE && fz_fixed_start(view, decision, head, type, false) == FZ_PLACED;
}

/* Starts heads while they fit; returns the head that blocks, or FZ_NO_JOB. */
static fz_job heads_start(fz_orderq *queue, const fz_view *view, fz_decision *decision)
{
    fz_job head = fz_orderq_head(queue);
    for (; head != FZ_NO_JOB && head_starts(view, decision, head); head = fz_orderq_head(queue))
        fz_orderq_remove(queue, head);
    return head;
}

/* Queues the arrivals; while nobody waits, an arrival is the head and may start without queueing. */
static void arrivals_take(fz_orderq *queue, const fz_view *view, fz_decision *decision)
{
    fz_job_list arrived = fz_view_arrived(view);
    for (uint32_t i = 0; i < arrived.n_jobs; i++) {
        fz_job job = arrived.jobs[i];
        bool is_head = arrived.n_jobs == 1 && fz_orderq_head(queue) == FZ_NO_JOB;
        if (!is_head || !head_starts(view, decision, job))
            fz_orderq_push(queue, fz_view_class(view, job), job);
    }
}

/* The earliest promise over the head's types; ties go to the first type of the cluster file. */
static reservation reserve(const fz_view *view, fz_job head)
{
    const fz_plan *plan = &fz_view_demand(view, head)->fixed;
    reservation best = {.type = FZ_NO_TYPE, .shadow = FZ_TIME_MAX};
    for (fz_type_mask left = plan->types; left != 0; left &= left - 1) {
        uint32_t type = (uint32_t)__builtin_ctzll(left);
        fz_time when = 0;
        uint32_t idle = 0;
        if (fz_view_when_idle(view, type, plan->gpus, &when, &idle) && when < best.shadow)
            best = (reservation){.type = type, .shadow = when, .extra = idle - plan->gpus};
    }
    return best;
}

/* The first waiting job that may pass: on other types whatever fits; on the reserved type what ends by
 * the shadow time or uses only spare GPUs. The head itself fits nowhere now. */
static fz_job first_backfill(fz_orderq *queue, const fz_view *view, const reservation *held)
{
    const fz_cluster *cluster = fz_view_cluster(view);
    uint32_t n_types = fz_cluster_get_spec(cluster)->n_types;
    fz_orderq_search_clear(queue);
    for (uint32_t type = 0; type < n_types; type++) {
        uint32_t idle = fz_cluster_idle_of(cluster, type);
        if (type != held->type) {
            fz_orderq_search_add(queue, type, idle, FZ_TIME_MAX);
            continue;
        }
        fz_orderq_search_add(queue, type, idle, held->shadow - fz_view_now(view));
        fz_orderq_search_add(queue, type, idle < held->extra ? idle : held->extra, FZ_TIME_MAX);
    }
    return fz_orderq_search(queue);
}

static bool ends_in_time(const fz_view *view, fz_job job, const reservation *held)
{
    return fz_view_estimate(view, job) <= held->shadow - fz_view_now(view);
}

/* The first type of the cluster file on which the job may pass. */
static uint32_t backfill_type(const fz_view *view, fz_job job, const reservation *held)
{
    const fz_plan *plan = &fz_view_demand(view, job)->fixed;
    for (fz_type_mask left = plan->types; left != 0; left &= left - 1) {
        uint32_t type = (uint32_t)__builtin_ctzll(left);
        if (fz_cluster_idle_of(fz_view_cluster(view), type) >= plan->gpus &&
            (type != held->type || plan->gpus <= held->extra || ends_in_time(view, job, held)))
            return type;
    }
    return FZ_NO_TYPE;
}

static fz_status easy_decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{
    (void)err;
    fz_orderq *queue = state;
    arrivals_take(queue, view, decision);
    fz_job head = heads_start(queue, view, decision);
    if (head == FZ_NO_JOB)
        return FZ_OK;
    reservation held = reserve(view, head);
    for (fz_job job = first_backfill(queue, view, &held); job != FZ_NO_JOB;
         job = first_backfill(queue, view, &held)) {
        uint32_t type = backfill_type(view, job, &held);
        bool in_time = ends_in_time(view, job, &held);
        if (fz_fixed_start(view, decision, job, type, false) != FZ_PLACED)
            break; /* refused: the engine reports why */
        if (type == held.type && !in_time)
            held.extra -= fz_view_demand(view, job)->fixed.gpus;
        fz_orderq_remove(queue, job);
    }
    return FZ_OK;
}

const fz_sched_ops fz_sched_easy = {
    .name = "easy",
    .summary = "EASY backfill: FIFO, the head holds a reservation, others may pass if they do not delay it",
    .manual =
        "Rules (the textbook ones): the head of the queue that does not fit holds a reservation at the "
        "shadow\n"
        "time, the earliest time at which it fits by the estimates of the running jobs. A later job starts\n"
        "now if it fits and either ends by the shadow time (by its estimate) or uses only GPUs that are "
        "spare\n"
        "at the shadow time. All running jobs that end at the shadow time count as free there; shadow time\n"
        "and spare GPUs are worked out once in a pass, after the heads that fit have started.\n"
        "Several GPU types: the reservation is on the type that promises the earliest start; jobs on other\n"
        "types pass freely. A job past its estimate counts as ending a microsecond from now.\n"
        "Checked against: an independent replay of 512 pooled GPUs, every start time equal.",
    .caps = FZ_SCHED_ENDS,
    .state_size = sizeof(fz_orderq),
    .init = easy_init,
    .decide = easy_decide,
};
