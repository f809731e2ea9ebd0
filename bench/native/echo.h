// The load on echo servers, over any kind of link.
//
// All connections send one cyclic stream of bytes, which is also what they must get back: README.md, "How it works".
#pragma once
#include "load.h"

static struct {
    int inflight, opening;
    double idle, connect_timeout;
    bool handshakes, resume;
} echo = {.inflight = 1, .opening = INT32_MAX, .connect_timeout = 20};

#define ECHO_OPTIONS \
    {"size", 'z', &opt.size}, {"inflight", 'i', &echo.inflight}, {"drain", 'd', &opt.drain}, {"sources", 'i', &opt.sources}, \
    {"idle", 'd', &echo.idle}, {"connect-timeout", 'd', &echo.connect_timeout}, LOAD_OPTIONS

typedef struct { uint64_t last, at; } batch; // messages up to and with number `last` were sent at `at`

struct conn {
    peer peer;
    enum { CLOSED, CONNECTING, SHAKING, UP, DEAD } state;
    uint64_t sent, rcvd;       // bytes of this connection's streams; with --ws those it sends are more, by the WebSocket headers
    uint64_t allowed;          // bytes which it may have sent by now (whole messages)
    uint64_t start, out_start; // offsets of its first message in the templates
    uint64_t counted_from;     // `rcvd` when the counting began
    uint64_t opened_at;
    double due;                // rate mode: when its next message is due, in ns
    batch *ring;               // as many places as messages may be in flight
    uint32_t head, tail;       // oldest batch, next free place
    ws_in in;                  // with --ws
    void *tls, *session;
};

// The link, which each program defines. `link_shake` makes it ready after connecting (0: not yet, 1: ready, 2: and there is something to
// read); the others return the bytes, 0 to wait for an event, or -1 for the end. `link_renew` follows the answer with --handshakes.
static int link_shake(conn *c);
static ssize_t link_write(conn *c, const uint8_t *p, size_t n);
static ssize_t link_read(conn *c, bool *more);
static void link_close(conn *c);
static void link_renew(conn *c);

static conn *conns;
static uint8_t *tmpl, *rx;     // both templates stand twice, so that what follows any place is in one piece
static uint8_t *out_tmpl;      // what is sent: the template, with --ws each message of it as a WebSocket message
static size_t msg_len, cycle, out_len, out_cycle;
static bool sending = true;
static uint64_t msgs, bytes_in, errors, closed, connect_failures, rx_calls, tx_calls, rounds, reused, tickets;
static int connected, first_echoes, alive, opening, last_error;
static char tls_name[64];

static uint8_t *twice(const uint8_t *p, size_t n) {
    uint8_t *both = malloc(2 * n);
    memcpy(both, p, n);
    memcpy(both + n, p, n);
    return both;
}

static void make_template(void) {
    msg_len = 4 + opt.size;
    size_t n = 128 * 1024 / msg_len;
    n = n < 8 ? 8 : n > 4096 ? 4096 : n;
    cycle = n * msg_len;
    tmpl = malloc(cycle);
    uint64_t x = 0x9e3779b97f4a7c15ull;
    for (size_t i = 0; i < n; i++) {
        uint8_t *m = tmpl + i * msg_len;
        for (size_t h = 0; h < 4; h++) m[h] = (uint8_t)(opt.size >> 8 * (3 - h));
        for (size_t k = 0; k < opt.size; k++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            m[4 + k] = (uint8_t)x;
        }
        for (size_t k = 0; k < 4 && k < opt.size; k++) m[4 + k] = (uint8_t)(i >> 8 * k);
    }
    out_tmpl = tmpl, out_len = msg_len;
    if (opt.ws) {
        out_tmpl = malloc(n * (msg_len + WS_MAX_HEADER)), out_len = 0;
        for (size_t i = 0; i < n; i++) out_len = ws_message(out_tmpl + i * out_len, tmpl + i * msg_len, msg_len);
    }
    out_cycle = n * out_len;
    out_tmpl = twice(out_tmpl, out_cycle), tmpl = twice(tmpl, cycle);
}

