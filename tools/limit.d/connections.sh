# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# Connections: memory, accepting, idle load; and of the whole server: start, system calls a batch, collections.

rounds_of() {
    case $1 in
        idle) echo $((pairs < 3 ? pairs : 3)) ;; # memory varies little
        storm | ready) echo "$pairs" ;;
        *) echo 1 ;; # long, or exact
    esac
}

plan_connections() {
    local name round server beside
    for name in "$@"; do
        beside='C '
        [[ $name == ready || $name == gc ]] && beside=''
        for ((round = 1; round <= $(rounds_of "$name"); round++)); do
            for server in $beside$servers; do echo "$name $round $server"; done
        done
    done
}

measure_connections() {
    local name round server
    while read -r name round server <&3; do
        progress "$name, round $round, $server"
        run_connections "$name" "$round" "$server"
    done 3< <(plan_connections "$@")
    row what server figure range 'by C' bar also result
    for name in "$@"; do
        for server in C $servers; do
            # shellcheck disable=SC2086 # words, on purpose
            if [ -n "$(awk -v s="$name" -v p="$server" '$1 == s && $2 == p' "$work/figures")" ]; then "${name}_row" "$server"; fi
        done
    done
    table 'Connections, start, system calls, collections'
}

run_connections() {
    local name=$1 round=$2 server=$3 mode=echo options=() load=()
    [ "$server" != C ] || { mode=cecho && options=(--framed); }
    case $name in
        idle) load=(--conns 10000 --idle 5 --sources 8) ;;
        storm) load=(--conns 5000 --idle 1) ;;
        trickle) load=(--conns 3000 --size 50 --rate 0.1 --warmup 5 --duration "$([ "$quick" = 1 ] && echo 10 || echo 30)") ;;
        gc) options+=("--Kpi:JsonFile=$work/kpi.jsonl" --Kpi:Interval=00:00:01) ;;
    esac
    rm -f "$work/kpi.jsonl"
    if [ "$name" = ready ]; then
        no_pin=1 # as everybody starts it
    fi
    if start_one "$server" "$mode" "${options[@]}"; then
        case $name in
            ready) record_one "$name" "$server" "$round" ready_ms "$ready_ms" ;;
            syscalls) run_strace "$server" "$round" ;;
            gc) run_gc "$server" "$round" ;;
            *)
                run_load loadgen "${load[@]}" || tell "loadgen: $(head -c 300 "$work/load.err" "$work/load.json")"
                record "$name" "$server" "$round"
                ;;
        esac
        end_process "$server_pid"
    else
        failed_run "$name" "$server" "$(why_not_started)" "$round"
    fi
    if [ "$name" = ready ]; then
        run_ready_chat "$server" "$round"
        no_pin=0
    fi
}

idle_row() {
    local kb bar='–'
    kb=$(stats idle "$1" kb_per_conn)
    if [ "$1" != C ]; then
        bar=$(awk -v s="$1" '{ for (i = 1; i < NF; i += 2) if ($i == s) print $(i + 1) }' <<<"$idle_kb")
        check memory "$(median "$kb")" '<=' "$bar"
        check errors "$(total idle "$1" 'errors connect_failures')" '==' 0
    fi
    check_runs idle "$1"
    judge
    row '10,000 idle: KB a connection' "$1" "$(form %.2f "$(median "$kb")")" "$(form_range %.2f "$kb")" '–' "$bar" "$(form %.0f "$(median "$(stats idle "$1" rss_after_kb)")" 0.0009765625) MB in all" "$verdict"
}

storm_row() {
    local s by_c bar='–'
    s=$(stats storm "$1" all_echoed_s)
    by_c=$(multiples storm "$1" all_echoed_s)
    if [ "$1" != C ]; then
        bar="$most_storm_multiple × C"
        check time "$(median "$by_c")" '<=' "$most_storm_multiple"
        check errors "$(total storm "$1" 'errors connect_failures')" '==' 0
    fi
    check_runs storm "$1"
    judge
    row '5,000 at once: s until all echoed' "$1" "$(form %.3f "$(median "$s")")" "$(form_range %.3f "$s")" "$(form %.2f "$(median "$by_c")")" "$bar" "all connected $(form %.3f "$(median "$(stats storm "$1" connect_s)")") s" "$verdict"
}

trickle_row() {
    local cores bar='–'
    cores=$(stats trickle "$1" server_cpu)
    if [ "$1" != C ]; then
        bar=$(form 'under %.0f %%' "$most_trickle_cores" 100)
        check CPU "$(median "$cores")" '<' "$most_trickle_cores"
        check errors "$(total trickle "$1" 'errors closed connect_failures incomplete')" '==' 0
    fi
    check_runs trickle "$1"
    judge
    row '3,000 at 50 B each 10 s: % of a core' "$1" "$(form %.1f "$(median "$cores")" 100)" '–' '–' "$bar" "p99 $(form %.2f "$(median "$(stats trickle "$1" p99_us)")" 1e-3) ms" "$verdict"
}

# The chat server, too: with its database, which it makes in an empty folder.
run_ready_chat() {
    local server=$1 round=$2 folder=$work/chat
    rm -rf "$folder"
    mkdir "$folder"
    if start_one "$server" chat "--Storage:Path=$folder/chat.db"; then
        record_one ready "$server" "$round" chat_ready_ms "$ready_ms"
        end_process "$server_pid"
    else
        failed_run ready "$server" "chat mode: $(why_not_started)" "$round"
    fi
}

