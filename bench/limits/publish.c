// What it costs to give a new file its final name, by each way that keeps a half-written one away
// from that name, and by the one that does not.
//
// publish DIRECTORY WAY FILES FOLDERS THREADS: writes FILES files of 1 KiB, evenly into FOLDERS new
// directories in DIRECTORY, by THREADS threads, and prints the nanoseconds that one file took. Each
// file is made, written, given a mode and times, published and closed. To make the directories is
// not on the clock.
//
// exclusive   O_EXCL under the final name; the name is there before the bytes are
// partial     O_EXCL under another name, then renameat2(2) with RENAME_NOREPLACE
// unnamed     O_TMPFILE, then linkat(2) by /proc/self/fd: open(2)
// staged      O_EXCL under the final name in a directory that has another name, and that is renamed
//             once it holds all its files
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FILE_BYTES = 1024, NAME_BYTES = 64, THREADS_MAX = 64, FOLDERS_MAX = 65536 };
enum { USAGE = 2, TARGET = 4 };

typedef struct job Job;

// Gives `name` in `folder` its content and its metadata.
typedef void Way(int folder, long number, const char *name);

struct job {
  Way *way;
  int *folders;
  long folder_count;
  long files;
  long threads;
};

typedef struct {
  const Job *job;
  long first;
} Share;

static char content[FILE_BYTES];

static void fail(const char *what) {
  fprintf(stderr, "publish: %s: %s\n", what, strerror(errno));
  exit(TARGET);
}

static int make(int folder, const char *name) {
  int file = openat(folder, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) {
    fail(name);
  }
  return file;
}

static void fill(int file) {
  const struct timespec times[2] = {{1, 2}, {3, 4}};
  if (write(file, content, FILE_BYTES) != FILE_BYTES) {
    fail("write");
  }
  if (fchmod(file, 0644) != 0 || futimens(file, times) != 0) {
    fail("metadata");
  }
}

static void finish(int file) {
  if (close(file) != 0) {
    fail("close");
  }
}

static void exclusive(int folder, long number, const char *name) {
  (void)number;
  int file = make(folder, name);
  fill(file);
  finish(file);
}

static void partial(int folder, long number, const char *name) {
  char other[NAME_BYTES];
  // As random as a name needs to be for a file system that hashes it.
  snprintf(other, sizeof other, ".%016lx.part", (unsigned long)number * 0x9e3779b97f4a7c15UL);
  int file = make(folder, other);
  fill(file);
  finish(file);
  if (renameat2(folder, other, folder, name, RENAME_NOREPLACE) != 0) {
    fail("renameat2");
  }
}

static void unnamed(int folder, long number, const char *name) {
  (void)number;
  char path[NAME_BYTES];
  int file = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) {
    fail("O_TMPFILE");
  }
  fill(file);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) != 0) {
    fail("linkat");
  }
  finish(file);
}

static void *work(void *argument) {
  const Share *share = argument;
  const Job *job = share->job;
  char name[NAME_BYTES];
  for (long i = share->first; i < job->files; i += job->threads) {
    // So that all threads are in one directory at a time, as where a directory is handed out in
    // parts.
    int folder = job->folders[i * job->folder_count / job->files];
    snprintf(name, sizeof name, "f%ld", i);
    job->way(folder, i, name);
  }
  return NULL;
}

static void name_folder(char *name, const char *prefix, long number) {
  snprintf(name, NAME_BYTES, "%sd%ld", prefix, number);
}

static void open_folders(int base, const char *prefix, Job *job) {
  char name[NAME_BYTES];
  for (long i = 0; i < job->folder_count; i++) {
    name_folder(name, prefix, i);
    if (mkdirat(base, name, 0700) != 0) {
      fail(name);
    }
    job->folders[i] = openat(base, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (job->folders[i] < 0) {
      fail(name);
    }
  }
}

static void run(Job *job) {
  pthread_t threads[THREADS_MAX];
  Share shares[THREADS_MAX];
  for (long i = 0; i < job->threads; i++) {
    shares[i] = (Share){job, i};
    errno = pthread_create(&threads[i], NULL, work, &shares[i]);
    if (errno != 0) {
      fail("pthread_create");
    }
  }
  for (long i = 0; i < job->threads; i++) {
    pthread_join(threads[i], NULL);
  }
}

static void reveal_folders(int base, const char *prefix, const Job *job) {
  char from[NAME_BYTES], to[NAME_BYTES];
  for (long i = 0; i < job->folder_count; i++) {
    name_folder(from, prefix, i);
    name_folder(to, "", i);
    if (renameat2(base, from, base, to, RENAME_NOREPLACE) != 0) {
      fail("renameat2");
    }
  }
}

static double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static long number(const char *text, long max) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (*end != '\0' || errno != 0 || value < 1 || value > max) {
    fprintf(stderr, "publish: %s: not a number from 1 to %ld\n", text, max);
    exit(USAGE);
  }
  return value;
}

int main(int count, char **words) {
  if (count != 6) {
    fprintf(stderr, "publish DIRECTORY exclusive|partial|unnamed|staged FILES FOLDERS THREADS\n");
    return USAGE;
  }
  const char *name = words[2];
  int staged = strcmp(name, "staged") == 0;
  const char *prefix = staged ? ".part-" : "";
  Way *way = staged || strcmp(name, "exclusive") == 0 ? exclusive
             : strcmp(name, "partial") == 0           ? partial
             : strcmp(name, "unnamed") == 0           ? unnamed
                                                      : NULL;
  if (way == NULL) {
    fprintf(stderr, "publish: %s: no such way\n", name);
    return USAGE;
  }
  Job job = {.way = way, .files = number(words[3], 1L << 31)};
  job.folder_count = number(words[4], FOLDERS_MAX);
  job.threads = number(words[5], THREADS_MAX);
  job.folders = calloc((size_t)job.folder_count, sizeof *job.folders);
  int base = open(words[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (base < 0 || job.folders == NULL) {
    fail(words[1]);
  }
  open_folders(base, prefix, &job);
  double started_ns = now_ns();
  run(&job);
  if (staged) {
    reveal_folders(base, prefix, &job);
  }
  printf("%.0f\n", (now_ns() - started_ns) / (double)job.files);
  return 0;
}
