# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# WebSocket: the same loads as over TCP, beside C over TCP, the server's own TCP, and MapPlayChat on Kestrel.

web=(--PlayChat:Endpoints:0:WebSocket:Enabled=true)

# Two forms of each server, so that a frame over WebSocket is compared with the same frame over TCP; inline is left out.
ws_servers() {
    local server
    case $1 in
        Wready) ;;
        *) echo C ;;
    esac
    for server in $servers; do
        [ "$server" = inline ] || echo "$server-tcp $server"
    done
    [ "$1" = Wready ] || echo mapped
}

ws_bar() { awk -v s="$1" -v p="$2" -v k="$3" '$1 == s && $2 == p && $3 == k { print $4; found = 1 } END { if (!found) print "–" }' <<<"$ws_bars"; }

plan_ws() {
    local name round server
    for name in "$@"; do
        for ((round = 1; round <= $(ws_rounds "$name"); round++)); do
            for server in $(ws_servers "$name"); do echo "$name $round $server"; done
        done
    done
}

ws_rounds() { if [[ $1 == Widle* ]]; then echo $((pairs < 3 ? pairs : 3)); else echo "$pairs"; fi; } # memory varies little

# The benchmark hosts MapPlayChat; its runtime settings are those of a server here.
build_ws() {
    if [ "$build" = 1 ]; then
        tell "building bench/PlayChat.Benchmark"
        run_child dotnet build "$root/bench/PlayChat.Benchmark" -c Release -v quiet >"$work/build.log" 2>&1 </dev/null ||
            { grep -E 'error|warn' "$work/build.log" | sort -u | head -20 >&2; die "bench/PlayChat.Benchmark does not build."; }
    fi
    benchmark_file=$root/bench/PlayChat.Benchmark/bin/Release/net8.0/PlayChat.Benchmark
    [ -x "$benchmark_file" ] || die "there is no benchmark $benchmark_file."
}

start_ws() {
    local server=$1 mode=$2 options=() mapped=()
    case $3 in
        W[F]*) options=(--rooms 10) mapped=(--rooms 10) ;;
    esac
    if [[ $3 == *-5ms ]]; then
        options+=(--PlayChat:Rooms:FlushInterval=00:00:00.005) mapped+=(--flush-ms 5)
    fi
    case $server in
        C) if [ "$mode" = echo ]; then start_one C cecho --framed; else start_one C cbcast --rooms 10 --flush batch; fi ;;
        mapped)
            start_server env DOTNET_TieredCompilation=1 DOTNET_gcConcurrent=1 \
                "$benchmark_file" mapped --mode "$mode" "${mapped[@]}"
            ;;
        *-tcp) start_one "${server%-tcp}" "$mode" "${options[@]}" ;;
        *) start_one "$server" "$mode" "${options[@]}" "${web[@]}" ;;
    esac
}

measure_ws() {
    local name round server what
    build_ws
    while read -r name round server <&3; do
        progress "$name, round $round, $server"
        run_ws "$name" "$round" "$server"
    done 3< <(plan_ws "$@")
    row scenario server 'CPU µs' '× C' range 'of its TCP' '/s' 'p50 ms' 'p99 ms' 'msgs max/min' 'cores server/load' 'peak MB' bars result
    for name in "$@"; do
        case $name in
            Widle* | Wready) ;;
            *) for server in $(ws_servers "$name"); do ws_row "$name" "$server"; done ;;
        esac
    done
    table 'WebSocket: messages (W1, W4) and deliveries (WF…), server on one core, load on the other'
    echo "C and the rows with -tcp are over TCP. One WebSocket message from the client holds one frame. \`mapped\` is MapPlayChat on Kestrel." | show
    echo | show
    row what server figure range bar result
    for name in "$@"; do
        case $name in
            Widle*)
                what='5,000 idle, warm server: KB a connection'
                [ "$name" = Widle ] || what='5,000 idle, just started: KB a connection'
                for server in $(ws_servers "$name"); do ws_figure_row "$name" "$server" "$what" kb_per_conn %.2f; done
                ;;
            Wready) for server in $(ws_servers "$name"); do ws_figure_row "$name" "$server" 'start to listening: ms' ready_ms %.0f; done ;;
        esac
    done
    table 'WebSocket: memory and start'
}

