// ctick: a minimal server of rooms that tick, the physical limit to compare with (Linux). Each room has a timerfd; at each tick every
// member gets a frame: 4 bytes length (big-endian), --size bytes. What a member sends is ignored.
#include "server.h"
#include <sys/timerfd.h>

struct conn { peer peer; bool is_timer; room *in; };

static size_t size = 64;
static double hertz = 20;
static uint8_t frame[4 + MAX_BODY];

static void hang_up(conn *c) {
    leave(c->in, c);
    close(c->peer.fd);
    c->peer.fd = -1; // an event of this turn may still name it; there are few of them, so nothing is freed
}

static void tick(conn *timer) {
    uint64_t times;
    if (read(timer->peer.fd, &times, sizeof times) < 0) return;
    for (int i = timer->in->count; i-- > 0;) {
        conn *c = timer->in->members[i];
        if (send(c->peer.fd, frame, 4 + size, MSG_NOSIGNAL) != (ssize_t)(4 + size)) hang_up(c); // it reads too slowly
    }
}

static void accepted(int fd) {
    conn *c = calloc(1, sizeof *c);
    c->in = join(c);
    add(&c->peer, fd, EPOLLIN);
}

static void handle(conn *c, uint32_t events) {
    (void)events;
    if (!c) accept_all();
    else if (c->is_timer) tick(c);
    else if (c->peer.fd >= 0 && recv(c->peer.fd, frame + 4 + size, sizeof frame - 4 - size, 0) <= 0) hang_up(c);
}

int main(int argc, char **argv) {
    start(argc, argv, (option[]){{"port", 'i', &port}, {"rooms", 'i', &rooms}, {"hertz", 'd', &hertz}, {"size", 'z', &size}, {0}});
    if (rooms < 1 || hertz <= 0 || size >= MAX_BODY) die("--rooms is 1 or more, --hertz more than 0, --size below 1 MB");
    uint32_t length = htonl((uint32_t)size);
    memcpy(frame, &length, 4);
    all_rooms = calloc((size_t)rooms, sizeof *all_rooms);
    start_listening();
    conn *timers = calloc((size_t)rooms, sizeof *timers);
    for (int i = 0; i < rooms; i++) {
        uint64_t ns = (uint64_t)(1e9 / hertz);
        struct timespec every = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
        timers[i].is_timer = true, timers[i].in = &all_rooms[i];
        add(&timers[i].peer, timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), EPOLLIN);
        timerfd_settime(timers[i].peer.fd, 0, &(struct itimerspec){every, every}, NULL);
    }
    for (;;) poll_once(UINT64_MAX);
}
