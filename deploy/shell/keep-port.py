#!/usr/bin/env python3
"""Keeps a port while a server restarts, as a socket unit of systemd does: no connection is refused.

Usage: keep-port.py HOST:PORT PROGRAM [ARGUMENT …]

The program gets the listening socket as descriptor 3 (LISTEN_FDS). When it ends with exit code 0, it is started again: to restart it,
send it SIGTERM. With another exit code, or with Ctrl+C, all ends.
"""
import os
import socket
import subprocess
import sys

if len(sys.argv) < 3:
    sys.exit(__doc__)
host, _, port = sys.argv[1].rpartition(":")
with socket.create_server((host, int(port)), backlog=4096) as listener:
    os.dup2(listener.fileno(), 3)
    # The server's own id, which it compares, is known to the shell that becomes the server.
    command = ["sh", "-c", 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"', *sys.argv[2:]]
    while (code := subprocess.call(command, pass_fds=[3])) == 0:
        print("keep-port: the server has ended, and is started again", flush=True)
sys.exit(code)
