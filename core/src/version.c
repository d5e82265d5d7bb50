#include <frenzy/version.h>

int fz_abi_version(void)
{
    return FZ_ABI_VERSION;
}

const char *fz_version(void)
{
    return FZ_VERSION;
}
