// What it costs to have many small files and their names on the device.
//
// force DIRECTORY WAY BATCH FILES FOLDERS: writes FILES files of 4 KiB, evenly into FOLDERS new
// directories in DIRECTORY, BATCH at a time: the bytes under partial names, forced, then the final
// names, forced. Prints the seconds that all took. To make the directories is not on the clock.
//
// each     fsync(2) of each file of the batch, then of each directory it is in
// started  the same, after sync_file_range(2) has begun to write out each file as it came
// system   syncfs(2) before the names and after them, after sync_file_range(2) as above
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FILE_BYTES = 4096, NAME_BYTES = 64, BATCH_MAX = 1024, FOLDERS_MAX = 1024 };
enum { USAGE = 2, TARGET = 4 };

static char content[FILE_BYTES];
static int folders[FOLDERS_MAX];
static int files[BATCH_MAX];

static int check(int result, const char *what) {
  if (result < 0) {
    fprintf(stderr, "force: %s: %s\n", what, strerror(errno));
    exit(TARGET);
  }
  return result;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void make(int folder, long number, int slot, int start) {
  char name[NAME_BYTES];
  snprintf(name, sizeof name, "partial-%ld", number);
  files[slot] = check(openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), name);
  check(write(files[slot], content, FILE_BYTES) == FILE_BYTES ? 0 : -1, name);
  if (start) {
    check(sync_file_range(files[slot], 0, 0, SYNC_FILE_RANGE_WRITE), name);
  }
}

static void reveal(int folder, long number, int slot) {
  char from[NAME_BYTES];
  char to[NAME_BYTES];
  snprintf(from, sizeof from, "partial-%ld", number);
  snprintf(to, sizeof to, "file-%ld", number);
  check(close(files[slot]), from);
  check(renameat(folder, from, folder, to), to);
}

int main(int count, char **words) {
  if (count != 6) {
    fprintf(stderr, "usage: force DIRECTORY each|started|system BATCH FILES FOLDERS\n");
    return USAGE;
  }
  int system = !strcmp(words[2], "system");
  int start = system || !strcmp(words[2], "started");
  long batch = atol(words[3]);
  long all = atol(words[4]);
  long folder_count = atol(words[5]);
  if (batch < 1 || batch > BATCH_MAX || folder_count < 1 || folder_count > FOLDERS_MAX
      || (!start && strcmp(words[2], "each"))) {
    return USAGE;
  }
  memset(content, 'x', FILE_BYTES);
  int top = check(open(words[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC), words[1]);
  for (long i = 0; i < folder_count; i++) {
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "folder-%ld", i);
    check(mkdirat(top, name, 0700), name);
    folders[i] = check(openat(top, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), name);
  }
  double started = now();
  for (long first = 0; first < all; first += batch) {
    long here = first + batch < all ? batch : all - first;
    for (long i = 0; i < here; i++) {
      make(folders[(first + i) % folder_count], first + i, i, start);
    }
    if (system) {
      check(syncfs(top), "syncfs");
    }
    for (long i = 0; i < here && !system; i++) {
      check(fsync(files[i]), "fsync");
    }
    for (long i = 0; i < here; i++) {
      reveal(folders[(first + i) % folder_count], first + i, i);
    }
    if (system) {
      check(syncfs(top), "syncfs");
    }
    long touched = here < folder_count ? here : folder_count;
    for (long i = 0; i < touched && !system; i++) {
      check(fsync(folders[(first + i) % folder_count]), "fsync");
    }
  }
  printf("%.3f\n", now() - started);
  return 0;
}
