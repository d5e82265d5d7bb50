/* frenzy doctor: what this program was built with and what it finds on this machine. */
#include <dlfcn.h>
#include <stdio.h>

#include "sim/cli/commands.h"
#include "sim/cli/inputs.h"
#include "sim/cli/json.h"
#include "sim/cli/libraries.h"
#include "sim/cli/say.h"

/* The CUDA driver is only looked for, never linked. Returns its version, 0 without one. */
static int cuda_driver(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
    int version = 0;
    if (driver == NULL)
        return 0;
    int (*get_version)(int *) = NULL;
    *(void **)&get_version = dlsym(driver, "cuDriverGetVersion");
    if (get_version == NULL || get_version(&version) != 0)
        version = 0;
    dlclose(driver);
    return version;
}

static void print_text(int cuda)
{
    printf("frenzy   %s\n", fz_program_version());
    fz_libraries_print();
    if (cuda > 0)
        printf("CUDA     driver for CUDA %d.%d\n", cuda / 1000, cuda % 1000 / 10);
    else
        printf("CUDA     no driver found; replays and plans do not need one\n");
}

static void print_json(int cuda)
{
    fz_library libraries[FZ_N_LIBRARIES];
    fz_libraries_list(libraries);
    fz_json json = fz_json_start(stdout, "frenzy-doctor-1");
    fz_json_text(&json, "version", fz_program_version());
    fz_json_open(&json, "libraries");
    for (int i = 0; i < FZ_N_LIBRARIES; i++)
        fz_json_text(&json, libraries[i].name,
                     libraries[i].found != NULL ? libraries[i].found : libraries[i].built);
    fz_json_close(&json);
    fz_json_bool(&json, "cuda_present", cuda > 0);
    fz_json_count(&json, "cuda_driver_version", (uint64_t)cuda);
    fz_json_end(&json);
}

static int doctor_run(const fz_args *args)
{
    int cuda = cuda_driver();
    if (fz_args_has(args, "json"))
        print_json(cuda);
    else
        print_text(cuda);
    return FZ_EXIT_DONE;
}

const fz_command fz_command_doctor = {
    .name = "doctor",
    .summary = "libraries and versions, CUDA present or not",
    .arguments = "[--json]",
    .examples = "  frenzy doctor\n",
    .notes = "",
    .run = doctor_run,
};
