#include "tests/temp.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

void fz_temp_open(fz_temp *temp)
{
    const char *base = getenv("TMPDIR");
    (void)snprintf(temp->folder, sizeof temp->folder, "%.40s/frenzy-XXXXXX", base != NULL ? base : "/tmp");
    char *made = mkdtemp(temp->folder);
    assert(made != NULL);
    (void)made;
    (void)chmod(temp->folder, 0755);
}

void fz_temp_close(fz_temp *temp)
{
    DIR *folder = opendir(temp->folder);
    for (struct dirent *entry = NULL; folder != NULL && (entry = readdir(folder)) != NULL;)
        (void)remove(fz_temp_path(temp, entry->d_name)); /* fails on "." and "..", as it should */
    if (folder != NULL)
        (void)closedir(folder);
    (void)rmdir(temp->folder);
}

const char *fz_temp_path(fz_temp *temp, const char *name)
{
    (void)snprintf(temp->path, sizeof temp->path, "%s/%.90s", temp->folder, name);
    return temp->path;
}

const char *fz_temp_write(fz_temp *temp, const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(fz_temp_path(temp, name), "wb");
    assert(file != NULL);
    size_t written = fwrite(bytes, 1, length, file);
    int closed = fclose(file);
    assert(written == length && closed == 0);
    (void)written;
    (void)closed;
    return temp->path;
}

const char *fz_temp_text(fz_temp *temp, const char *name, const char *text)
{
    return fz_temp_write(temp, name, text, strlen(text));
}

const char *fz_temp_gzip(fz_temp *temp, const char *name, const void *bytes, size_t length)
{
    gzFile file = gzopen(fz_temp_path(temp, name), "wb6");
    assert(file != NULL);
    int written = length > 0 ? gzwrite(file, bytes, (unsigned)length) : 0;
    int closed = gzclose(file);
    assert((size_t)written == length && closed == Z_OK);
    (void)written;
    (void)closed;
    return temp->path;
}

char *fz_temp_bytes(size_t size, char fill)
{
    char *bytes = malloc(size);
    if (bytes == NULL)
        abort();
    memset(bytes, fill, size);
    return bytes;
}
