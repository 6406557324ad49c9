/* Logs disk access: every write and sync below $DISK_FOLDER is also recorded in the file $DISK_LOG, in order. From the log,
   a test can reconstruct what a power cut at any moment would leave on the disk.

   A record is a line "KIND PATH OFFSET LENGTH", followed by LENGTH bytes for W and R. Kinds: W write, T truncate at OFFSET,
   F sync, U delete, R rename to the name in the bytes. Loaded by LD_PRELOAD. Only one thread may write, as in the box. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name)) dlsym(RTLD_NEXT, #name))

static const char *path_of(int fd, char *path, size_t size)
{
    const char *folder = getenv("DISK_FOLDER");
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (!folder || length < 0)
        return NULL;
    path[length] = 0;
    size_t start = strlen(folder);
    return strncmp(path, folder, start) == 0 && path[start] == '/' ? path + start + 1 : NULL;
}

static void note(char kind, const char *path, off_t offset, const void *data, size_t length)
{
    static int log = -1;
    char line[4200];
    if (log < 0)
        log = open(getenv("DISK_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int size = snprintf(line, sizeof line, "%c %s %lld %zu\n", kind, path, (long long) offset, length);
    if (REAL(write)(log, line, size) != size || (length && REAL(write)(log, data, length) != (ssize_t) length))
        abort();
}

static void note_write(int fd, off_t offset, const void *data, ssize_t written)
{
    char path[4096];
    const char *name = written > 0 ? path_of(fd, path, sizeof path) : NULL;
    if (name)
        note('W', name, offset, data, written);
}

static void note_mark(char kind, int fd, off_t offset, int failed)
{
    char path[4096];
    const char *name = failed ? NULL : path_of(fd, path, sizeof path);
    if (name)
        note(kind, name, offset, NULL, 0);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset)
{
    ssize_t written = REAL(pwrite)(fd, data, length, offset);
    note_write(fd, offset, data, written);
    return written;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset)
{
    ssize_t written = REAL(pwrite64)(fd, data, length, offset);
    note_write(fd, offset, data, written);
    return written;
}

ssize_t write(int fd, const void *data, size_t length)
{
    off_t offset = lseek(fd, 0, SEEK_CUR);
    ssize_t written = REAL(write)(fd, data, length);
    if (offset >= 0)
        note_write(fd, offset, data, written);
    return written;
}

int ftruncate64(int fd, off64_t length)
{
    int failed = REAL(ftruncate64)(fd, length);
    note_mark('T', fd, length, failed);
    return failed;
}

int ftruncate(int fd, off_t length)
{
    int failed = REAL(ftruncate)(fd, length);
    note_mark('T', fd, length, failed);
    return failed;
}

int fsync(int fd)
{
    int failed = REAL(fsync)(fd);
    note_mark('F', fd, 0, failed);
    return failed;
}

int fdatasync(int fd)
{
    int failed = REAL(fdatasync)(fd);
    note_mark('F', fd, 0, failed);
    return failed;
}

int unlink(const char *path)
{
    const char *folder = getenv("DISK_FOLDER");
    int failed = REAL(unlink)(path);
    if (!failed && folder && strncmp(path, folder, strlen(folder)) == 0)
        note('U', path + strlen(folder) + 1, 0, NULL, 0);
    return failed;
}

int rename(const char *from, const char *to)
{
    const char *folder = getenv("DISK_FOLDER");
    size_t start = folder ? strlen(folder) : 0;
    int failed = REAL(rename)(from, to);
    if (!failed && folder && strncmp(from, folder, start) == 0 && strncmp(to, folder, start) == 0)
        note('R', from + start + 1, 0, to + start + 1, strlen(to + start + 1));
    return failed;
}
