// tickload: members of rooms that tick, which only listen (Linux). It counts the frames (4 bytes length, body), and notes how far the
// time between two of them is from 1 / --hertz: the jitter that a player sees.
#include "load.h"

typedef struct { int fd; size_t skip; int have; uint8_t head[4]; uint64_t last, frames; } conn;

static conn *conns;
static int count = 100;
static double period;
static uint64_t ticks, closed, window_from = UINT64_MAX;
static uint8_t rx[RX_BUF];

static uint64_t on_turn(uint64_t t) { (void)t; return UINT64_MAX; }

// The whole frames that a read brought; a frame may be cut anywhere.
static int frames_in(conn *c, const uint8_t *p, size_t n) {
    int whole = 0;
    while (n) {
        if (c->have < 4) {
            c->head[c->have++] = *p++, n--;
            if (c->have < 4) continue;
            uint32_t body;
            memcpy(&body, c->head, 4), c->skip = ntohl(body);
        }
        size_t now = c->skip < n ? c->skip : n;
        c->skip -= now, p += now, n -= now;
        if (!c->skip) c->have = 0, whole++;
    }
    return whole;
}

static void handle(void *at, uint32_t events) {
    (void)events;
    conn *c = at;
    ssize_t r = recv(c->fd, rx, RX_BUF, 0);
    if (r <= 0 && !(r < 0 && errno == EAGAIN)) closed++, close(c->fd);
    int whole = r > 0 ? frames_in(c, rx, (size_t)r) : 0;
    if (!whole) return;
    uint64_t t = now_ns();
    double off = (double)(t - c->last) - period * whole;
    if (c->last >= window_from) ticks += (uint64_t)whole, c->frames += (uint64_t)whole, hist_add((uint64_t)(off < 0 ? -off : off), 1);
    c->last = t;
}

int main(int argc, char **argv) {
    const char *host = "127.0.0.1";
    int port = 9000, sources = 1;
    double hertz = 20, warmup = 2, duration = 5;
    start(argc, argv,
          (option[]){{"host", 's', &host}, {"port", 'i', &port}, {"conns", 'i', &count}, {"hertz", 'd', &hertz}, {"warmup", 'd', &warmup},
                     {"duration", 'd', &duration}, {"sources", 'i', &sources}, {"server-pid", 'i', &server_pid}, {0}},
          "--host A --port P --conns N --hertz H --warmup S --duration S [--sources K] [--server-pid PID]");
    if (count < 1 || hertz <= 0 || sources < 1) die("--conns and --sources are 1 or more, --hertz more than 0");
    period = 1e9 / hertz;
    conns = calloc((size_t)count, sizeof *conns);
    for (int i = 0; i < count; i++) {
        if ((conns[i].fd = dial(host, port, true, sources > 1 ? 1 + i % sources : -1, 0)) < 0) die("can't connect");
        fcntl(conns[i].fd, F_SETFL, O_NONBLOCK);
        watch(EPOLL_CTL_ADD, conns[i].fd, EPOLLIN, &conns[i]);
        if (i % 64 == 0) poll_once(0);
    }
    run_until(in_seconds(warmup));
    usage from = take_usage(true);
    window_from = now_ns();
    run_until(in_seconds(duration));
    double s = (double)(now_ns() - window_from) / 1e9;
    usage to = take_usage(true);
    uint64_t lost = 0; // of each member: all ticks but the first, which has none before it, and one at the end that is under way
    for (int i = 0; i < count; i++) {
        double missing = s * hertz - 2 - (double)conns[i].frames;
        lost += missing > 1 ? (uint64_t)missing : 0;
    }
    printf("{\"mode\":\"ticks\",\"conns\":%d,\"seconds\":%.3f,\"ticks\":%lu,\"lost\":%lu,\"closed\":%lu,\"deliv_s\":%.0f,"
           "\"others_cpu\":%.3f,",
           count, s, ticks, lost, closed, (double)ticks / s, (to.others_s - from.others_s) / s);
    print_latency(latencies());
    print_usage(from, to, s, ticks, "deliv");
    printf("}\n");
    return lost || closed ? 1 : 0;
}
