/* Notes what a program writes below one folder, in order: loaded before libc with LD_PRELOAD.

   Beside the library lie two files: <library>.root names the folder, <library>.log takes one record
   for each call. A write is noted once it is made, a sync when it begins ('s') and ends ('S'), so
   that what was noted before an 's' is on the disk at its 'S'; 'f' is the end of one that failed.
   replay.py reads the records. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct record { uint8_t kind; uint64_t inode, offset; uint32_t name, data; } __attribute__((packed));

static char root[PATH_MAX];
static size_t root_length;
static int log_file = -1;

__attribute__((constructor)) static void begin(void) {
    Dl_info own;
    char path[PATH_MAX];
    dladdr((void *)begin, &own);
    snprintf(path, sizeof path, "%s.root", own.dli_fname);
    int file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t length = syscall(SYS_read, file, root, sizeof root - 1);
    syscall(SYS_close, file);
    root_length = length > 0 ? length : 0;
}

/* A log of its own for each process: what an earlier fork opened may be closed by now. */
static int opened_log(void) {
    static pid_t owner;
    if (owner != getpid()) {
        Dl_info own;
        char path[PATH_MAX];
        dladdr((void *)begin, &own);
        snprintf(path, sizeof path, "%s.log", own.dli_fname);
        log_file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        owner = getpid();
    }
    return log_file;
}

static void note(uint8_t kind, uint64_t inode, uint64_t offset, const char *name, const void *data, size_t size) {
    int before = errno;
    size_t length = name ? strlen(name) : 0;
    struct record head = {kind, inode, offset, (uint32_t)length, (uint32_t)size};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)name, length}, {(void *)data, size}};
    syscall(SYS_writev, opened_log(), parts, 3);
    errno = before;
}

/* Return a path relative to the folder, or NULL when it is elsewhere. */
static const char *inside(const char *path) {
    if (!root_length || strncmp(path, root, root_length) || path[root_length] != '/') return NULL;
    return path + root_length + 1;
}

static const char *located(int folder, const char *path, char *whole) {
    char link[64], start[PATH_MAX] = "";
    if (!root_length) return NULL;
    if (*path == '/') return snprintf(whole, PATH_MAX, "%s", path), inside(whole);
    if (folder == AT_FDCWD) {
        if (!getcwd(start, sizeof start)) return NULL;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        if (readlink(link, start, sizeof start - 1) < 0) return NULL;
    }
    if (snprintf(whole, PATH_MAX, "%s/%s", start, path) >= PATH_MAX) return NULL;
    return inside(whole);
}