static void release(conn *c) {
    link_close(c);
    if (c->peer.fd >= 0) close(c->peer.fd), c->peer.fd = -1;
}

static void drop(conn *c) {
    if (c->state == DEAD || c->state == CLOSED) return;
    if (c->state == UP) closed++, alive--;
    else connect_failures++, opening--, last_error = errno;
    c->state = DEAD;
    release(c);
}

static void open_conn(conn *c) {
    c->opened_at = now_ns();
    c->state = CONNECTING, opening++;
    c->peer.fd = dial((int)(c - conns), false, 0);
    if (c->peer.fd < 0 || !add(&c->peer, c->peer.fd, EPOLLIN | EPOLLOUT)) drop(c);
}

// A message counts as sent with its first byte.
static uint64_t messages_sent(const conn *c) { return (c->sent + out_len - 1) / out_len; }

static void flush(conn *c, uint64_t at) {
    while (c->sent < c->allowed) {
        uint64_t left = c->allowed - c->sent, from = messages_sent(c);
        ssize_t w = link_write(c, out_tmpl + (c->out_start + c->sent) % out_cycle, left < out_cycle ? left : out_cycle);
        tx_calls++;
        if (w < 0) drop(c);
        if (w <= 0) return;
        c->sent += (uint64_t)w;
        if (messages_sent(c) == from) continue;
        c->ring[c->tail] = (batch){messages_sent(c), at};
        c->tail = (c->tail + 1) % (uint32_t)echo.inflight;
    }
    want(&c->peer, EPOLLIN);
}

// Allows as many messages as the window has room for (and, in rate mode, as are due) and sends them.
static void refill(conn *c, uint64_t at) {
    if (!sending || c->state != UP) return;
    uint64_t window = (c->rcvd / msg_len + (uint64_t)echo.inflight) * out_len;
    if (opt.rate <= 0) {
        c->allowed = window;
        if (c->sent < c->allowed) flush(c, at);
        return;
    }
    // Paced: the round trip counts from when the message was due, so that a stall is not hidden.
    while (c->due <= (double)at && c->allowed < window && c->state == UP) {
        c->allowed += out_len;
        uint64_t due = (uint64_t)c->due;
        c->due += 1e9 / opt.rate;
        flush(c, due);
    }
}

// Whether what came is what was sent, and no more than that: in messages where the two streams differ.
static bool verify(const conn *c, size_t n) {
    uint64_t all = c->rcvd + n;
    if (out_len == msg_len ? all > c->sent : (all + msg_len - 1) / msg_len > messages_sent(c)) return false;
    for (size_t off = (c->start + c->rcvd) % cycle, done = 0; done < n;) {
        size_t part = n - done < 2 * cycle - off ? n - done : 2 * cycle - off;
        if (memcmp(rx + done, tmpl + off, part)) return false;
        done += part, off = (off + part) % cycle;
    }
    return true;
}

static void receive(conn *c) {
    uint64_t before = c->rcvd / msg_len, k = before;
    bool more = true;
    for (size_t total = 0; more && total < RX_BUF;) {
        more = false;
        ssize_t r = link_read(c, &more);
        rx_calls++;
        if (r < 0) { drop(c); return; }
        if (r == 0) break;
        if ((opt.ws && (r = ws_strip(&c->in, rx, (size_t)r)) < 0) || !verify(c, (size_t)r)) { errors++; drop(c); return; }
        c->rcvd += (uint64_t)r, total += (size_t)r, bytes_in += (uint64_t)r;
    }
    uint64_t at = now_ns(), after = c->rcvd / msg_len;
    if (after == before) return;
    msgs += after - before;
    while (k < after) {
        batch *b = &c->ring[c->head];
        uint64_t upto = b->last < after ? b->last : after;
        if (!echo.handshakes) hist_add(at > b->at ? at - b->at : 0, upto - k);
        k = upto;
        if (b->last <= after) c->head = (c->head + 1) % (uint32_t)echo.inflight;
    }
    if (!before) first_echoes++;
    if (echo.handshakes) link_renew(c);
    else if (echo.idle <= 0) refill(c, at); // idle mode: one message a connection, no more
}

