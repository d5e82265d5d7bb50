#define ZLIB_CONST /* z_stream.next_in points to const */

#include "core/support/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/support/sha256.h"
#include "core/support/utf8.h"

enum { PACKED_BYTES = 128 * 1024 };

struct fz_input {
    int fd;
    bool gzip;
    bool in_member; /* gzip: a member has begun and its checksum has not been seen */
    bool at_end;    /* the file has no more bytes */
    z_stream z;     /* next_in, avail_in: what of `packed` is left, for plain files too */
    fz_sha256 sha;
    char *name;
    uint8_t packed[PACKED_BYTES];
};

static fz_status fail(const fz_input *input, fz_error *err, const char *what)
{
    return fz_fail_at(err, FZ_EIO, input->name, 0, 0, "%s", what);
}

static fz_status read_some(fz_input *input, void *bytes, size_t capacity, size_t *got, fz_error *err)
{
    ssize_t n = 0;
    do
        n = read(input->fd, bytes, capacity);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return fz_fail_at(err, FZ_EIO, input->name, 0, 0, "cannot read: %s", strerror(errno));
    *got = (size_t)n;
    input->at_end = n == 0;
    return FZ_OK;
}

static fz_status refill(fz_input *input, fz_error *err)
{
    size_t got = 0;
    FZ_TRY(read_some(input, input->packed, sizeof input->packed, &got, err));
    input->z.next_in = input->packed;
    input->z.avail_in = (uInt)got;
    return FZ_OK;
}

/* Leading bytes of what we do not read, and what to tell about it. */
static const struct {
    const char *bytes;
    uint8_t length;
    const char *what;
} foreign[] = {
    {"PK\003\004", 4, "this is a zip archive; unpack it first, or pack it with gzip"},
    {"\x28\xb5\x2f\xfd", 4, "this file is packed with zstd; unpack it first, or pack it with gzip"},
    {"\xfd\x37zXZ", 5, "this file is packed with xz; unpack it first, or pack it with gzip"},
    {"BZh", 3, "this file is packed with bzip2; unpack it first, or pack it with gzip"},
    {"\xff\xfe", 2, "this is UTF-16 text; save it as UTF-8"},
    {"\xfe\xff", 2, "this is UTF-16 text; save it as UTF-8"},
};

/* Reads the first bytes and tells gzip from plain by them. */
static fz_status detect(fz_input *input, fz_error *err)
{
    size_t n = 0;
    while (n < 6 && !input->at_end) {
        size_t got = 0;
        FZ_TRY(read_some(input, input->packed + n, sizeof input->packed - n, &got, err));
        n += got;
    }
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (n >= foreign[i].length && memcmp(input->packed, foreign[i].bytes, foreign[i].length) == 0)
            return fz_fail_at(err, FZ_EIO, input->name, 1, 1, "%s", foreign[i].what);
    input->z.next_in = input->packed;
    input->z.avail_in = (uInt)n;
    input->gzip = n > 0 && input->packed[0] == 0x1f && (n == 1 || input->packed[1] == 0x8b);
    input->in_member = input->gzip;
    if (input->gzip && inflateInit2(&input->z, 15 + 16) != Z_OK) {
        input->gzip = false;
        return fail(input, err, "cannot set up zlib: out of memory");
    }
    return FZ_OK;
}

static fz_status open_file(fz_input *input, const char *path, fz_error *err)
{
    input->fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (input->fd < 0)
        return fz_fail_at(err, FZ_EIO, input->name, 0, 0, "cannot open: %s", strerror(errno));
    struct stat st;
    if (fstat(input->fd, &st) == 0 && S_ISDIR(st.st_mode))
        return fail(input, err, "this is a directory; name a file in it");
    return detect(input, err);
}

static fz_input *input_new(const char *name)
{
    fz_input *input = calloc(1, sizeof *input);
    if (input == NULL)
        return NULL;
    input->fd = -1;
    input->name = strdup(name);
    fz_sha256_init(&input->sha);
    if (input->name == NULL) {
        free(input);
        return NULL;
    }
    return input;
}

fz_status fz_input_open(const char *path, fz_input **out, fz_error *err)
{
    fz_input *input = input_new(strcmp(path, "-") == 0 ? "<stdin>" : path);
    if (input == NULL) {
        (void)fz_fail(err, FZ_ENOMEM, "out of memory");
        return FZ_ENOMEM;
    }
    fz_status status = open_file(input, path, err);
    if (status != FZ_OK) {
        fz_input_close(input);
        return status;
    }
    *out = input;
    return FZ_OK;
}

fz_status fz_input_open_bytes(const char *name, const char *bytes, size_t length, fz_input **out,
                              fz_error *err)
{
    if (length > UINT32_MAX)
        return fz_fail(err, FZ_EINVAL, "%s: %zu bytes are more than 4 GiB", name, length);
    fz_input *input = input_new(name);
    if (input == NULL)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    input->z.next_in = (const Bytef *)bytes;
    input->z.avail_in = (uInt)length;
    input->at_end = true;
    *out = input;
    return FZ_OK;
}

