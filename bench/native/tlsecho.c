// tlsecho: a minimal single-threaded epoll TLS echo server, the physical limit to compare with (Linux, OpenSSL 3).
//
// Parses 4-byte big-endian length frames: reads all the records that are there (SSL_read until it wants more, or
// 256 KB), and sends back all whole frames of them with one SSL_write.
#include "server.h"
#include <openssl/err.h>
#include <openssl/ssl.h>

enum { BATCH = 256 * 1024, BUF = MAX_BODY + 4 + BATCH };

struct conn {
    peer peer;
    SSL *ssl;
    bool up;
    bytes tail; // start of a frame which is not whole yet
    bytes out;  // what the socket did not take
};

static SSL_CTX *ctx;
static uint8_t *buf;

static void accepted(int fd) {
    conn *c = calloc(1, sizeof *c);
    c->ssl = SSL_new(ctx);
    SSL_set_fd(c->ssl, fd);
    add(&c->peer, fd, EPOLLIN);
}

static void hang_up(conn *c) {
    if (c->up) SSL_shutdown(c->ssl);
    ERR_clear_error();
    SSL_free(c->ssl);
    close(c->peer.fd);
    free(c->tail.p);
    free(c->out.p);
    free(c);
}

// Writes until the socket takes no more; returns the bytes, or -1 when the link is gone.
static ssize_t push(conn *c, const uint8_t *p, size_t n) {
    size_t done = 0;
    for (size_t w = 0; done < n; done += w) {
        int r = SSL_write_ex(c->ssl, p + done, n - done, &w);
        if (r <= 0) return SSL_get_error(c->ssl, r) == SSL_ERROR_WANT_WRITE ? (ssize_t)done : -1;
    }
    return (ssize_t)n;
}

static bool put(conn *c, const uint8_t *p, size_t n) {
    ssize_t done = push(c, p, n);
    if (done < 0 || (size_t)done == n) return done >= 0;
    keep(&c->out, p + done, n - (size_t)done);
    want(&c->peer, EPOLLOUT); // and nothing is read meanwhile (back pressure)
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
    ssize_t done = push(c, c->out.p + c->out.off, c->out.len);
    if (done < 0) return false;
    take(&c->out, (size_t)done);
    if (c->out.len) return true;
    want(&c->peer, EPOLLIN);
    return readable(c); // decrypted bytes may be waiting that epoll knows nothing of
}

static bool shake(conn *c) {
    int r = SSL_accept(c->ssl);
    if (r <= 0) {
        int why = SSL_get_error(c->ssl, r);
        want(&c->peer, why == SSL_ERROR_WANT_WRITE ? EPOLLOUT : EPOLLIN);
        return why == SSL_ERROR_WANT_WRITE || why == SSL_ERROR_WANT_READ;
    }
    c->up = true;
    want(&c->peer, EPOLLIN);
    return SSL_has_pending(c->ssl) ? readable(c) : true;
}

static void handle(conn *c, uint32_t events) {
    (void)events;
    if (!c) { accept_all(); return; }
    ERR_clear_error();
    if (!(!c->up ? shake(c) : c->out.len ? writable(c) : readable(c))) hang_up(c);
}

int main(int argc, char **argv) {
    const char *cert = "c.pem", *key = "k.pem";
    start(argc, argv, (option[]){{"port", 'i', &port}, {"cert", 's', &cert}, {"key", 's', &key}, {0}});
    ctx = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
    if (SSL_CTX_use_certificate_chain_file(ctx, cert) != 1 || SSL_CTX_use_PrivateKey_file(ctx, key, SSL_FILETYPE_PEM) != 1) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(ctx, 1); // a record in one recv() instead of two
    buf = malloc(BUF);
    start_listening();
    for (;;) poll_once(UINT64_MAX);
}
