/* frenzy plan: will this training job fit, on which GPUs, how many, under which parallelism (MARP). */
#include <stdlib.h>

#include "sim/cli/commands.h"
#include "sim/cli/plan_request.h"
#include "sim/cli/plan_views.h"
#include "sim/cli/say.h"

static int plan_for(const fz_args *args, fz_plan_request *request, fz_arena *arena)
{
    fz_error err;
    if (fz_plan_request_read(args, arena, request, &err) != FZ_OK)
        return err.status == FZ_EUSAGE ? fz_say_error(&err) : fz_say_input_error(&err);
    return request->paper ? fz_plan_show_paper(request) : fz_plan_show_analytic(request);
}

static int plan_run(const fz_args *args)
{
    fz_plan_request *request = calloc(1, sizeof(*request));
    fz_arena *arena = fz_arena_new(NULL);
    int code = FZ_EXIT_FAILED;
    if (request != NULL && arena != NULL)
        code = plan_for(args, request, arena);
    fz_arena_free(arena);
    free(request);
    return code;
}

const fz_command fz_command_plan = {
    .name = "plan",
    .summary = "will this training job fit, on which GPUs, how many, under which parallelism (MARP)",
    .arguments = "--model MODEL --batch N --seq N [--gpu NAME]... [--cluster FILE] [--json]",
    .examples =
        "  frenzy plan --model llama-2-7b --batch 512 --seq 4096 --gpu a100-80g --gpu v100-32g\n"
        "  frenzy plan --model path/to/config.json --batch 512 --seq 4096 --cluster sia-64 --json\n"
        "  frenzy plan --model llama-3-8b --batch 16 --seq 2048 --gpu rtx-4090 --lora 16 --quant nf4\n",
    .notes =
        "Exit code 6: it fits nowhere. A plan fits when the upper end of its memory interval does. The "
        "intervals "
        "are\n"
        "those of measured runs that the estimator had not seen (frenzy fit memory). --estimator paper is "
        "the "
        "published\n"
        "formula of Frenzy, which knows tensor and data parallelism with mixed precision and Adam only.\n",
    .options = fz_plan_options,
    .n_options = FZ_PLAN_OPTIONS,
    .run = plan_run,
};