void fz_input_close(fz_input *input)
{
    if (input == NULL)
        return;
    if (input->gzip)
        (void)inflateEnd(&input->z);
    if (input->fd >= 0)
        (void)close(input->fd);
    free(input->name);
    free(input);
}

const char *fz_input_name(const fz_input *input)
{
    return input->name;
}

static fz_status read_plain(fz_input *input, char *bytes, size_t capacity, size_t *got, fz_error *err)
{
    if (input->z.avail_in == 0 && input->at_end)
        return FZ_OK;
    if (input->z.avail_in == 0)
        return read_some(input, bytes, capacity, got, err);
    *got = input->z.avail_in < capacity ? input->z.avail_in : capacity;
    memcpy(bytes, input->z.next_in, *got);
    input->z.next_in += *got;
    input->z.avail_in -= (uInt)*got;
    return FZ_OK;
}

/* Between members: skips padding; begins the next member if bytes follow. */
static fz_status next_member(fz_input *input, fz_error *err)
{
    while (input->z.avail_in > 0 && *input->z.next_in == 0) {
        input->z.next_in++;
        input->z.avail_in--;
    }
    if (input->z.avail_in == 0)
        return FZ_OK;
    if (*input->z.next_in != 0x1f)
        return fail(input, err, "other bytes follow the gzip data; the file is damaged");
    (void)inflateReset(&input->z);
    input->in_member = true;
    return FZ_OK;
}

static fz_status inflate_some(fz_input *input, fz_error *err)
{
    int code = inflate(&input->z, Z_NO_FLUSH);
    if (code == Z_STREAM_END)
        input->in_member = false;
    else if (code == Z_MEM_ERROR)
        return fz_fail(err, FZ_ENOMEM, "out of memory");
    else if (code != Z_OK && code != Z_BUF_ERROR)
        return fz_fail_at(err, FZ_EIO, input->name, 0, 0,
                          "the gzip data is damaged (%s); fetch the file again",
                          input->z.msg != NULL ? input->z.msg : "unknown cause");
    return FZ_OK;
}

static fz_status read_gzip(fz_input *input, char *bytes, size_t capacity, size_t *got, fz_error *err)
{
    uInt room = capacity < UINT32_MAX ? (uInt)capacity : UINT32_MAX;
    input->z.next_out = (Bytef *)bytes;
    input->z.avail_out = room;
    while (input->z.avail_out == room) {
        if (input->z.avail_in == 0 && !input->at_end)
            FZ_TRY(refill(input, err));
        if (!input->in_member)
            FZ_TRY(next_member(input, err));
        if (input->in_member && input->z.avail_in == 0)
            return fail(input, err, "the gzip data ends too early; the file is cut: fetch it again");
        if (input->in_member)
            FZ_TRY(inflate_some(input, err));
        else if (input->at_end)
            break;
    }
    *got = room - input->z.avail_out;
    return FZ_OK;
}

fz_status fz_input_read(fz_input *input, char *bytes, size_t capacity, size_t *got, fz_error *err)
{
    *got = 0;
    FZ_TRY(input->gzip ? read_gzip(input, bytes, capacity, got, err)
                       : read_plain(input, bytes, capacity, got, err));
    fz_sha256_update(&input->sha, bytes, *got);
    return FZ_OK;
}

void fz_input_place_error(fz_error *err, const char *text, size_t length, uint32_t line)
{
    if (err == NULL || err->status != FZ_EIO || err->line > 0)
        return;
    fz_place place = fz_place_of(text, length);
    err->line = line + place.line - 1;
    err->column = place.column;
}

void fz_input_sha256(fz_input *input, char hex[65])
{
    fz_sha256_hex(&input->sha, hex);
}

static fz_status slurp(fz_input *input, size_t limit, char **text, size_t *length, fz_error *err)
{
    size_t capacity = 0;
    for (size_t got = 1; got > 0; *length += got) {
        if (capacity - *length < 2) {
            capacity = capacity == 0 ? (size_t)64 * 1024 : 2 * capacity;
            char *grown = realloc(*text, capacity);
            if (grown == NULL)
                return fz_fail(err, FZ_ENOMEM, "out of memory");
            *text = grown;
        }
        fz_status status = fz_input_read(input, *text + *length, capacity - *length - 1, &got, err);
        if (status != FZ_OK) {
            fz_input_place_error(err, *text, *length, 1);
            return status;
        }
        if (got > limit - *length)
            return fz_fail_at(err, FZ_EIO, input->name, 0, 0,
                              "the file is larger than %zu bytes, the limit for its kind", limit);
    }
    (*text)[*length] = '\0';
    return FZ_OK;
}

fz_status fz_input_slurp(const char *path, size_t limit, char **text, size_t *length, char hex[65],
                         fz_error *err)
{
    fz_input *input = NULL;
    *text = NULL;
    *length = 0;
    FZ_TRY(fz_input_open(path, &input, err));
    fz_status status = slurp(input, limit, text, length, err);
    if (status == FZ_OK && hex != NULL)
        fz_input_sha256(input, hex);
    if (status != FZ_OK) {
        free(*text);
        *text = NULL;
    }
    fz_input_close(input);
    return status;
}
