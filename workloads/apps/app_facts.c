/* Sources: the simulators of Pollux (petuum/adaptdl, branch osdi21-artifact) and Sia (siasosp23/artifacts). */
#include "workloads/apps/app_facts.h"

#include <string.h>

typedef struct facts {
    const char *app;
    double restart_s, believed_restart_s, slowdown;
} facts;

/* Sia: cost of a change, what its policy believes of it, and a factor on all step times. */
static const facts sia[] = {
    {"bert", 120, 120, 1.2},     {"cifar10", 50, 30, 1.8}, {"deepspeech2", 25, 25, 1.2},
    {"imagenet", 250, 250, 1.2}, {"ncf", 15, 30, 1.5},     {"yolov3", 80, 45, 1.2},
    {"gpt_pmp", 30, 30, 1.0},
};
static const facts sia_other = {"", 30, 30, 1.2};
static const facts pollux = {"", 30, 30, 1.0};

void fz_app_facts_fill(fz_app *app)
{
    const facts *found = app->rules == FZ_APP_SIA ? &sia_other : &pollux;
    for (uint32_t i = 0; app->rules == FZ_APP_SIA && i < sizeof sia / sizeof *sia; i++)
        if (strcmp(sia[i].app, app->name) == 0)
            found = &sia[i];
    app->restart_s = found->restart_s;
    app->believed_restart_s = found->believed_restart_s;
    app->slowdown = found->slowdown;
}

double fz_app_facts_most_local(const fz_app *app, const char *gpu, double table)
{
    if (app->rules == FZ_APP_SIA && strcmp(app->name, "deepspeech2") == 0 && strcmp(gpu, "rtx") == 0)
        return table < 57 ? table : 57;
    if (app->rules == FZ_APP_POLLUX && strcmp(app->name, "yolov3") == 0)
        return table < 8 ? table : 8;
    return table;
}

const char *fz_app_facts_gpu(const char *name)
{
    static const char *const types[][2] = {{"", "T4"},           {"aws", "T4"},
                                           {"azure", "V100"},    {"dgx-ext", "a100-40"},
                                           {"quad", "rtx-6000"}, {"rtx", "2080ti"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i][0], name) == 0)
            return types[i][1];
    return name;
}
