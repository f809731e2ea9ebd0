// tickload: members of rooms that tick, which only listen (Linux). It counts the frames (4 bytes length, body), and notes how far the
// time between two of them is from 1 / --hertz: the jitter that a player sees.
#include "load.h"

enum { MAX_FRAME = 4 + (1 << 20) }; // there is no room behind the start of a longer one, which counts as closed

struct conn {
    peer peer;
    bytes tail; // start of a frame which is not whole yet
    uint64_t last, frames;
};

static conn *conns;
static double period;
static uint64_t ticks, closed, window_from = UINT64_MAX;
static uint8_t rx[MAX_FRAME + RX_BUF];

static uint64_t on_turn(uint64_t t) { (void)t; return UINT64_MAX; }

// The whole frames among `n` bytes; what is behind them is kept.
static uint64_t whole_frames(conn *c, size_t n) {
    uint64_t whole = 0;
    size_t at = 0;
    for (uint32_t body; n - at >= 4; whole++, at += 4 + ntohl(body)) {
        memcpy(&body, rx + at, 4);
        if (n - at - 4 < ntohl(body)) break;
    }
    keep(&c->tail, rx + at, n - at);
    return whole;
}

static void handle(conn *c, uint32_t events) {
    (void)events;
    ssize_t r = receive_behind(&c->tail, c->peer.fd, rx, c->tail.len < MAX_FRAME ? RX_BUF : 0);
    if (r < 0) closed++, close(c->peer.fd);
    uint64_t whole = r > 0 ? whole_frames(c, c->tail.len + (size_t)r) : 0;
    if (!whole) return;
    uint64_t t = now_ns();
    double off = (double)(t - c->last) - period * (double)whole;
    if (c->last >= window_from) ticks += whole, c->frames += whole, hist_add((uint64_t)(off < 0 ? -off : off), 1);
    c->last = t;
}

int main(int argc, char **argv) {
    double hertz = 20;
    start(argc, argv, (option[]){{"hertz", 'd', &hertz}, {"sources", 'i', &opt.sources}, LOAD_OPTIONS});
    if (opt.conns < 1 || hertz <= 0) die("--conns is 1 or more, --hertz more than 0");
    period = 1e9 / hertz;
    conns = calloc((size_t)opt.conns, sizeof *conns);
    for (int i = 0; i < opt.conns; i++) {
        int fd = dial(i, true, 0);
        if (fd < 0) die("can't connect");
        add(&conns[i].peer, fd, EPOLLIN);
        if (i % 64 == 0) poll_once(0);
    }
    run_until(in_seconds(opt.warmup));
    usage from = take_usage(true);
    window_from = now_ns();
    run_until(in_seconds(opt.duration));
    double s = (double)(now_ns() - window_from) / 1e9;
    usage to = take_usage(true);
    uint64_t lost = 0; // of each member: all ticks but the first, which has none before it, and one at the end that is under way
    for (int i = 0; i < opt.conns; i++) {
        double missing = s * hertz - 2 - (double)conns[i].frames;
        lost += missing > 1 ? (uint64_t)missing : 0;
    }
    printf("{\"mode\":\"ticks\",\"conns\":%d,\"seconds\":%.3f,\"ticks\":%lu,\"lost\":%lu,\"closed\":%lu,\"others_cpu\":%.3f,",
           opt.conns, s, ticks, lost, closed, others_cores(from, to, s));
    print_rest(latencies(), from, to, s, ticks, "deliv");
    return lost || closed ? 1 : 0;
}
