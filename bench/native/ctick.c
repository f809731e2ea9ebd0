// ctick: a minimal server of rooms that tick, the physical limit to compare with (Linux). Each room has a timerfd; at each tick every
// member gets a frame: 4 bytes length (big-endian), --size bytes. Room = accept order % --rooms. What a member sends is ignored.
#include "server.h"
#include <sys/timerfd.h>

typedef struct { bool is_room; int fd, count, cap; struct conn **members; } room;

typedef struct conn { bool is_room; int fd, place; room *in; } conn;

static int listener, rooms = 1;
static size_t size = 64;
static double hertz = 20;
static room *all_rooms;
static uint8_t frame[4 + MAX_BODY];
static uint64_t connections;

static void hang_up(conn *c) {
    room *r = c->in;
    r->members[c->place] = r->members[--r->count];
    r->members[c->place]->place = c->place;
    close(c->fd);
    c->fd = -1; // an event of this turn may still name it; there are few of them, so nothing is freed
}

static void tick(room *r) {
    uint64_t times;
    if (read(r->fd, &times, sizeof times) < 0) return;
    for (int i = r->count; i-- > 0;) // backwards: hang_up() moves the last one into a gap
        if (send(r->members[i]->fd, frame, 4 + size, MSG_NOSIGNAL) != (ssize_t)(4 + size)) hang_up(r->members[i]); // it reads too slowly
}

static void accepted(int fd) {
    conn *c = calloc(1, sizeof *c);
    room *r = &all_rooms[connections++ % (uint64_t)rooms];
    if (r->count == r->cap) r->cap = r->cap ? 2 * r->cap : 8, r->members = realloc(r->members, (size_t)r->cap * sizeof *r->members);
    c->fd = fd, c->in = r, c->place = r->count;
    r->members[r->count++] = c;
    watch(EPOLL_CTL_ADD, fd, EPOLLIN, c);
}

static void handle(void *at, uint32_t events) {
    (void)events;
    conn *c = at;
    if (!c) accept_all(listener);
    else if (c->is_room) tick(at);
    else if (c->fd >= 0 && recv(c->fd, frame + 4 + size, sizeof frame - 4 - size, 0) <= 0) hang_up(c);
}

int main(int argc, char **argv) {
    int port = 9000;
    start(argc, argv,
          (option[]){{"port", 'i', &port}, {"rooms", 'i', &rooms}, {"hertz", 'd', &hertz}, {"size", 'z', &size}, {0}},
          "[--port P] [--rooms R] [--hertz H] [--size BYTES]");
    if (rooms < 1 || hertz <= 0 || size >= MAX_BODY) die("--rooms is 1 or more, --hertz more than 0, --size below 1 MB");
    uint32_t length = htonl((uint32_t)size);
    memcpy(frame, &length, 4);
    all_rooms = calloc((size_t)rooms, sizeof *all_rooms);
    listener = listen_on(port);
    for (int i = 0; i < rooms; i++) {
        uint64_t ns = (uint64_t)(1e9 / hertz);
        struct timespec every = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
        all_rooms[i].is_room = true, all_rooms[i].fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
        timerfd_settime(all_rooms[i].fd, 0, &(struct itimerspec){every, every}, NULL);
        watch(EPOLL_CTL_ADD, all_rooms[i].fd, EPOLLIN, &all_rooms[i]);
    }
    for (;;) poll_once(UINT64_MAX);
}
