// What the servers share: accepting, and frames of 4 bytes length. A server defines `accepted`.
#pragma once
#include "core.h"

enum { MAX_BODY = 1 << 20 };

static void accepted(int fd);

static inline void accept_all(int listener) {
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
