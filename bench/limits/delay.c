/* A link that is far: every byte that comes in on a port goes out to another port after a fixed
 * time, each way. It takes any number of connections, and ends of streams take as long as bytes do.
 *
 * usage: delay LISTEN_HOST LISTEN_PORT TARGET_HOST TARGET_PORT ONE_WAY_MS
 *
 * TCP itself sees no delay: each half of a connection has its own windows, and what is on the way
 * is in the memory of this program, WAY_BYTES each way at most. So this is the delay of a long link
 * without what congestion control makes of it.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  WAY_BYTES = 64 << 20,
  READ_BYTES = 256 << 10,
  MARKS = 1 << 16, /* each of one read: when its bytes are due */
  MS_MAX = 10000,
  CONNECTIONS_MAX = 128
};

struct mark {
  uint64_t end; /* counted from the first byte of the stream */
  int64_t due_ns;
};

/* One direction of a connection. The ring is written by one thread and read by another; all below
 * the lock is guarded by it. */
struct way {
  int from, to;
  unsigned char *ring;
  struct mark *marks;
  pthread_mutex_t lock;
  pthread_cond_t moved;
  uint64_t in, out;
  unsigned first, count; /* of marks */
  int ended;             /* the last mark is the end of the stream */
  int broken;            /* nobody takes more */
};

struct pair {
  struct way there, back;
};

static int64_t delay_ns;
static struct sockaddr_in target;
static int open_connections;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void sleep_until(int64_t due_ns) {
  struct timespec due = {.tv_sec = due_ns / 1000000000, .tv_nsec = due_ns % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR) continue;
}

static void *take(void *argument) {
  struct way *way = argument;
  for (;;) {
    pthread_mutex_lock(&way->lock);
    while (!way->broken && (way->in - way->out > WAY_BYTES - READ_BYTES || way->count == MARKS))
      pthread_cond_wait(&way->moved, &way->lock);
    int broken = way->broken;
    size_t offset = way->in % WAY_BYTES;
    pthread_mutex_unlock(&way->lock);
    if (broken) break;
    size_t room = WAY_BYTES - offset < READ_BYTES ? WAY_BYTES - offset : READ_BYTES;
    ssize_t taken = read(way->from, way->ring + offset, room);
    if (taken < 0 && errno == EINTR) continue;
    pthread_mutex_lock(&way->lock);
    way->in += taken > 0 ? (uint64_t)taken : 0;
    way->marks[(way->first + way->count++) % MARKS] = (struct mark){way->in, now_ns() + delay_ns};
    way->ended = taken <= 0;
    pthread_cond_signal(&way->moved);
    pthread_mutex_unlock(&way->lock);
    if (taken <= 0) break;
  }
  return NULL;
}

/* Whether all of it went out. */
static int put(int to, const unsigned char *bytes, size_t count) {
  while (count > 0) {
    ssize_t put = write(to, bytes, count);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return 0;
    bytes += put;
    count -= (size_t)put;
  }
  return 1;
}

static void *give(void *argument) {
  struct way *way = argument;
  for (int last = 0; !last;) {
    pthread_mutex_lock(&way->lock);
    while (way->count == 0) pthread_cond_wait(&way->moved, &way->lock);
    struct mark mark = way->marks[way->first];
    last = way->ended && way->count == 1;
    pthread_mutex_unlock(&way->lock);
    sleep_until(mark.due_ns);
    int well = 1;
    while (well && way->out < mark.end) {
      size_t offset = way->out % WAY_BYTES;
      size_t count = mark.end - way->out;
      if (count > WAY_BYTES - offset) count = WAY_BYTES - offset;
      well = put(way->to, way->ring + offset, count);
      pthread_mutex_lock(&way->lock);
      way->out += count;
      pthread_mutex_unlock(&way->lock);
    }
    pthread_mutex_lock(&way->lock);
    way->first = (way->first + 1) % MARKS;
    way->count--;
    way->broken = !well;
    pthread_cond_signal(&way->moved);
    pthread_mutex_unlock(&way->lock);
    if (!well) {
      /* Whoever sends learns of it as of a connection that was reset. */
      shutdown(way->from, SHUT_RDWR);
      break;
    }
  }
  shutdown(way->to, SHUT_WR);
  return NULL;
}

static void start(pthread_t *thread, void *(*body)(void *), void *argument) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  if (pthread_create(thread, &small, body, argument) != 0) errx(1, "no thread");
  pthread_attr_destroy(&small);
}

static void prepare(struct way *way, int from, int to) {
  *way = (struct way){.from = from, .to = to};
  way->ring = malloc(WAY_BYTES);
  way->marks = malloc(MARKS * sizeof *way->marks);
  if (!way->ring || !way->marks) err(1, "malloc");
  pthread_mutex_init(&way->lock, NULL);
  pthread_cond_init(&way->moved, NULL);
}

static void *carry(void *argument) {
  int near = (int)(intptr_t)argument, yes = 1;
  int far = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (far < 0) err(5, "socket");
  if (connect(far, (struct sockaddr *)&target, sizeof target) == 0) {
    /* The delay is to be the time that was asked for, and nothing of Nagle's. */
    setsockopt(near, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(far, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct pair *pair = malloc(sizeof *pair);
    if (!pair) err(1, "malloc");
    prepare(&pair->there, near, far);
    prepare(&pair->back, far, near);
    pthread_t threads[4];
    start(&threads[0], take, &pair->there);
    start(&threads[1], give, &pair->there);
    start(&threads[2], take, &pair->back);
    start(&threads[3], give, &pair->back);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    free(pair->there.ring);
    free(pair->there.marks);
    free(pair->back.ring);
    free(pair->back.marks);
    free(pair);
  }
  close(near);
  close(far);
  pthread_mutex_lock(&counting);
  open_connections--;
  pthread_mutex_unlock(&counting);
  return NULL;
}

static struct sockaddr_in address(const char *host, const char *port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)atoi(port))};
  if (inet_pton(AF_INET, host, &address.sin_addr) != 1) errx(2, "%s is no IPv4 address", host);
  return address;
}

int main(int argc, char **argv) {
  if (argc != 6)
    errx(2, "usage: delay LISTEN_HOST LISTEN_PORT TARGET_HOST TARGET_PORT ONE_WAY_MS");
  int ms = atoi(argv[5]);
  if (ms < 0 || ms > MS_MAX) errx(2, "%s is no time from 0 to %d ms", argv[5], MS_MAX);
  delay_ns = ms * INT64_C(1000000);
  signal(SIGPIPE, SIG_IGN);
  struct sockaddr_in own = address(argv[1], argv[2]);
  target = address(argv[3], argv[4]);
  int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int yes = 1;
  if (setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
      bind(server, (struct sockaddr *)&own, sizeof own) < 0 || listen(server, 128) < 0)
    err(5, "listen");
  for (;;) {
    int near = accept4(server, NULL, NULL, SOCK_CLOEXEC);
    if (near < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      err(5, "accept");
    }
    pthread_mutex_lock(&counting);
    int refused = open_connections == CONNECTIONS_MAX;
    open_connections += !refused;
    pthread_mutex_unlock(&counting);
    if (refused) {
      close(near);
      continue;
    }
    pthread_t thread;
    start(&thread, carry, (void *)(intptr_t)near);
    pthread_detach(thread);
  }
}
