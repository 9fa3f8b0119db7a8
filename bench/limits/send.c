/* The limit for a sender: a file to a port by sendfile(2), as few calls as it takes.
 *
 * usage: send HOST PORT FILE
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 4) errx(2, "usage: send HOST PORT FILE");
  int file = open(argv[3], O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) < 0) err(3, "%s", argv[3]);

  int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {
      .sin_family = AF_INET,
      .sin_port = htons((unsigned short)atoi(argv[2])),
  };
  if (inet_pton(AF_INET, argv[1], &address.sin_addr) != 1) errx(2, "%s is no IPv4 address", argv[1]);
  if (connect(peer, (struct sockaddr *)&address, sizeof address) < 0) err(5, "connect");

  for (off_t offset = 0; offset < status.st_size;) {
    if (sendfile(peer, file, &offset, (size_t)(status.st_size - offset)) <= 0) err(5, "sendfile");
  }

  /* As nc -N does: say that this was all, and wait until the receiver has closed. */
  char rest;
  if (shutdown(peer, SHUT_WR) < 0 || read(peer, &rest, 1) != 0) err(5, "shutdown");
  return 0;
}
