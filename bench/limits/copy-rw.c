/* The limit for a copy through memory: read(2) and write(2) by a buffer of 1 MiB.
 *
 * usage: copy-rw SOURCE TARGET
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20, PAGE_BYTES = 4096 };

int main(int argc, char **argv) {
  if (argc != 3) errx(2, "usage: copy-rw SOURCE TARGET");
  int source = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (source < 0) err(3, "%s", argv[1]);
  int target = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (target < 0) err(4, "%s", argv[2]);
  char *buffer = aligned_alloc(PAGE_BYTES, BUFFER_BYTES);
  if (!buffer) err(1, "buffer");

  for (;;) {
    ssize_t taken = read(source, buffer, BUFFER_BYTES);
    if (taken < 0) err(3, "%s", argv[1]);
    if (taken == 0) break;
    for (ssize_t given = 0; given < taken;) {
      ssize_t step = write(target, buffer + given, (size_t)(taken - given));
      if (step < 0) err(4, "%s", argv[2]);
      given += step;
    }
  }
  free(buffer);
  if (close(target) < 0) err(4, "%s", argv[2]);
  return 0;
}