static void handle(conn *c, uint32_t events) {
    if (c->state == CONNECTING) {
        int failure = 0;
        socklen_t len = sizeof failure;
        getsockopt(c->peer.fd, SOL_SOCKET, SO_ERROR, &failure, &len);
        errno = failure;
        if (failure || events & (EPOLLERR | EPOLLHUP)) { drop(c); return; }
        c->state = SHAKING;
    }
    if (c->state == SHAKING) {
        int ready = link_shake(c);
        if (ready < 0) drop(c);
        if (ready <= 0) return;
        want(&c->peer, EPOLLIN);
        c->state = UP, opening--, connected++, alive++;
        c->due = (double)now_ns();
        refill(c, now_ns());
        if (ready > 1 && c->state == UP) receive(c);
    } else if (c->state == UP) {
        if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) receive(c);
        if (c->state == UP && events & EPOLLOUT) flush(c, now_ns());
    }
}

static uint64_t on_turn(uint64_t t) {
    static uint64_t next;
    if (!alive && !opening) return 0;
    if (opt.rate <= 0 || !sending) return UINT64_MAX;
    if (t >= next) {
        for (int i = 0; i < opt.conns; i++) if (conns[i].due <= (double)t) refill(&conns[i], t);
        next = t + 1000000;
    }
    return next;
}

// Connects all at once. Idle mode echoes one message on every connection and then stays silent.
static void connect_all(uint64_t give_up) {
    sending = echo.idle > 0 || echo.handshakes;
    for (int i = 0; i < opt.conns; i++) {
        conn *c = &conns[i];
        size_t first = (size_t)i * 37 % (cycle / msg_len);
        c->start = first * msg_len, c->out_start = first * out_len;
        c->ring = malloc((size_t)echo.inflight * sizeof *c->ring);
        while (opening >= echo.opening && now_ns() < give_up) poll_once(50000000);
        open_conn(c);
        if (i % 64 == 63) poll_once(0);
    }
    while (!echo.handshakes && opening > 0 && now_ns() < give_up) poll_once(50000000);
    if (!echo.handshakes) connect_failures = (uint64_t)(opt.conns - connected);
}

static int run_idle(uint64_t began, double connect_s, uint64_t give_up, usage before) {
    sending = false;
    while (first_echoes < alive && now_ns() < give_up) poll_once(50000000);
    double echoed_s = (double)(now_ns() - began) / 1e9;
    run_until(in_seconds(echo.idle));
    usage after = take_usage(false);
    printf("{\"mode\":\"idle\",\"conns\":%d,\"connected\":%d,\"connect_failures\":%lu,\"connect_s\":%.4f,\"all_echoed_s\":%.4f,"
           "\"echoed\":%d,\"alive\":%d,\"errors\":%lu,\"rss_before_kb\":%ld,\"rss_after_kb\":%ld,\"kb_per_conn\":%.2f,"
           "\"server_cpu_s\":%.2f,\"threads\":%ld,\"tls\":\"%s\"}\n",
           opt.conns, connected, connect_failures, connect_s, echoed_s, first_echoes, alive, errors, before.rss_kb, after.rss_kb,
           connected ? (double)(after.rss_kb - before.rss_kb) / connected : 0.0, after.cpu_s - before.cpu_s, after.threads, tls_name);
    return errors || closed || connect_failures ? 1 : 0;
}

// No new messages; returns how many have not come back by the end.
static uint64_t drain(void) {
    sending = false;
    uint64_t end = in_seconds(opt.drain), missing;
    do {
        run_until(in_seconds(.02));
        missing = echo.handshakes ? (uint64_t)opening : 0;
        for (int i = 0; i < opt.conns; i++) missing += messages_sent(&conns[i]) - conns[i].rcvd / msg_len;
    } while (missing && now_ns() < end && (alive || opening));
    return missing;
}

