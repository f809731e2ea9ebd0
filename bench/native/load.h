// What the loads share: options, connecting, the loop of a phase, the latency histogram, and what server and load use. A load defines
// `on_turn`.
#pragma once
#include "core.h"
#include "websocket.h"
#include <dirent.h>

static struct {
    const char *host;
    int port, conns, sources, server_pid;
    size_t size;
    double rate, warmup, duration, drain;
    bool ws;
} opt = {.host = "127.0.0.1", .port = 9000, .conns = 100, .size = 64, .warmup = 2, .duration = 5};

// Those that every load has.
#define LOAD_OPTIONS \
    {"host", 's', &opt.host}, {"port", 'i', &opt.port}, {"conns", 'i', &opt.conns}, {"warmup", 'd', &opt.warmup}, \
    {"duration", 'd', &opt.duration}, {"server-pid", 'i', &opt.server_pid}, {0}

// Connects, and waits for it only if it `waits`, or for a WebSocket; -1: it cannot. With --sources the connections come from as many
// loopback addresses in turn. A `receive_buffer` from 1 is an SO_RCVBUF.
static inline int dial(int index, bool waits, int receive_buffer) {
    waits = waits || opt.ws;
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | (waits ? 0 : SOCK_NONBLOCK) | SOCK_CLOEXEC, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)opt.port)}, s = {.sin_family = AF_INET};
    if (fd < 0) return -1;
    if (inet_pton(AF_INET, opt.host, &a.sin_addr) != 1) die("--host is an IPv4 address");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (receive_buffer) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    bool ok = true;
    if (opt.sources > 1) {
        s.sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)(index % opt.sources));
        setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
        ok = bind(fd, (struct sockaddr *)&s, sizeof s) == 0;
    }
    ok = ok && (connect(fd, (struct sockaddr *)&a, sizeof a) == 0 || errno == EINPROGRESS);
    if (ok && (!opt.ws || ws_upgrade(fd, opt.host, opt.port)) && (!waits || !fcntl(fd, F_SETFL, O_NONBLOCK))) return fd;
    close(fd);
    return -1;
}

// Called before each wait. Sends what is due, and returns when to be called again at the latest; 0 ends the phase early.
static uint64_t on_turn(uint64_t now);

static inline uint64_t in_seconds(double s) { return now_ns() + (uint64_t)(s * 1e9); }

// False: the phase ended early.
static inline bool run_until(uint64_t end) {
    for (;;) {
        uint64_t t = now_ns(), next;
        if (t >= end) return true;
        if (!(next = on_turn(t))) return false;
        if (next > end) next = end;
        poll_once(next > t ? next - t : 0);
    }
}

// Log-linear: 64 linear steps in every power of two, i.e. at most 1.6 % error. Values are nanoseconds.
enum { SUB_BITS = 6, SUB = 1 << SUB_BITS, BUCKETS = (64 - SUB_BITS + 1) * SUB };

static uint64_t hist[BUCKETS], hist_max, hist_count;

static inline int bucket_of(uint64_t v) {
    if (v < SUB) return (int)v;
    int shift = 63 - __builtin_clzll(v) - SUB_BITS;
    return (shift + 1) * SUB + (int)((v >> shift) - SUB);
}

static inline uint64_t bucket_top(int b) {
    if (b < SUB) return (uint64_t)b;
    int shift = b / SUB - 1;
    return ((uint64_t)(b % SUB + SUB + 1) << shift) - 1;
}

static inline void hist_reset(void) {
    memset(hist, 0, sizeof hist);
    hist_max = hist_count = 0;
}

static inline void hist_add(uint64_t v, uint64_t n) {
    hist[bucket_of(v)] += n;
    hist_count += n;
    if (v > hist_max) hist_max = v;
}

static inline double hist_us(double quantile) {
    uint64_t want = (uint64_t)(quantile * (double)hist_count), seen = 0;
    for (int b = 0; b < BUCKETS; b++) {
        seen += hist[b];
        if (seen > want) return (double)(bucket_top(b) < hist_max ? bucket_top(b) : hist_max) / 1e3;
    }
    return (double)hist_max / 1e3;
}

typedef struct { double p50, p90, p95, p99, p999, max; } latency;

static inline latency latencies(void) {
    return (latency){hist_us(.5), hist_us(.9), hist_us(.95), hist_us(.99), hist_us(.999), (double)hist_max / 1e3};
}

typedef struct { double cpu_s, sys_s, own_s, others_s; long rss_kb, hwm_kb, threads; } usage;

// User and system ticks of a process, and those of its reaped children.
static inline bool read_ticks(int pid, unsigned long t[4], int *parent) {
    char path[64], line[1024], *p;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    bool ok = f && fgets(line, sizeof line, f) && (p = strrchr(line, ')')) &&
        sscanf(p + 2, "%*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu", parent, t, t + 1, t + 2, t + 3) == 5;
    if (f) fclose(f);
    return ok;
}

static inline double others_cpu(void) { // CPU seconds of all processes but this one, the server and kernel threads: disturbance
    unsigned long ticks = 0, t[4];
    int parent;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        int pid = atoi(e->d_name);
        if (pid > 0 && pid != getpid() && pid != opt.server_pid && read_ticks(pid, t, &parent) && parent != 2)
            ticks += t[0] + t[1] + t[2] + t[3];
    }
    if (d) closedir(d);
    return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

static inline usage take_usage(bool with_others) {
    usage u = {0};
    unsigned long t[4];
    int parent;
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/status", opt.server_pid);
    if (opt.server_pid && read_ticks(opt.server_pid, t, &parent)) {
        u.cpu_s = (double)(t[0] + t[1]) / (double)sysconf(_SC_CLK_TCK);
        u.sys_s = (double)t[1] / (double)sysconf(_SC_CLK_TCK);
    }
    FILE *f = opt.server_pid ? fopen(path, "r") : NULL;
    while (f && fgets(line, sizeof line, f)) {
        sscanf(line, "VmRSS: %ld", &u.rss_kb);
        sscanf(line, "VmHWM: %ld", &u.hwm_kb);
        sscanf(line, "Threads: %ld", &u.threads);
    }
    if (f) fclose(f);
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    u.own_s = (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
    if (with_others) u.others_s = others_cpu();
    return u;
}

// The cores that other processes kept busy. One that ends takes its seconds with it.
static inline double others_cores(usage from, usage to, double s) {
    return to.others_s > from.others_s ? (to.others_s - from.others_s) / s : 0;
}

// Ends a load's JSON line: latency, `count` units a second, the cores that load and server kept busy, and the server's time for a unit.
static inline void print_rest(latency l, usage from, usage to, double s, uint64_t count, const char *unit) {
    double cpu = to.cpu_s - from.cpu_s, per = count ? 1e6 / (double)count : 0;
    printf("\"p50_us\":%.1f,\"p90_us\":%.1f,\"p95_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,\"max_us\":%.1f,\"%s_s\":%.0f,"
           "\"client_cpu\":%.3f,\"server_cpu\":%.3f,\"cpu_us_%s\":%.4f,\"sys_us_%s\":%.4f,\"rss_kb\":%ld,\"hwm_kb\":%ld,\"threads\":%ld}\n",
           l.p50, l.p90, l.p95, l.p99, l.p999, l.max, unit, (double)count / s, (to.own_s - from.own_s) / s, cpu / s,
           unit, cpu * per, unit, (to.sys_s - from.sys_s) * per, to.rss_kb, to.hwm_kb, to.threads);
}
