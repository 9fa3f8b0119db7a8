/*
 * Preloaded into zcp, this lets one of its system calls fail, fall short, come after a change of
 * the files, or be the last one: see FaultyCalls.java. A call is named by what it does to which
 * directory: "pwrite64 1 7" is the seventh pwrite64 of the process below FAULTY_1.
 *
 *   FAULTY_0, FAULTY_1  directories, as absolute paths
 *   FAULTY_LOG          gets a line for each call below them
 *   FAULTY_CALL         call, directory and number of the one that is hit
 *   FAULTY_HOW          an error number; "short": a third of the bytes, at most; "kill"; or
 *                       "run": FAULTY_RUN is a shell's command, which ends before the call
 *   FAULTY_ALWAYS       if set, the calls after it are hit, too
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef long (*raw_call)(long, ...);

enum { NO_COUNT = -1, PATH_MAX_BYTES = 4096 };

/* Looked for at each call, as the first come before any constructor. */
static raw_call raw(void) {
  static raw_call found;
  if (found == NULL) {
    found = (raw_call)dlsym(RTLD_NEXT, "syscall");
  }
  return found;
}

/* Which of the directories it is in, or -1. */
static int place_of(int descriptor, const char *name) {
  char path[PATH_MAX_BYTES];
  if (name != NULL && name[0] == '/') {
    snprintf(path, sizeof path, "%s", name);
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long bytes = raw()(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    path[bytes < 0 ? 0 : bytes] = 0;
  }
  const char *places[] = {getenv("FAULTY_0"), getenv("FAULTY_1")};
  for (int i = 0; i < 2; i++) {
    size_t length = places[i] == NULL ? 0 : strlen(places[i]);
    if (length > 0 && strncmp(path, places[i], length) == 0) {
      return i;
    }
  }
  return -1;
}

static void write_log(const char *call, int place, int number) {
  const char *log = getenv("FAULTY_LOG");
  if (log != NULL) {
    char line[128];
    int bytes = snprintf(line, sizeof line, "%s %d %d\n", call, place, number);
    long to = raw()(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    raw()(SYS_write, to, line, bytes);
    raw()(SYS_close, to);
  }
}

static int is_hit(const char *call, int place, int number) {
  const char *wanted = getenv("FAULTY_CALL");
  char name[32];
  int at, first;
  if (wanted == NULL || sscanf(wanted, "%31s %d %d", name, &at, &first) != 3) {
    return 0;
  }
  return strcmp(name, call) == 0 && at == place &&
         (number == first || (number > first && getenv("FAULTY_ALWAYS") != NULL));
}

static void run_command(void) {
  char *arguments[] = {"sh", "-c", getenv("FAULTY_RUN"), NULL};
  char *environment[] = {"PATH=/usr/bin:/bin", NULL};
  pid_t child;
  if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environment) == 0) {
    waitpid(child, NULL, 0);
  }
}

