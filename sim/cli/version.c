#include "sim/cli/inputs.h"

const char *fz_program_version(void)
{
    return FZ_VERSION;
}
