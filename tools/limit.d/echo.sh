# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# Echo: CPU time a message beside cecho --framed, and how evenly the connections are served.

plan_echo() {
    local name round server
    for name in "$@"; do
        for ((round = 1; round <= pairs; round++)); do
            for server in C $servers; do echo "$name $round $server"; done
        done
    done
}

measure_echo() {
    local name round server
    while read -r name round server <&3; do
        run_echo "$name" "$round" "$server"
    done 3< <(plan_echo "$@")
    row scenario server 'CPU µs/msg' '× C' range bar msg/s range 'p50 ms' 'p99 ms' 'p99/p50' 'msgs max/min' 'cores server/load' 'peak MB' result
    for name in "$@"; do
        for server in C $servers; do echo_row "$name" "$server"; done
    done
    table 'Echo, length(4)+body, server on one core, load on the other'
    echo "CPU time of the server a message, as a multiple of \`cecho --framed\` in the same round. Fairness, where more than one is in flight: p99/p50 at most $most_p99_by_p50, messages of the best by the worst served connection at most $most_messages_max_by_min." | show
    echo | show
}

run_echo() {
    local name=$1 round=$2 server=$3 conns load
    read -r conns load <<<"$(scenario_line echo "$name")"
    load=${load% * * *} # without the bars
    progress "$name, round $round, $server"
    local mode=echo
    local options=()
    [ "$server" != C ] || { mode=cecho && options=(--framed); }
    if ! start_one "$server" "$mode" "${options[@]}"; then
        failed_run "$name" "$server" "$(why_not_started)" "$round"
        return
    fi
    # shellcheck disable=SC2086 # words, on purpose
    run_load loadgen --conns "$conns" $load --warmup "$warmup" --duration "$duration" || tell "loadgen: $(head -c 300 "$work/load.err" "$work/load.json")"
    end_process "$server_pid"
    if grep -q cpu_us_msg "$work/load.json"; then
        record "$name" "$server" "$round"
    else
        failed_run "$name" "$server" 'loadgen came to no result' "$round"
    fi
}

echo_row() {
    local name=$1 server=$2 bar='–' by_c cpu rate p50 p99 even spread_of load
    cpu=$(stats "$name" "$server" cpu_us_msg)
    by_c=$(multiples "$name" "$server" cpu_us_msg)
    rate=$(stats "$name" "$server" msg_s)
    p50=$(stats "$name" "$server" p50_us)
    p99=$(stats "$name" "$server" p99_us)
    even=$(quotients "$name" "$server" p99_us p50_us)
    spread_of=$(quotients "$name" "$server" conn_msgs_max conn_msgs_min)
    if [ "$server" != C ]; then
        bar=$(scenario_line echo "$name" | awk -v s="$server" '{ print $(NF - (s == "default" ? 2 : s == "inline" ? 1 : 0)) }')
        check CPU "$(median "$by_c")" '<=' "$bar"
        load=$(scenario_line echo "$name")
        if [[ "$load " != *"--inflight 1 "* ]]; then
            check 'p99/p50' "$(median "$even")" '<=' "$most_p99_by_p50"
            check 'max/min' "$(median "$spread_of")" '<=' "$most_messages_max_by_min"
        fi
        check errors "$(total "$name" "$server" 'errors closed connect_failures incomplete')" '==' 0
    fi
    check_runs "$name" "$server"
    judge
    row "$name" "$server" "$(form %.4f "$(median "$cpu")")" "$(form %.2f "$(median "$by_c")")" "$(form_range %.2f "$by_c")" "$bar" \
        "$(form_rate "$(median "$rate")")" "$(form_rate "$(awk '{ print $2 }' <<<"$rate")")–$(form_rate "$(awk '{ print $3 }' <<<"$rate")")" "$(form %.2f "$(median "$p50")" 1e-3)" "$(form %.2f "$(median "$p99")" 1e-3)" \
        "$(form %.1f "$(median "$even")")" "$(form %.1f "$(median "$spread_of")")" \
        "$(form %.2f "$(median "$(stats "$name" "$server" server_cpu)")")/$(form %.2f "$(median "$(stats "$name" "$server" client_cpu)")")" \
        "$(form %.0f "$(median "$(stats "$name" "$server" hwm_kb)")" 0.0009765625)" "$verdict"
}
