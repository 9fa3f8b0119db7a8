/* The limit for a receiver: one connection to a port into a file, by splice(2) through
 * a pipe of 1 MiB, the most that an unprivileged process may have.
 *
 * usage: receive HOST PORT FILE
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20 };

static int accept_one(const char *host, int port) {
  int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int yes = 1;
  struct sockaddr_in address = {
      .sin_family = AF_INET,
      .sin_port = htons((unsigned short)port),
  };
  if (inet_pton(AF_INET, host, &address.sin_addr) != 1) errx(2, "%s is no IPv4 address", host);
  if (setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
      bind(server, (struct sockaddr *)&address, sizeof address) < 0 || listen(server, 1) < 0)
    err(5, "listen");
  int peer = accept4(server, NULL, NULL, SOCK_CLOEXEC);
  if (peer < 0) err(5, "accept");
  close(server);
  return peer;
}

int main(int argc, char **argv) {
  if (argc != 4) errx(2, "usage: receive HOST PORT FILE");
  int file = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) err(4, "%s", argv[3]);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0 || fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES) < 0) err(1, "pipe");
  int peer = accept_one(argv[1], atoi(argv[2]));

  for (;;) {
    ssize_t taken = splice(peer, NULL, ends[1], NULL, PIPE_BYTES, SPLICE_F_MOVE);
    if (taken < 0) err(5, "splice from the socket");
    if (taken == 0) break;
    while (taken > 0) {
      ssize_t given = splice(ends[0], NULL, file, NULL, (size_t)taken, SPLICE_F_MOVE);
      if (given <= 0) err(4, "splice to the file");
      taken -= given;
    }
  }
  if (close(file) < 0) err(4, "%s", argv[3]);
  return 0;
}
