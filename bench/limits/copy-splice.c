/* The limit for a copy by splice(2): through a pipe of 1 MiB, the most that an unprivileged process
 * may have.
 *
 * usage: copy-splice SOURCE TARGET
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20 };

int main(int argc, char **argv) {
  if (argc != 3) errx(2, "usage: copy-splice SOURCE TARGET");
  int source = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (source < 0) err(3, "%s", argv[1]);
  int target = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (target < 0) err(4, "%s", argv[2]);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0 || fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES) < 0) err(1, "pipe");

  for (;;) {
    ssize_t taken = splice(source, NULL, ends[1], NULL, PIPE_BYTES, SPLICE_F_MOVE);
    if (taken < 0) err(3, "splice from the file");
    if (taken == 0) break;
    while (taken > 0) {
      ssize_t given = splice(ends[0], NULL, target, NULL, (size_t)taken, SPLICE_F_MOVE);
      if (given <= 0) err(4, "splice to the file");
      taken -= given;
    }
  }
  if (close(target) < 0) err(4, "%s", argv[2]);
  return 0;
}