/* Return the inode of a file or folder below the root, 0 for anything else. */
static uint64_t inode_of(int file) {
    struct stat found;
    char link[64], path[PATH_MAX] = "";
    if (!root_length || fstat(file, &found) || !(S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (readlink(link, path, sizeof path - 1) < 0) return 0;
    return inside(path) || !strcmp(path, root) ? found.st_ino : 0;
}

static uint64_t inode_at(const char *path) {
    struct stat found;
    return lstat(path, &found) ? 0 : found.st_ino;
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
    char whole[PATH_MAX];
    const char *name = located(folder, path, whole);
    int is_fresh = name && (flags & O_CREAT) && !inode_at(whole);
    int file = syscall(SYS_openat, folder, path, flags, mode);
    if (file >= 0 && name && is_fresh) note('c', inode_of(file), 0, name, NULL, 0);
    else if (file >= 0 && name && (flags & O_TRUNC)) note('t', inode_of(file), 0, NULL, NULL, 0);
    return file;
}

#define MODE mode_t mode = 0; if (flags & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }
int open(const char *path, int flags, ...) { MODE return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return opened(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE return opened(folder, path, flags, mode); }

static void wrote(int file, off_t offset, const void *data, ssize_t size) {
    uint64_t inode = size > 0 ? inode_of(file) : 0;
    if (inode) note('w', inode, offset, NULL, data, size);
}

ssize_t write(int file, const void *data, size_t size) {
    ssize_t done = syscall(SYS_write, file, data, size);
    if (done > 0 && root_length) wrote(file, lseek(file, 0, SEEK_CUR) - done, data, done);
    return done;
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset) {
    ssize_t done = syscall(SYS_pwrite64, file, data, size, offset);
    wrote(file, offset, data, done);
    return done;
}
ssize_t pwrite(int file, const void *data, size_t size, off_t offset) { return pwrite64(file, data, size, offset); }

/* Note what the kernel copied by itself, as it is read in its new place. */
static void copied(int to, off_t place, ssize_t size) {
    char link[64];
    if (!inode_of(to)) return;
    char *copy = malloc(size);
    snprintf(link, sizeof link, "/proc/self/fd/%d", to);
    int again = syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC);
    if (pread(again, copy, size, place) == size) wrote(to, place, copy, size);
    syscall(SYS_close, again);
    free(copy);
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t size) {
    ssize_t done = syscall(SYS_sendfile, to, from, offset, size);
    if (done > 0) copied(to, lseek(to, 0, SEEK_CUR) - done, done);
    return done;
}
ssize_t sendfile(int to, int from, off_t *offset, size_t size) { return sendfile64(to, from, offset, size); }

ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *place, size_t size, unsigned flags) {
    ssize_t done = syscall(SYS_copy_file_range, from, start, to, place, size, flags);
    if (done > 0) copied(to, (place ? *place : lseek(to, 0, SEEK_CUR)) - done, done);
    return done;
}

int ftruncate64(int file, off64_t length) {
    int failed = syscall(SYS_ftruncate, file, length);
    uint64_t inode = failed ? 0 : inode_of(file);
    if (inode) note('t', inode, length, NULL, NULL, 0);
    return failed;
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

/* From the sync of a log on that RECORDER_FAILS_AT counts, the first one by each descriptor fails:
   Linux tells each of them once (errseq_t), and takes what it could not write for written. */
static int fails(int file) {
    static int syncs, told[1024];
    const char *from = getenv("RECORDER_FAILS_AT");
    char link[64], path[PATH_MAX] = "";
    if (!from || file >= 1024) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 4 || strcmp(path + length - 4, "-wal")) return 0;
    return __atomic_add_fetch(&syncs, 1, __ATOMIC_SEQ_CST) >= atoi(from) && !told[file]++;
}

static int synced(long call, int file) {
    uint64_t inode = inode_of(file), turn = syscall(SYS_gettid);
    if (inode) note('s', inode, turn, NULL, NULL, 0);
    int failed = fails(file) ? (errno = EIO, -1) : syscall(call, file);
    if (inode) note(failed ? 'f' : 'S', inode, turn, NULL, NULL, 0);
    return failed;
}
int fsync(int file) { return synced(SYS_fsync, file); }
int fdatasync(int file) { return synced(SYS_fdatasync, file); }

static int moved(uint8_t kind, long call, int from, const char *path, int to, const char *target, int flags) {
    char whole[PATH_MAX], there[PATH_MAX];
    const char *name = located(from, path, whole), *other = located(to, target, there);
    int failed = syscall(call, from, path, to, target, flags);
    if (!failed && (name || other)) note(kind, inode_at(there), 0, name, other, other ? strlen(other) : 0);
    return failed;
}
int rename(const char *path, const char *target) { return moved('r', SYS_renameat2, AT_FDCWD, path, AT_FDCWD, target, 0); }
int renameat(int from, const char *path, int to, const char *target) { return moved('r', SYS_renameat2, from, path, to, target, 0); }
int link(const char *path, const char *target) { return moved('l', SYS_linkat, AT_FDCWD, path, AT_FDCWD, target, 0); }
int linkat(int from, const char *path, int to, const char *target, int flags) { return moved('l', SYS_linkat, from, path, to, target, flags); }

int unlinkat(int folder, const char *path, int flags) {
    char whole[PATH_MAX];
    const char *name = located(folder, path, whole);
    int failed = syscall(SYS_unlinkat, folder, path, flags);
    if (!failed && name) note('u', 0, 0, name, NULL, 0);
    return failed;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int folder, const char *path, mode_t mode) {
    char whole[PATH_MAX];
    const char *name = located(folder, path, whole);
    int failed = syscall(SYS_mkdirat, folder, path, mode);
    if (!failed && name) note('m', inode_at(whole), 0, name, NULL, 0);
    return failed;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
