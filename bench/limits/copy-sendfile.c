/* The limit for a copy by sendfile(2) into a file, as few calls as it takes.
 *
 * usage: copy-sendfile SOURCE TARGET
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 3) errx(2, "usage: copy-sendfile SOURCE TARGET");
  int source = open(argv[1], O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (source < 0 || fstat(source, &status) < 0) err(3, "%s", argv[1]);
  int target = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (target < 0) err(4, "%s", argv[2]);

  for (off_t offset = 0; offset < status.st_size;) {
    ssize_t step = sendfile(target, source, &offset, (size_t)(status.st_size - offset));
    if (step < 0) err(4, "sendfile");
    if (step == 0) errx(3, "%s: ended at byte %lld", argv[1], (long long)offset);
  }
  if (close(target) < 0) err(4, "%s", argv[2]);
  return 0;
}
