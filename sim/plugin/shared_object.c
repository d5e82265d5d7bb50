/* Policies in shared objects. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/support/sha256.h"
#include "sim/plugin/roster.h"

#define SYMBOL "frenzy_plugin"

/* dlopen() looks for a bare name in the folders of the system; here it is a file like any other. */
static fz_status object_open(const char *path, void **handle, fz_error *err)
{
    char full[4096];
    struct stat info;
    int length = snprintf(full, sizeof(full), "%s%s", strchr(path, '/') != NULL ? "" : "./", path);
    if (length < 0 || (size_t)length >= sizeof(full))
        return fz_fail_at(err, FZ_EPARSE, path, 0, 0, "the name is too long");
    if (stat(full, &info) != 0)
        return fz_fail_at(err, FZ_EPARSE, path, 0, 0, "cannot read the plug-in: %s", strerror(errno));
    *handle = dlopen(full, RTLD_NOW | RTLD_LOCAL);
    if (*handle == NULL)
        return fz_fail_at(err, FZ_EPARSE, path, 0, 0, "this is no shared object that can be loaded: %s",
                          dlerror());
    return FZ_OK;
}

static fz_status abi_check(const fz_sched_abi *theirs, const char *path, fz_error *err)
{
    const fz_sched_abi ours = FZ_SCHED_ABI_HERE;
    if (theirs->number != ours.number)
        return fz_fail_at(
            err, FZ_EPARSE, path, 0, 0,
            "the plug-in was built for policy interface %u, this frenzy has %u; build it again with the "
            "headers of this frenzy",
            theirs->number, ours.number);
    if (memcmp(theirs, &ours, sizeof(ours)) != 0)
        return fz_fail_at(
            err, FZ_EPARSE, path, 0, 0,
            "the plug-in was built with another sched.h (its structs have other sizes); build it again "
            "with the headers of this frenzy");
    return FZ_OK;
}

/* "mine.so 1a2b3c4d5e6f" */
static void origin_text(const char *path, char *text, size_t size)
{
    char hex[65];
    const char *slash = strrchr(path, '/');
    if (!fz_sha256_file(path, hex))
        hex[0] = '\0';
    snprintf(text, size, "%s %.12s", slash != NULL ? slash + 1 : path, hex);
}

fz_status fz_roster_load(fz_roster *roster, const char *path, fz_error *err)
{
    void *handle = NULL;
    char origin[256];
    FZ_TRY(object_open(path, &handle, err));
    const fz_sched_plugin *plugin = dlsym(handle, SYMBOL);
    if (plugin == NULL)
        return fz_fail_at(err, FZ_EPARSE, path, 0, 0,
                          "there is no `" SYMBOL
                          "` in this shared object; `frenzy schedulers --new mine` writes a "
                          "plug-in that has one");
    FZ_TRY(abi_check(&plugin->abi, path, err));
    if (plugin->n_policies == 0 || plugin->policies == NULL)
        return fz_fail_at(err, FZ_EPARSE, path, 0, 0, "`" SYMBOL "` lists no policy");
    origin_text(path, origin, sizeof(origin));
    for (uint32_t i = 0; i < plugin->n_policies; i++) {
        if (plugin->policies[i] == NULL)
            return fz_fail_at(err, FZ_EPARSE, path, 0, 0, "policy %u of `" SYMBOL "` is NULL", i + 1);
        FZ_TRY(fz_roster_add(roster, plugin->policies[i], path, origin, err));
    }
    return FZ_OK;
}
