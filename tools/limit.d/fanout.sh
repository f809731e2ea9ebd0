# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# Fan-out: CPU time a delivery and latency at a given rate, and how many deliveries a second it can do, beside cbcast.

# The servers that have a bar in the scenario, of those that were asked for.
fanout_servers() {
    local server
    for server in $servers; do
        if is_search "$1"; then
            [ "$server" = inline ] || echo "$server"
        else
            grep -q "^$1 *$server " <<<"$fanout_bars" && echo "$server"
        fi
    done
}

is_search() { [[ $1 == F[23]* ]]; }

fanout_bar() { awk -v s="$1" -v p="$2" -v k="$3" '$1 == s && $2 == p && $3 == k { print $4; found = 1 } END { if (!found) print "–" }' <<<"$fanout_bars"; }

plan_fanout() {
    local name round server
    for name in "$@"; do
        for ((round = 1; round <= pairs; round++)); do
            for server in C $(fanout_servers "$name"); do echo "$name $round $server"; done
        done
    done
}

measure_fanout() {
    local name round server
    while read -r name round server <&3; do
        run_fanout "$name" "$round" "$server"
    done 3< <(plan_fanout "$@")
    paced_table "$@"
    capacity_table "$@"
}

run_fanout() {
    local name=$1 round=$2 server=$3 conns rooms load
    local options=() times=(--warmup "$warmup" --duration "$duration")
    read -r conns rooms load <<<"$(scenario_line fanout "$name")"
    progress "$name, round $round, $server"
    case $name in
        # Few and slow: it takes longer until the processor time is worth reading.
        F4) times=(--warmup 1 --duration "$(awk -v d="$duration" 'BEGIN { print 2 * d < 3.5 ? 3.5 : 2 * d }')") ;;
        F5) times=(--warmup 1 --duration "$(awk -v d="$duration" 'BEGIN { print 2 * d < 8 ? 8 : 2 * d }')") ;; # time to fill a bound of 256 KB
        F2* | F3) times=() ;;
    esac
    [ "$name" != F2-both ] || no_pin=1
    if [ "$server" = C ]; then
        options=(--rooms "$rooms" --flush batch)
        [ "$name" != F5 ] || options+=(--max-out 262144)
    else
        options=(--rooms "$rooms")
        [ "$name" != F5 ] || options+=(--PlayChat:Connections:MaxOutboundBytes=262144)
        [ "$name" != F1-5ms ] || options+=(--PlayChat:Rooms:FlushInterval=00:00:00.005)
    fi
    local mode=broadcast
    [ "$server" != C ] || mode=cbcast
    if start_one "$server" "$mode" "${options[@]}"; then
        # shellcheck disable=SC2086 # words, on purpose
        run_load bcastload --conns "$conns" --rooms "$rooms" $load "${times[@]}" || tell "bcastload: $(head -c 300 "$work/load.json")"
        end_process "$server_pid"
        if grep -q cpu_us_deliv "$work/load.json"; then
            record "$name" "$server" "$round"
        else
            failed_run "$name" "$server" "bcastload came to no result: $(head -1 "$work/load.err")" "$round"
        fi
    else
        failed_run "$name" "$server" "$(why_not_started)" "$round"
    fi
    no_pin=0
}

paced_table() {
    local name server any=0
    row scenario server 'CPU µs/delivery' '× C' range bar deliveries/s 'p50 ms' 'p99 ms' 'p99 bar, ms' 'p99 × C' 'p99 bar, × C' lost 'stalled closed' 'others, cores' 'peak MB' result
    for name in "$@"; do
        is_search "$name" && continue
        any=1
        for server in C $(fanout_servers "$name"); do paced_row "$name" "$server"; done
    done
    if [ "$any" = 0 ]; then
        rows=''
        return
    fi
    table 'Fan-out at a given rate, server on one core, load on the other'
    echo "Multiples of \`cbcast --flush batch\` in the same round. Lost: lost, doubled, reordered, broken or misrouted deliveries and readers closed. Others: cores that other processes used; above 0.1 the run is disturbed." | show
    echo | show
}