ready_row() {
    local echo_ms chat_ms
    echo_ms=$(stats ready "$1" ready_ms)
    chat_ms=$(stats ready "$1" chat_ready_ms)
    check 'echo mode' "$(median "$echo_ms")" '<=' "$most_ready_ms"
    check 'chat mode' "$(median "$chat_ms")" '<=' "$most_ready_ms"
    check_runs ready "$1"
    judge
    row 'start to listening: ms' "$1" "$(form %.0f "$(median "$echo_ms")")" "$(form_range %.0f "$echo_ms")" '–' "$most_ready_ms" "chat with a new database $(form %.0f "$(median "$chat_ms")") ($(form_range %.0f "$chat_ms"))" "$verdict"
}

# E1 runs; strace counts 2 s of it.
run_strace() {
    local server=$1 round=$2 load strace_pid
    if ! command -v strace >/dev/null; then
        unavailable[strace]="there is no strace (Debian: apt-get install strace)."
        return
    fi
    timeout -k 5 60 taskset -c "$load_core" "$work/loadgen" --port "$server_port" --conns 1000 --size 64 --inflight 30 --warmup 1 --duration 5 >"$work/load.json" 2>&1 </dev/null &
    load=$!
    children+=("$load")
    sleep 1.5
    strace -f -c -p "$server_pid" -o "$work/strace" 2>"$work/strace.err" &
    strace_pid=$!
    children+=("$strace_pid")
    sleep 2
    end_process "$strace_pid" # it writes its counts when asked to end
    end_process "$load"
    # calls and errors of a name; the columns are: % time, seconds, usecs/call, calls, [errors,] name
    awk -v key="syscalls $server $round" '
        $1 !~ /^[0-9.]+$/ || $NF == "total" { next }
        { calls = $4; failed = NF > 5 ? $5 : 0 }
        $NF ~ /^(recv|recvfrom|recvmsg|read)$/ { receives += calls; empty += failed; next }
        $NF ~ /^(send|sendto|sendmsg|write|writev)$/ { sends += calls; next }
        { others += calls; if (calls > most) { most = calls; name = $NF } }
        END {
            if (receives - empty < 100) exit
            batches = receives - empty
            print key, "receives", receives / batches
            print key, "sends", sends / batches
            print key, "others", others / batches
            print key, "batches", batches
        }' "$work/strace" >>"$work/figures" 2>/dev/null
    [ -n "$(stats syscalls "$server" batches)" ] || { unavailable[strace]=$(head -1 "$work/strace.err"); tell "strace: ${unavailable[strace]}"; }
}

syscalls_row() {
    local receives sends bar='–'
    receives=$(form %.2f "$(median "$(stats syscalls "$1" receives)")")
    sends=$(form %.2f "$(median "$(stats syscalls "$1" sends)")")
    if [ "$1" != C ]; then
        bar="$most_calls_a_batch each"
        check receives "$receives" '<=' "$most_calls_a_batch"
        check sends "$sends" '<=' "$most_calls_a_batch"
    fi
    judge
    row 'E1 under strace: receives + sends a batch' "$1" "$receives + $sends" '–' '–' "$bar" "others $(form %.2f "$(median "$(stats syscalls "$1" others)")") a batch, $(form %.0f "$(median "$(stats syscalls "$1" batches)")") batches" "$verdict"
}

# A batch is a receive that brought something. What is counted are the server's own figures, of which it writes a line a second: the last 10 before the load ends.
run_gc() {
    local server=$1 round=$2 lines
    run_load loadgen --conns 1000 --size 64 --inflight 30 --warmup 4 --duration 10 || tell "loadgen: $(head -c 300 "$work/load.json")"
    lines=$(wc -l <"$work/kpi.jsonl")
    head -n "$lines" "$work/kpi.jsonl" | tail -n 11 | awk -v key="gc $server $round" '
        function number(name) { return match($0, "\"" name "\":[0-9.]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0 : 0 }
        NR == 1 { at = number("uptime_s"); gc0 = number("gc0"); bytes = number("allocated_bytes"); frames = number("frames_received") }
        END {
            if (NR < 11 || number("frames_received") <= frames) exit
            print key, "gc0", number("gc0") - gc0
            print key, "seconds", number("uptime_s") - at
            print key, "bytes", (number("allocated_bytes") - bytes) / (number("frames_received") - frames)
            print key, "bytes_s", (number("allocated_bytes") - bytes) / (number("uptime_s") - at)
        }' >>"$work/figures"
    [ -n "$(stats gc "$server" gc0)" ] || failed_run gc "$server" 'the server wrote no figures' "$round"
}

gc_row() {
    local gc0
    gc0=$(median "$(stats gc "$1" gc0)")
    check collections "$gc0" '==' 0
    check_runs gc "$1"
    judge
    row 'E1 for 10 s: collections' "$1" "$(form %d "$gc0")" '–' '–' 0 "$(form %.3f "$(median "$(stats gc "$1" bytes)")") B a message, $(form %.0f "$(median "$(stats gc "$1" bytes_s)")" 0.0009765625) KB/s" "$verdict"
}
