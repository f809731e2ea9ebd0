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

static void handle(void *conn, uint32_t events); // of a connection; of the listener, when `conn` is NULL

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
static inline void start(int argc, char **argv, const option *options, const char *usage) {
    program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    for (int i = 1; i < argc; i++) {
        const option *o = options;
        while (o->name && (strncmp(argv[i], "--", 2) || strcmp(argv[i] + 2, o->name))) o++;
        if (!o->name || (o->kind != 'b' && ++i == argc)) die(usage);
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

// Listens on the loopback (port 0: a free one) and says where.
static inline int listen_on(int port) {
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    if (bind(fd, (struct sockaddr *)&a, len) || listen(fd, 65535) || getsockname(fd, (struct sockaddr *)&a, &len)) {
        perror(program);
        exit(1);
    }
    watch(EPOLL_CTL_ADD, fd, EPOLLIN, NULL);
    printf("Listening on 127.0.0.1:%d\n", ntohs(a.sin_port));
    fflush(stdout);
    return fd;
}

// Connects, and waits for it only if `waits`; -1: it cannot. A `source` from 0 is a loopback address to come from, a `receive_buffer`
// from 1 an SO_RCVBUF.
static inline int dial(const char *host, int port, bool waits, int source, int receive_buffer) {
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | (waits ? 0 : SOCK_NONBLOCK) | SOCK_CLOEXEC, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)}, s = {.sin_family = AF_INET};
    if (fd < 0) return -1;
    if (inet_pton(AF_INET, host, &a.sin_addr) != 1) die("--host is an IPv4 address");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (receive_buffer) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    bool ok = true;
    if (source >= 0) {
        s.sin_addr.s_addr = htonl(0x7f000001u + (uint32_t)source);
        setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
        ok = bind(fd, (struct sockaddr *)&s, sizeof s) == 0;
    }
    if (ok && (connect(fd, (struct sockaddr *)&a, sizeof a) == 0 || errno == EINPROGRESS)) return fd;
    close(fd);
    return -1;
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