static long call(const char *name, atomic_int *numbers, long number, int descriptor,
                 const char *path, int count_at, long *a) {
  int before = errno;
  int place = place_of(descriptor, path);
  if (place >= 0) {
    int nth = ++numbers[place];
    write_log(name, place, nth);
    if (is_hit(name, place, nth)) {
      const char *how = getenv("FAULTY_HOW");
      if (strcmp(how, "kill") == 0) {
        raw()(SYS_kill, getpid(), SIGKILL);
      } else if (strcmp(how, "run") == 0) {
        run_command();
      } else if (strcmp(how, "short") != 0) {
        if (number == SYS_close) {
          raw()(SYS_close, a[0]);
        }
        errno = atoi(how);
        return -1;
      } else if (count_at != NO_COUNT && a[count_at] > 2) {
        a[count_at] /= 3;
      }
    }
  }
  errno = before;
  return raw()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#define CALL(name, number, descriptor, path, count_at, ...)                                \
  static atomic_int numbers[2];                                                            \
  long all[6] = {__VA_ARGS__};                                                             \
  return call(name, numbers, number, descriptor, path, count_at, all)

static long openat_(long *a) {
  CALL("openat", SYS_openat, a[0], (char *)a[1], NO_COUNT, a[0], a[1], a[2], a[3]);
}
static long close_(long *a) { CALL("close", SYS_close, a[0], NULL, NO_COUNT, a[0]); }
static long pread_(long *a) {
  CALL("pread64", SYS_pread64, a[0], NULL, 2, a[0], a[1], a[2], a[3]);
}
static long pwrite_(long *a) {
  CALL("pwrite64", SYS_pwrite64, a[0], NULL, 2, a[0], a[1], a[2], a[3]);
}

/* zcp makes its most frequent calls by this. */
long syscall(long number, ...) {
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; i++) {
    a[i] = va_arg(arguments, long);
  }
  va_end(arguments);
  switch (number) {
  case SYS_openat:
    return openat_(a);
  case SYS_close:
    return close_(a);
  case SYS_pread64:
    return pread_(a);
  case SYS_pwrite64:
    return pwrite_(a);
  default:
    return raw()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
}

int statx(int directory, const char *path, int flags, unsigned mask, struct statx *to) {
  CALL("statx", SYS_statx, directory, path, NO_COUNT, directory, (long)path, flags, mask,
       (long)to);
}
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *to_at, size_t count,
                        unsigned flags) {
  CALL("copy_file_range", SYS_copy_file_range, to, NULL, 4, from, (long)at, to, (long)to_at,
       count, flags);
}
ssize_t sendfile(int to, int from, off_t *at, size_t count) {
  CALL("sendfile", SYS_sendfile, from, NULL, 3, to, from, (long)at, count);
}
ssize_t splice(int from, off64_t *at, int to, off64_t *to_at, size_t count, unsigned flags) {
  CALL("splice", SYS_splice, at == NULL ? to : from, NULL, 4, from, (long)at, to, (long)to_at,
       count, flags);
}
ssize_t getdents64(int directory, void *to, size_t bytes) {
  CALL("getdents64", SYS_getdents64, directory, NULL, NO_COUNT, directory, (long)to, bytes);
}
off_t lseek(int file, off_t offset, int whence) {
  CALL("lseek", SYS_lseek, file, NULL, NO_COUNT, file, offset, whence);
}
int ioctl(int file, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  long argument = va_arg(arguments, long);
  va_end(arguments);
  CALL("ioctl", SYS_ioctl, file, NULL, NO_COUNT, file, request, argument);
}
int ftruncate(int file, off_t bytes) {
  CALL("ftruncate", SYS_ftruncate, file, NULL, NO_COUNT, file, bytes);
}
int fallocate(int file, int mode, off_t offset, off_t bytes) {
  CALL("fallocate", SYS_fallocate, file, NULL, NO_COUNT, file, mode, offset, bytes);
}
int flock(int file, int how) { CALL("flock", SYS_flock, file, NULL, NO_COUNT, file, how); }
int fchmod(int file, mode_t mode) { CALL("fchmod", SYS_fchmod, file, NULL, NO_COUNT, file, mode); }
int fchown(int file, uid_t owner, gid_t group) {
  CALL("fchown", SYS_fchown, file, NULL, NO_COUNT, file, owner, group);
}
int futimens(int file, const struct timespec times[2]) {
  CALL("utimensat", SYS_utimensat, file, NULL, NO_COUNT, file, 0, (long)times, 0);
}
ssize_t flistxattr(int file, char *list, size_t bytes) {
  CALL("flistxattr", SYS_flistxattr, file, NULL, NO_COUNT, file, (long)list, bytes);
}
ssize_t fgetxattr(int file, const char *name, void *value, size_t bytes) {
  CALL("fgetxattr", SYS_fgetxattr, file, NULL, NO_COUNT, file, (long)name, (long)value, bytes);
}
int mkdirat(int directory, const char *path, mode_t mode) {
  CALL("mkdirat", SYS_mkdirat, directory, path, NO_COUNT, directory, (long)path, mode);
}
int linkat(int from, const char *path, int to, const char *new_path, int flags) {
  CALL("linkat", SYS_linkat, to, new_path, NO_COUNT, from, (long)path, to, (long)new_path, flags);
}
int renameat2(int from, const char *path, int to, const char *new_path, unsigned flags) {
  CALL("renameat2", SYS_renameat2, from, path, NO_COUNT, from, (long)path, to, (long)new_path,
       flags);
}
int unlinkat(int directory, const char *path, int flags) {
  CALL("unlinkat", SYS_unlinkat, directory, path, NO_COUNT, directory, (long)path, flags);
}