static int run_echo(void) {
    if (opt.conns < 1 || echo.inflight < 1 || opt.size < 1 || opt.port < 1) die("--conns, --inflight, --size and --port are 1 or more");
    if (echo.idle > 0 || echo.handshakes) echo.inflight = 1, opt.rate = 0;
    make_template();
    rx = malloc(RX_BUF);
    conns = calloc((size_t)opt.conns, sizeof *conns);
    usage before = take_usage(false);
    uint64_t began = now_ns(), give_up = in_seconds(echo.connect_timeout);
    connect_all(give_up);
    double connect_s = (double)(now_ns() - began) / 1e9;
    if (echo.idle > 0) return run_idle(began, connect_s, give_up, before);
    if (!connected && !echo.handshakes) {
        printf("{\"msgs\":0,\"connected\":0,\"connect_failures\":%lu}\n", connect_failures);
        return 1;
    }

    // The first messages of paced connections are spread over one interval.
    uint64_t t = now_ns();
    sending = true;
    for (int i = 0; i < opt.conns && !echo.handshakes; i++) {
        conns[i].due = (double)t + (opt.rate > 0 ? 1e9 / opt.rate * i / opt.conns : 0);
        refill(&conns[i], t);
    }
    run_until(in_seconds(opt.warmup));

    hist_reset();
    msgs = bytes_in = rx_calls = tx_calls = rounds = reused = tickets = 0;
    for (int i = 0; i < opt.conns; i++) conns[i].counted_from = conns[i].rcvd;
    usage from = take_usage(false);
    t = now_ns();
    run_until(in_seconds(opt.duration));
    double s = (double)(now_ns() - t) / 1e9;
    usage to = take_usage(false);
    latency l = latencies();
    uint64_t m = msgs, bytes = bytes_in, receives = rx_calls, sends = tx_calls, handshakes = rounds, resumed = reused, given = tickets;
    uint64_t least = UINT64_MAX, most = 0; // how evenly the server served the connections
    for (int i = 0; i < opt.conns; i++) {
        if (conns[i].state != UP) continue;
        uint64_t n = conns[i].rcvd / msg_len - conns[i].counted_from / msg_len;
        if (n < least) least = n;
        if (n > most) most = n;
    }
    uint64_t missing = drain();

    printf("{\"conns\":%d,\"connected\":%d,\"size\":%zu,\"inflight\":%d,\"seconds\":%.3f,\"errors\":%lu,"
           "\"closed\":%lu,\"connect_failures\":%lu,\"connect_s\":%.4f,\"tls\":\"%s\",",
           opt.conns, connected, opt.size, echo.inflight, s, errors, closed, connect_failures, connect_s, tls_name);
    if (echo.handshakes)
        printf("\"mode\":\"handshakes\",\"at_once\":%d,\"resume\":%s,\"handshakes\":%lu,\"reused\":%lu,\"tickets\":%lu,"
               "\"last_error\":\"%s\",",
               opt.conns, echo.resume ? "true" : "false", handshakes, resumed, given, last_error ? strerror(last_error) : "");
    else
        printf("\"msgs\":%lu,\"MB_s\":%.2f,\"incomplete\":%lu,\"rx_per_call\":%.1f,\"tx_per_call\":%.1f,"
               "\"conn_msgs_min\":%lu,\"conn_msgs_max\":%lu,",
               m, (double)bytes / s / 1e6, missing, receives ? (double)m / (double)receives : 0.0,
               sends ? (double)m / (double)sends : 0.0, least, most);
    print_rest(l, from, to, s, echo.handshakes ? handshakes : m, echo.handshakes ? "hs" : "msg");
    return errors || closed || connect_failures || (missing && !echo.handshakes) ? 1 : 0;
}
