// What servers and loads share: the clock, options, sockets and waiting for events. Every program is one .c file that includes this first,
// and defines `handle`. 64-bit Linux.
#pragma once
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_EVENTS = 1024, RX_BUF = 256 * 1024 };

static const char *program;
static int ep;

typedef struct conn conn; // of each program

static void handle(conn *c, uint32_t events); // of a connection; of the listener, when `c` is NULL

static inline void die(const char *what) {
    fprintf(stderr, "%s: %s\n", program, what);
    exit(2);
}

static inline uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

// An option: 'i' int, 'z' size_t, 'd' double, 's' text; 'b' is a bool and has no value.
typedef struct { const char *name; char kind; void *value; } option;

// Reads the options (the last has no name), raises the limit of open files and makes the epoll.
static inline void start(int argc, char **argv, const option *options) {
    program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        const option *o = options;
        while (o->name && (strncmp(word, "--", 2) || strcmp(word + 2, o->name))) o++;
        if (!o->name || (o->kind != 'b' && ++i == argc)) {
            fprintf(stderr, "%s: %s is unknown or lacks its value. The options, which README.md explains, are", program, word);
            for (o = options; o->name; o++) fprintf(stderr, " --%s%s", o->name, o->kind == 'b' ? "" : o->kind == 's' ? " TEXT" : " N");
            fprintf(stderr, "\n");
            exit(2);
        }
        switch (o->kind) {
            case 'b': *(bool *)o->value = true; break;
            case 'i': *(int *)o->value = atoi(argv[i]); break;
            case 'z': *(size_t *)o->value = (size_t)atol(argv[i]); break;
            case 'd': *(double *)o->value = atof(argv[i]); break;
            default: *(const char **)o->value = argv[i];
        }
    }
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    signal(SIGPIPE, SIG_IGN);
    ep = epoll_create1(EPOLL_CLOEXEC);
}

static inline bool watch(int operation, int fd, uint32_t events, void *conn) {
    struct epoll_event e = {.events = events, .data.ptr = conn};
    return epoll_ctl(ep, operation, fd, &e) == 0;
}

// Waits for events, at most so long (UINT64_MAX: until there is one), and handles them.
static inline void poll_once(uint64_t ns) {
    static struct epoll_event ev[MAX_EVENTS];
    struct timespec wait = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    int n = epoll_pwait2(ep, ev, MAX_EVENTS, ns == UINT64_MAX ? NULL : &wait, NULL);
    for (int i = 0; i < n; i++) handle(ev[i].data.ptr, ev[i].events);
}

// The socket of a connection, and the events that it waits for. It is the connection's first member, so that both have one address.
typedef struct { int fd; uint32_t events; } peer;

static inline bool add(peer *p, int fd, uint32_t events) {
    *p = (peer){fd, events};
    return watch(EPOLL_CTL_ADD, fd, events, p);
}

static inline void want(peer *p, uint32_t events) {
    if (p->events == events) return;
    p->events = events;
    watch(EPOLL_CTL_MOD, p->fd, events, p);
}

// Both return the bytes, 0 to wait for an event, or -1 for the end.
static inline ssize_t send_some(int fd, const uint8_t *from, size_t n) {
    ssize_t w = send(fd, from, n, MSG_NOSIGNAL);
    return w >= 0 ? w : errno == EAGAIN || errno == EINTR ? 0 : -1;
}

static inline ssize_t receive_some(int fd, uint8_t *to, size_t n) {
    ssize_t r = recv(fd, to, n, 0);
    return r > 0 ? r : r < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

typedef struct { uint8_t *p; size_t off, len, cap; } bytes;

static inline void append(bytes *b, const uint8_t *from, size_t n) {
    if (b->off + b->len + n > b->cap) {
        if (b->off) memmove(b->p, b->p + b->off, b->len), b->off = 0;
        if (b->len + n > b->cap) {
            size_t cap = b->cap ? b->cap : 4096;
            while (cap < b->len + n) cap *= 2;
            b->p = realloc(b->p, cap), b->cap = cap;
        }
    }
    memcpy(b->p + b->off + b->len, from, n);
    b->len += n;
}

// Makes these bytes the content, with no room for more.
static inline void keep(bytes *b, const uint8_t *from, size_t n) {
    if (b->cap < n) b->p = realloc(b->p, n), b->cap = n;
    if (n) memmove(b->p, from, n);
    b->off = 0, b->len = n;
}

static inline void take(bytes *b, size_t n) {
    b->off += n, b->len -= n;
    if (!b->len) b->off = 0;
}

// Receives up to `room` bytes behind the start of a frame that is kept, which it copies to the front of `to`.
static inline ssize_t receive_behind(const bytes *start, int fd, uint8_t *to, size_t room) {
    if (start->len) memcpy(to, start->p, start->len);
    return receive_some(fd, to + start->len, room);
}
