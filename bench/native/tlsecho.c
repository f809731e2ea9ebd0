// tlsecho: a minimal single-threaded epoll TLS echo server, the physical limit to compare with (Linux, OpenSSL 3).
//
// Parses 4-byte big-endian length frames: reads all the records that are there (SSL_read until it wants more, or
// 256 KB), and sends back all whole frames of them with one SSL_write.
#include "server.h"
#include <openssl/err.h>
#include <openssl/ssl.h>

enum { BATCH = 256 * 1024, BUF = MAX_BODY + 4 + BATCH };

typedef struct {
    int fd;
    SSL *ssl;
    bool up, out_wanted;
    bytes tail; // start of a frame which is not whole yet
    bytes out;  // what the socket did not take
} conn;

static SSL_CTX *ctx;
static int listener, port = 9000;
static uint8_t *buf;

static void accepted(int fd) {
    conn *c = calloc(1, sizeof *c);
    c->fd = fd;
    c->ssl = SSL_new(ctx);
    SSL_set_fd(c->ssl, fd);
    watch(EPOLL_CTL_ADD, fd, EPOLLIN, c);
}

static void want(conn *c, bool out) {
    if (c->out_wanted == out) return;
    c->out_wanted = out;
    watch(EPOLL_CTL_MOD, c->fd, out ? EPOLLOUT : EPOLLIN, c);
}

static void hang_up(conn *c) {
    if (c->up) SSL_shutdown(c->ssl);
    ERR_clear_error();
    SSL_free(c->ssl);
    close(c->fd);
    free(c->tail.p);
    free(c->out.p);
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
    keep(&c->out, p + done, n - done);
    want(c, true); // and nothing is read meanwhile (back pressure)
    return true;
}

static bool readable(conn *c) {
    for (bool more = true; more && !c->out.len;) {
        size_t had = c->tail.len, n = had;
        if (n) memcpy(buf, c->tail.p, n);
        while (more && n - had < BATCH) {
            size_t r = 0;
            int ok = SSL_read_ex(c->ssl, buf + n, BUF - n, &r);
            if (ok <= 0 && SSL_get_error(c->ssl, ok) != SSL_ERROR_WANT_READ) return false;
            n += r;
            more = ok > 0 && SSL_has_pending(c->ssl);
        }
        ssize_t whole = whole_frames(buf, n);
        if (whole < 0) return false;
        keep(&c->tail, buf + whole, n - (size_t)whole);
        if (whole && !put(c, buf, (size_t)whole)) return false;
    }
    return true;
}

static bool writable(conn *c) {
    size_t done;
    if (!push(c, c->out.p + c->out.off, c->out.len, &done)) return false;
    take(&c->out, done);
    if (c->out.len) return true;
    want(c, false);
    return readable(c); // decrypted bytes may be waiting that epoll knows nothing of
}

static bool shake(conn *c) {
    int r = SSL_accept(c->ssl);
    if (r <= 0) {
        int why = SSL_get_error(c->ssl, r);
        want(c, why == SSL_ERROR_WANT_WRITE);
        return why == SSL_ERROR_WANT_WRITE || why == SSL_ERROR_WANT_READ;
    }
    c->up = true;
    want(c, false);
    return SSL_has_pending(c->ssl) ? readable(c) : true;
}

static void handle(void *at, uint32_t events) {
    (void)events;
    conn *c = at;
    if (!c) {
        accept_all(listener);
        return;
    }
    ERR_clear_error();
    if (!(!c->up ? shake(c) : c->out.len ? writable(c) : readable(c))) hang_up(c);
}

int main(int argc, char **argv) {
    const char *cert = "c.pem", *key = "k.pem";
    start(argc, argv, (option[]){{"port", 'i', &port}, {"cert", 's', &cert}, {"key", 's', &key}, {0}},
          "[--port P] [--cert PEM] [--key PEM]");
    ctx = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
    if (SSL_CTX_use_certificate_chain_file(ctx, cert) != 1 || SSL_CTX_use_PrivateKey_file(ctx, key, SSL_FILETYPE_PEM) != 1) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(ctx, 1); // a record in one recv() instead of two
    buf = malloc(BUF);
    listener = listen_on(port);
    for (;;) poll_once(UINT64_MAX);
}