run_ws() {
    local name=$1 round=$2 server=$3 line load mode=echo program=loadgen ws=()
    [[ $name == WF* ]] && mode=broadcast program=bcastload
    [[ $server == C || $server == *-tcp ]] || ws=(--ws)
    read -r line load <<<"$(scenario_line ws "$name")"
    case $name in
        Widle*) load='--idle 5' ;;
        Wready) no_pin=1 ;;
        *) load+=" --warmup $warmup --duration $duration" ;;
    esac
    if ! start_ws "$server" "$mode" "$name"; then
        failed_run "$name" "$server" "$(why_not_started)" "$round"
    elif [ "$name" = Wready ]; then
        record_one "$name" "$server" "$round" ready_ms "$ready_ms"
        end_process "$server_pid"
    else
        [ "$name" != Widle ] || warm_ws "${ws[@]}"
        # shellcheck disable=SC2086 # words, on purpose
        run_load "$program" --conns "$line" $load "${ws[@]}" || tell "$program: $(head -c 300 "$work/load.err" "$work/load.json")"
        end_process "$server_pid"
        if grep -qE 'cpu_us_|kb_per_conn' "$work/load.json"; then
            # A delivery is counted as a message is.
            sed -i 's/cpu_us_deliv/cpu_us_msg/; s/"deliv_s"/"msg_s"/' "$work/load.json"
            record "$name" "$server" "$round"
        else
            failed_run "$name" "$server" "$program came to no result" "$round"
        fi
    fi
    no_pin=0
}

# 1,000 connections come, echo once and go, and the server rests: the runtime has then taken what it takes for itself.
warm_ws() {
    run_load loadgen --conns 1000 --idle 2 "$@" || tell "loadgen: $(head -c 300 "$work/load.err" "$work/load.json")"
    settle
}

# Until the server has rested for a second: the runtime compiles on after a load has ended. 30 s at most.
settle() {
    local before now i
    for ((i = 0; i < 30; i++)); do
        before=$(cpu_ticks) && sleep 1 && now=$(cpu_ticks)
        [ $((now - before)) -gt 2 ] || return 0
    done
}

cpu_ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$server_pid/stat"; }

ws_row() {
    local name=$1 server=$2 cpu by_c by_tcp='' p99 even='' bars='' key bar
    cpu=$(stats "$name" "$server" cpu_us_msg)
    by_c=$(multiples "$name" "$server" cpu_us_msg)
    p99=$(stats "$name" "$server" p99_us)
    [[ $name == WF* ]] || even=$(quotients "$name" "$server" conn_msgs_max conn_msgs_min)
    if grep -q "^$name $server-tcp " "$work/figures"; then
        by_tcp=$(awk -v s="$name" -v a="$server" -v b="$server-tcp" '
            $1 == s && $4 == "cpu_us_msg" && $2 == a { x[$3] = $5 }
            $1 == s && $4 == "cpu_us_msg" && $2 == b { y[$3] = $5 }
            END { for (r in x) if (y[r] > 0) print x[r] / y[r] }' "$work/figures" | spread)
    fi
    for key in cpu_us of_tcp p99_ms even; do
        bar=$(ws_bar "$name" "$server" "$key")
        [ "$bar" != '–' ] || continue
        bars+="${bars:+, }$key $bar"
        case $key in
            cpu_us) check CPU "$(median "$cpu")" '<=' "$bar" ;;
            of_tcp) check 'of its TCP' "$(median "$by_tcp")" '<=' "$bar" ;;
            p99_ms) check p99 "$(form %.3f "$(median "$p99")" 1e-3)" '<=' "$bar" ;;
            even) check 'max/min' "$(median "$even")" '<=' "$bar" ;;
        esac
    done
    [ "$server" = C ] || check errors "$(total "$name" "$server" 'errors closed connect_failures incomplete lost dup reordered bad misrouted')" '==' 0
    check_runs "$name" "$server"
    judge
    row "$name" "$server" "$(form %.4f "$(median "$cpu")")" "$(form %.2f "$(median "$by_c")")" "$(form_range %.2f "$by_c")" \
        "$(form %.2f "$(median "$by_tcp")")" "$(form_rate "$(median "$(stats "$name" "$server" msg_s)")")" \
        "$(form %.2f "$(median "$(stats "$name" "$server" p50_us)")" 1e-3)" "$(form %.2f "$(median "$p99")" 1e-3)" "$(form %.2f "$(median "$even")")" \
        "$(form %.2f "$(median "$(stats "$name" "$server" server_cpu)")")/$(form %.2f "$(median "$(stats "$name" "$server" client_cpu)")")" \
        "$(form %.0f "$(median "$(stats "$name" "$server" hwm_kb)")" 0.0009765625)" "${bars:-–}" "$verdict"
}

ws_figure_row() {
    local name=$1 server=$2 figure bar
    figure=$(stats "$name" "$server" "$4")
    bar=$(ws_bar "$name" "$server" "$4")
    [ "$server" = C ] || check "$4" "$(median "$figure")" '<=' "$bar"
    check_runs "$name" "$server"
    judge
    row "$3" "$server" "$(form "$5" "$(median "$figure")")" "$(form_range "$5" "$figure")" "$bar" "$verdict"
}
