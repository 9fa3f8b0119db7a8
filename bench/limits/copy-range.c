/* The limit for a copy by the file system: copy_file_range(2), as few calls as it takes.
 *
 * usage: copy-range SOURCE TARGET
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 3) errx(2, "usage: copy-range SOURCE TARGET");
  int source = open(argv[1], O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (source < 0 || fstat(source, &status) < 0) err(3, "%s", argv[1]);
  int target = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (target < 0) err(4, "%s", argv[2]);

  for (off_t left = status.st_size; left > 0;) {
    ssize_t step = copy_file_range(source, NULL, target, NULL, (size_t)left, 0);
    if (step < 0) err(4, "copy_file_range");
    if (step == 0) errx(3, "%s: ended %lld bytes early", argv[1], (long long)left);
    left -= step;
  }
  if (close(target) < 0) err(4, "%s", argv[2]);
  return 0;
}
