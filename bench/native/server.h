// What the servers share: listening, accepting, frames of 4 bytes length, and rooms. A server defines `accepted`.
#pragma once
#include "core.h"

enum { MAX_BODY = 1 << 20 };

static int listener, port = 9000;

static void accepted(int fd);

// Listens on the loopback (port 0: a free one) and says where.
static inline void start_listening(void) {
    int one = 1;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    if (bind(listener, (struct sockaddr *)&a, len) || listen(listener, 65535) || getsockname(listener, (struct sockaddr *)&a, &len))
        die(strerror(errno));
    watch(EPOLL_CTL_ADD, listener, EPOLLIN, NULL);
    printf("Listening on 127.0.0.1:%d\n", ntohs(a.sin_port));
    fflush(stdout);
}

static inline void accept_all(void) {
    int one = 1;
    for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        accepted(fd);
    }
}

// The bytes of the whole frames (4 bytes big-endian length, body) at the front; -1: one is too long.
static inline ssize_t whole_frames(const uint8_t *p, size_t n) {
    size_t whole = 0;
    while (n - whole >= 4) {
        uint32_t body;
        memcpy(&body, p + whole, 4);
        size_t frame = 4 + (size_t)ntohl(body);
        if (frame > MAX_BODY + 4) return -1;
        if (n - whole < frame) break;
        whole += frame;
    }
    return (ssize_t)whole;
}

typedef struct { conn **members; int count, cap; } room;

static room *all_rooms;
static int rooms = 1;

// Room = accept order % --rooms.
static inline room *join(conn *c) {
    static uint64_t connections;
    room *r = &all_rooms[connections++ % (uint64_t)rooms];
    if (r->count == r->cap) r->cap = r->cap ? 2 * r->cap : 8, r->members = realloc(r->members, (size_t)r->cap * sizeof *r->members);
    r->members[r->count++] = c;
    return r;
}

// Moves the last member into the gap, so that a loop over the members in which some leave goes backwards.
static inline void leave(room *r, const conn *c) {
    int place = 0;
    while (r->members[place] != c) place++;
    r->members[place] = r->members[--r->count];
}
