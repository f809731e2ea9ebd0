// tlsecho: a minimal single-threaded epoll TLS echo server, the physical limit to compare with (Linux, OpenSSL 3).
//
// Parses 4-byte big-endian length frames: reads all the records that are there (SSL_read until it wants more, or
// 256 KB), and sends back all whole frames of them with one SSL_write.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_BODY = 1 << 20, MAX_EVENTS = 1024, BATCH = 256 * 1024 };

typedef struct {
    int fd;
    SSL *ssl;
    bool up, out_wanted;
    uint8_t *tail; size_t tail_len, tail_cap;        // start of a frame which is not whole yet
    uint8_t *out; size_t out_off, out_len, out_cap;  // bytes which the socket did not take
} conn;

static int ep;
static SSL_CTX *ctx;
static uint8_t *buf;
static size_t buf_len = MAX_BODY + 4 + BATCH;

static void keep(uint8_t **at, size_t *cap, const uint8_t *from, size_t n) {
    if (*cap < n) *at = realloc(*at, n), *cap = n;
    memmove(*at, from, n);
}

static void watch(conn *c, bool out) {
    if (c->out_wanted == out) return;
    c->out_wanted = out;
    struct epoll_event e = {.events = out ? EPOLLOUT : EPOLLIN, .data.ptr = c};
    epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
}

static void hang_up(conn *c) {
    if (c->up) SSL_shutdown(c->ssl);
    ERR_clear_error();
    SSL_free(c->ssl);
    close(c->fd);
    free(c->tail);
    free(c->out);
    free(c);
}

// Writes until the socket takes no more. Returns false when the link is gone.
static bool push(conn *c, const uint8_t *p, size_t n, size_t *done) {
    for (*done = 0; *done < n;) {
        size_t w = 0;
        int r = SSL_write_ex(c->ssl, p + *done, n - *done, &w);
        if (r <= 0) return SSL_get_error(c->ssl, r) == SSL_ERROR_WANT_WRITE;
        *done += w;
    }
    return true;
}

static bool put(conn *c, const uint8_t *p, size_t n) {
    size_t done;
    if (!push(c, p, n, &done)) return false;
    if (done == n) return true;
    keep(&c->out, &c->out_cap, p + done, n - done);
    c->out_off = 0, c->out_len = n - done;
    watch(c, true); // and nothing is read meanwhile (back pressure)
    return true;
}

static bool readable(conn *c) {
    while (!c->out_len) {
        size_t n = c->tail_len;
        bool more = true;
        if (n) memcpy(buf, c->tail, n);
        c->tail_len = 0;
        size_t had = n;
        while (n - had < BATCH) {
            size_t r = 0;
            int ok = SSL_read_ex(c->ssl, buf + n, buf_len - n, &r);
            if (ok <= 0) {
                int why = SSL_get_error(c->ssl, ok);
                if (why != SSL_ERROR_WANT_READ) return false;
                more = false;
                break;
            }
            n += r;
            if (!SSL_has_pending(c->ssl)) { more = false; break; }
        }
        size_t whole = 0;
        while (n - whole >= 4) {
            uint32_t body;
            memcpy(&body, buf + whole, 4);
            size_t frame = 4 + (size_t)ntohl(body);
            if (frame > MAX_BODY + 4) return false;
            if (n - whole < frame) break;
            whole += frame;
        }
        if (n > whole) keep(&c->tail, &c->tail_cap, buf + whole, n - whole), c->tail_len = n - whole;
        if (whole && !put(c, buf, whole)) return false;
        if (!more) return true;
    }
    return true;
}

static bool writable(conn *c) {
    size_t done;
    if (!push(c, c->out + c->out_off, c->out_len, &done)) return false;
    c->out_off += done, c->out_len -= done;
    if (c->out_len) return true;
    watch(c, false);
    return readable(c); // decrypted bytes may be waiting that epoll knows nothing of
}

static bool shake(conn *c) {
    int r = SSL_accept(c->ssl);
    if (r <= 0) {
        int why = SSL_get_error(c->ssl, r);
        if (why == SSL_ERROR_WANT_WRITE) watch(c, true);
        else if (why == SSL_ERROR_WANT_READ) watch(c, false);
        else return false;
        return true;
    }
    c->up = true;
    watch(c, false);
    return SSL_has_pending(c->ssl) ? readable(c) : true;
}

int main(int argc, char **argv) {
    int port = 9000;
    const char *cert = "c.pem", *key = "k.pem";
    static const struct option opts[] = {{"port", 1, 0, 'p'}, {"cert", 1, 0, 'c'}, {"key", 1, 0, 'k'}, {0, 0, 0, 0}};
    for (int o; (o = getopt_long(argc, argv, "", opts, 0)) != -1;) switch (o) {
        case 'p': port = atoi(optarg); break;
        case 'c': cert = optarg; break;
        case 'k': key = optarg; break;
        default: fprintf(stderr, "tlsecho [--port P] [--cert PEM] [--key PEM]\n"); return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    struct rlimit lim;
    getrlimit(RLIMIT_NOFILE, &lim);
    lim.rlim_cur = lim.rlim_max;
    setrlimit(RLIMIT_NOFILE, &lim);

    ctx = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
    if (SSL_CTX_use_certificate_chain_file(ctx, cert) != 1 || SSL_CTX_use_PrivateKey_file(ctx, key, SSL_FILETYPE_PEM) != 1) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(ctx, 1); // a record in one recv() instead of two

    buf = malloc(buf_len);
    int one = 1, ls = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(ls, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(ls, (struct sockaddr *)&a, sizeof a) || listen(ls, 65535)) { perror("tlsecho"); return 1; }
    ep = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(ep, EPOLL_CTL_ADD, ls, &e);

    static struct epoll_event ev[MAX_EVENTS];
    for (;;) {
        int n = epoll_wait(ep, ev, MAX_EVENTS, -1);
        for (int i = 0; i < n; i++) {
            conn *c = ev[i].data.ptr;
            if (!c) {
                for (int fd; (fd = accept4(ls, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
                    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                    conn *fresh = calloc(1, sizeof *fresh);
                    fresh->fd = fd;
                    fresh->ssl = SSL_new(ctx);
                    SSL_set_fd(fresh->ssl, fd);
                    struct epoll_event in = {.events = EPOLLIN, .data.ptr = fresh};
                    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &in);
                }
                continue;
            }
            ERR_clear_error();
            bool ok = !c->up ? shake(c) : c->out_len ? writable(c) : readable(c);
            if (!ok) hang_up(c);
        }
    }
}
