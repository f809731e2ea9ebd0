// The client's side of WebSocket (RFC 6455) for the load generators: --ws. One masked binary message holds one frame of the load. What
// the server sends may be grouped in any way, so its headers are taken out and the rest is one stream, as over TCP.
#pragma once
#include "core.h"

enum { WS_MAX_HEADER = 14 };

// The key of the RFC's own example, and the answer that it demands (section 1.3).
#define WS_KEY "dGhlIHNhbXBsZSBub25jZQ=="
#define WS_ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
static const uint8_t ws_mask[4] = {0x37, 0xfa, 0x21, 0x3d};

// A place in the server's stream.
typedef struct { uint64_t left; uint8_t header[10], have; } ws_in;

// Upgrades a connected socket that blocks. Reads byte by byte at the end, so that nothing behind the answer is lost.
static inline bool ws_upgrade(int fd, const char *host, int port) {
    char text[1024];
    int n = snprintf(text, sizeof text,
                     "GET /ws HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " WS_KEY
                     "\r\nSec-WebSocket-Version: 13\r\n\r\n", host, port);
    if (send(fd, text, (size_t)n, MSG_NOSIGNAL) != n) return false;
    size_t have = 0;
    while (have < sizeof text - 1 && recv(fd, text + have, 1, 0) == 1) {
        text[++have] = 0;
        if (have >= 4 && !memcmp(text + have - 4, "\r\n\r\n", 4))
            return !strncmp(text, "HTTP/1.1 101", 12) && strstr(text, WS_ACCEPT) && !strstr(text, "Extensions");
    }
    return false;
}

// Writes a whole masked message; returns its length.
static inline size_t ws_message(uint8_t *to, const uint8_t *content, size_t n) {
    size_t extra = n < 126 ? 0 : n < 65536 ? 2 : 8, h = 2 + extra;
    to[0] = 0x82, to[1] = (uint8_t)(0x80 | (extra == 0 ? n : extra == 2 ? 126 : 127));
    for (size_t i = 0; i < extra; i++) to[2 + i] = (uint8_t)((uint64_t)n >> 8 * (extra - 1 - i));
    memcpy(to + h, ws_mask, 4), h += 4;
    for (size_t i = 0; i < n; i++) to[h + i] = content[i] ^ ws_mask[i & 3];
    return h + n;
}

// Takes the headers out of what was received, in place; returns how much is left, or -1 for anything but whole binary messages.
static inline ssize_t ws_strip(ws_in *in, uint8_t *p, size_t n) {
    size_t at = 0, kept = 0;
    while (at < n) {
        if (in->left) {
            size_t part = n - at < in->left ? n - at : (size_t)in->left;
            if (kept != at) memmove(p + kept, p + at, part);
            kept += part, at += part, in->left -= part;
            continue;
        }
        in->header[in->have++] = p[at++];
        if (in->have < 2) continue;
        if (in->header[0] != 0x82 || in->header[1] & 0x80) return -1;
        size_t extra = in->header[1] == 126 ? 2 : in->header[1] == 127 ? 8 : 0;
        if (in->have < 2 + extra) continue;
        in->left = extra ? 0 : in->header[1];
        for (size_t i = 0; i < extra; i++) in->left = in->left << 8 | in->header[2 + i];
        in->have = 0;
    }
    return (ssize_t)kept;
}
