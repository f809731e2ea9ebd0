# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# What the machine must have, and what is built before the first run.

check_machine() {
    local tool
    [ "$(uname -s)" = Linux ] || die "it needs Linux: the C servers are made of epoll."
    for tool in taskset awk timeout; do
        command -v "$tool" >/dev/null || die "there is no $tool (Debian: apt-get install util-linux mawk coreutils)."
    done
    [ -n "$server_file" ] || command -v dotnet >/dev/null || die "there is no dotnet: the .NET SDK builds the server."
    choose_cores
    check_files
    check_ports
}

# The first two cores that this process may use: one for the load, one for the server.
choose_cores() {
    local list
    list=$(taskset -cp $$ | sed 's/.*: //' | awk -F, '{ for (i = 1; i <= NF; i++) { n = split($i, r, "-"); for (c = r[1]; c <= (n > 1 ? r[2] : r[1]); c++) print c } }')
    [ "$(wc -l <<<"$list")" -ge 2 ] || die "it needs 2 cores, one for the server and one for the load; this machine gives it 1."
    load_core=$(sed -n 1p <<<"$list")
    server_core=$(sed -n 2p <<<"$list")
}

most_connections() {
    local name most=1000 count
    for name in $scenarios; do
        case $name in
            idle) count=10000 ;;
            Widle) count=5000 ;;
            storm) count=5000 ;;
            trickle) count=3000 ;;
            E*) count=$(scenario_line echo "$name" | awk '{ print $1 }') ;;
            *) count=1000 ;;
        esac
        [ "$count" -le "$most" ] || most=$count
    done
    echo "$most"
}

check_files() {
    local needed hard
    needed=$(($(most_connections) + 300))
    hard=$(ulimit -Hn)
    ulimit -Sn "$hard" 2>/dev/null
    [ "$(ulimit -Sn)" = unlimited ] || [ "$(ulimit -Sn)" -ge "$needed" ] ||
        die "only $(ulimit -Sn) files may be open, it needs $needed: run 'ulimit -n $needed' as root first, or leave out the scenarios with so many connections."
}

# Ports on the way out: 5,000 from one address, 10,000 from eight; those of the runs of the last minute are not free yet.
check_ports() {
    local low high count most needed
    read -r low high </proc/sys/net/ipv4/ip_local_port_range
    count=$((high - low + 1))
    most=$(most_connections)
    if [ "$most" -gt 5000 ]; then needed=$((most)); else needed=$((most + 1000)); fi
    [ "$count" -ge "$needed" ] ||
        die "ports $low to $high are $count, too few for $most connections: run 'sysctl -w net.ipv4.ip_local_port_range=\"32768 60999\"' as root first."
    first_port=10240 last_port=$((low - 1)) # servers listen outside of that range
    [ "$last_port" -gt $((first_port + 2000)) ] || { first_port=$((high + 1)) last_port=65500; }
    [ "$last_port" -gt $((first_port + 500)) ] || die "the port range $low to $high leaves no ports for the servers to listen on."
}

build_peers() {
    local sources=$root/bench/native program flags
    # shellcheck disable=SC2206 # words, on purpose
    flags=(${CFLAGS:--O2 -march=native -std=gnu11})
    command -v "${CC:-cc}" >/dev/null || die "there is no C compiler '${CC:-cc}' (Debian: apt-get install gcc libc6-dev); CC names another."
    for program in cecho cbcast loadgen bcastload; do
        tell "building $program"
        run_child "${CC:-cc}" "${flags[@]}" -o "$work/$program" "$sources/$program.c" 2>"$work/cc.log" ||
            { cat "$work/cc.log" >&2; die "$sources/$program.c does not build."; }
    done
}

build_server() {
    if [ -z "$server_file" ]; then
        server_file=$root/src/PlayChat.Server/bin/Release/net8.0/PlayChat.Server
    fi
    if [ "$build" = 1 ]; then
        tell "building src/PlayChat.Server"
        run_child dotnet build "$root/src/PlayChat.Server" -c Release -v quiet >"$work/build.log" 2>&1 </dev/null ||
            { grep -E 'error|warn' "$work/build.log" | sort -u | head -20 >&2; die "src/PlayChat.Server does not build."; }
    fi
    [ -x "$server_file" ] || die "there is no server $server_file."
    server_file=$(realpath "$server_file")
}

describe() {
    local processor runtime
    processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
    runtime=$(sed -n 's/.*"version": "\([^"]*\)".*/\1/p' "${server_file}.runtimeconfig.json" 2>/dev/null | head -1)
    echo "\`$command_line\`, $(date -u +%F), $(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo 'no commit')."
    echo "$(nproc) cores of ${processor:-an unknown processor}, Linux $(uname -r), ${CC:-cc} $("${CC:-cc}" -dumpversion) ${CFLAGS:--O2 -march=native -std=gnu11}, server for .NET ${runtime:-of its own};"
    echo "server on core $server_core, load on core $load_core, rounds $pairs, $warmup s warm-up, $duration s measured. Medians of the rounds; multiples are by C in the same round."
    echo
}