paced_row() {
    local name=$1 server=$2 cpu by_c p99 p99_by_c lost stalled runs expected=0
    cpu=$(stats "$name" "$server" cpu_us_deliv)
    by_c=$(multiples "$name" "$server" cpu_us_deliv)
    p99=$(stats "$name" "$server" p99_us)
    p99_by_c=$(multiples "$name" "$server" p99_us)
    lost=$(total "$name" "$server" 'lost dup reordered bad misrouted closed')
    stalled=$(total "$name" "$server" stalled_closed)
    runs=$(awk '{ print $4 + 0 }' <<<"$cpu")
    [ "$name" != F5 ] || expected=$((5 * ${runs:-0}))
    if [ "$server" != C ]; then
        check CPU "$(median "$by_c")" '<=' "$(fanout_bar "$name" "$server" cpu_multiple)"
        check p99 "$(form %.3f "$(median "$p99")" 1e-3)" '<=' "$(fanout_bar "$name" "$server" p99_ms)"
        check 'p99 × C' "$(median "$p99_by_c")" '<=' "$(fanout_bar "$name" "$server" p99_multiple)"
        check lost "$lost" '==' 0
        check 'stalled not closed' "$stalled" '==' "$expected"
    fi
    check_runs "$name" "$server"
    judge
    [ "$expected" -gt 0 ] && stalled+=" of $expected" || stalled='–'
    row "$name" "$server" "$(form %.2f "$(median "$cpu")")" "$(form %.2f "$(median "$by_c")")" "$(form_range %.2f "$by_c")" "$(fanout_bar "$name" "$server" cpu_multiple)" \
        "$(form '%.0f k' "$(median "$(stats "$name" "$server" deliv_s)")" 1e-3)" "$(form %.2f "$(median "$(stats "$name" "$server" p50_us)")" 1e-3)" \
        "$(form %.2f "$(median "$p99")" 1e-3)" "$(fanout_bar "$name" "$server" p99_ms)" "$(form %.2f "$(median "$p99_by_c")")" "$(fanout_bar "$name" "$server" p99_multiple)" \
        "$lost" "$stalled" "$(form %.2f "$(median "$(stats "$name" "$server" others_cpu)")")" "$(form %.0f "$(median "$(stats "$name" "$server" hwm_kb)")" 0.0009765625)" "$verdict"
}

capacity_table() {
    local name server any=0
    row scenario server 'M deliveries/s' range bar 'share of C' range 'its bar' 'CPU µs/delivery' 'p50 ms' 'p99 ms' 'peak MB' bar 'others, cores' result
    for name in "$@"; do
        is_search "$name" || continue
        any=1
        for server in C $(fanout_servers "$name"); do capacity_row "$name" "$server"; done
    done
    if [ "$any" = 0 ]; then
        rows=''
        return
    fi
    table 'Capacity: the rate raised until p99 exceeds 50 ms, something is lost or the load is late'
    echo "A bar is met by the deliveries/s, or by the share of what \`cbcast --flush batch\` does in the same round that the bar was of C's figure where it was set: the one depends on the machine, the other on how full the load is." | show
    echo | show
}

capacity_row() {
    local name=$1 server=$2 capacity share peak bar='–' share_bar='–' peak_bar='–'
    capacity=$(stats "$name" "$server" deliv_s)
    share=$(multiples "$name" "$server" deliv_s)
    peak=$(form %.0f "$(awk '{ print $3 }' <<<"$(stats "$name" "$server" hwm_kb)")" 0.0009765625)
    if [ "$server" != C ]; then
        read -r bar share_bar <<<"$(awk -v s="$name" -v p="$server" '$1 == s { bar = p == "linux" ? $3 : $2; printf "%s %.2f", bar, bar / $4 }' <<<"$capacity_bars")"
        if ! compare "$(form %.3f "$(median "$capacity")" 1e-6)" '>=' "$bar"; then
            check capacity "$(median "$share")" '>=' "$share_bar"
        fi
        peak_bar=$most_peak_mb
        check memory "$peak" '<=' "$peak_bar"
    fi
    check_runs "$name" "$server"
    judge
    [ "$verdict" != pass ] || [ "$server" = C ] || compare "$(form %.3f "$(median "$capacity")" 1e-6)" '>=' "$bar" || verdict='pass, by share'
    row "$name" "$server" "$(form %.2f "$(median "$capacity")" 1e-6)" "$(form_range %.2f "$capacity" 1e-6)" "$bar" "$(form %.2f "$(median "$share")")" "$(form_range %.2f "$share")" "$share_bar" \
        "$(form %.3f "$(median "$(stats "$name" "$server" cpu_us_deliv)")")" "$(form %.2f "$(median "$(stats "$name" "$server" p50_us)")" 1e-3)" "$(form %.2f "$(median "$(stats "$name" "$server" p99_us)")" 1e-3)" \
        "$peak" "$peak_bar" "$(form %.2f "$(median "$(stats "$name" "$server" others_cpu)")")" "$verdict"
}
