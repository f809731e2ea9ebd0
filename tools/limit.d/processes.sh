# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# Servers and loads: started on their core, waited for, ended by their id.

children=()
declare -A unavailable=()
no_pin=0

tell() { echo "limit: $*" >&2; }

finish() {
    local code=$? pid
    trap '' INT TERM HUP
    for pid in "${children[@]}"; do end_process "$pid"; done
    rm -rf "$work"
    exit "$code"
}

# Ends a child: asks, and after 5 s no longer asks.
end_process() {
    local pid=$1 i left=()
    if kill -TERM "$pid" 2>/dev/null; then
        for ((i = 0; i < 250; i++)); do
            is_running "$pid" || break
            sleep 0.02
        done
        kill -KILL "$pid" 2>/dev/null
    fi
    wait "$pid" 2>/dev/null
    for i in "${children[@]}"; do [ "$i" = "$pid" ] || left+=("$i"); done
    children=("${left[@]}")
}

# Not a zombie that only waits to be asked for.
is_running() {
    local state
    state=$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)
    [ -n "$state" ] && [ "$state" != Z ]
}

# The listening sockets come first in these files, so it ends early where thousands wait for their end.
is_listening() {
    local file
    for file in /proc/net/tcp /proc/net/tcp6; do
        [ -r "$file" ] || continue
        awk -v end=":$(printf '%04X' "$1")" 'FNR == 1 { next } $4 != "0A" { exit } substr($2, length($2) - 4) == end { found = 1; exit } END { exit !found }' "$file" && return 0
    done
    return 1
}

free_port() {
    local port
    while :; do
        port=$((first_port + RANDOM % (last_port - first_port + 1)))
        is_listening "$port" || break
    done
    echo "$port"
}

pin() { if [ "$no_pin" = 1 ]; then echo ''; else echo "taskset -c $1"; fi; }

# Starts PROGRAM [ARGUMENT ...] --port N and waits until it listens: server_pid, server_port, ready_ms. Probing by connecting would take a place in a room.
start_server() {
    local begin i
    server_port=$(free_port)
    : >"$work/server.err"
    begin=${EPOCHREALTIME/./}
    # shellcheck disable=SC2046 # words, on purpose
    (cd "$work" && exec $(pin "$server_core") "$@" --port "$server_port") >"$work/server.out" 2>"$work/server.err" </dev/null &
    server_pid=$!
    children+=("$server_pid")
    for ((i = 0; i < 3000; i++)); do
        if is_listening "$server_port"; then
            ready_ms=$(((${EPOCHREALTIME/./} - begin) / 1000))
            return 0
        fi
        is_running "$server_pid" || break
        sleep 0.003
    done
    end_process "$server_pid"
    return 1
}

why_not_started() { awk 'NF { print; found = 1; exit } END { if (!found) print "it ended without a word, or did not listen." }' "$work/server.err"; }

# C is the C program of the part; the others are the server with its options.
start_one() {
    local server=$1 mode=$2
    shift 2
    case $server in
        C) start_server "$work/$mode" "$@" ;;
        default) start_server "$server_file" --mode "$mode" "$@" ;;
        inline) start_server "$server_file" --mode "$mode" --inline "$@" ;;
        linux) start_server "$server_file" --mode "$mode" --transport linux "$@" ;;
    esac
}

# Leaves out what this build of the server does not know.
find_servers() {
    local server known=''
    for server in $servers; do
        if start_one "$server" echo; then
            end_process "$server_pid"
            known+=" $server"
        else
            unavailable[$server]=$(why_not_started)
            tell "$server is n/a: ${unavailable[$server]}"
        fi
    done
    [ -n "$known" ] || die "no server starts; the last one said: $(why_not_started)"
    servers=$known
}

show_unavailable() {
    local server
    for server in "${!unavailable[@]}"; do
        echo "$server: n/a, the server said: ${unavailable[$server]}"
        echo
    done
}

# Runs a load on its core against the server that was started; its JSON line goes to $work/load.json.
run_load() {
    local program=$1
    shift
    # shellcheck disable=SC2046 # words, on purpose
    timeout -k 5 300 $(pin "$load_core") "$work/$program" --port "$server_port" --server-pid "$server_pid" "$@" >"$work/load.json" 2>"$work/load.err" </dev/null &
    local pid=$!
    children+=("$pid")
    wait "$pid"
    local code=$?
    end_process "$pid"
    return "$code"
}

# Says which run it is; the plan counted them.
progress() {
    runs_done=$((runs_done + 1))
    tell "run $runs_done of $runs_planned: $*"
}

# What takes long, so that an interrupt need not wait for it.
run_child() {
    "$@" &
    local pid=$!
    children+=("$pid")
    wait "$pid"
    local code=$?
    end_process "$pid"
    return "$code"
}
