# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# TLS: CPU time a message and a handshake beside tlsecho and Kestrel. Run only where it is named, because it needs OpenSSL.

tls_servers() { echo "C $servers kestrel"; }

plan_tls() {
    local name round server
    for name in "$@"; do
        for ((round = 1; round <= pairs; round++)); do
            for server in $(tls_servers); do echo "$name $round $server"; done
        done
    done
}

# The C programs, a certificate that lives as long as the run, and the benchmark, of which Kestrel is a part.
build_tls() {
    local program
    command -v openssl >/dev/null || die "there is no openssl (Debian: apt-get install openssl libssl-dev), which tls needs."
    for program in tlsecho tlsload; do
        tell "building $program"
        # shellcheck disable=SC2086 # words, on purpose
        run_child "${CC:-cc}" ${CFLAGS:--O2 -march=native -std=gnu11} -o "$work/$program" "$root/bench/native/$program.c" -lssl -lcrypto 2>"$work/cc.log" ||
            { cat "$work/cc.log" >&2; die "bench/native/$program.c does not build (Debian: apt-get install libssl-dev)."; }
    done
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout "$work/k.pem" -out "$work/c.pem" 2>"$work/openssl.log" ||
        { cat "$work/openssl.log" >&2; die 'openssl makes no certificate.'; }
    if [ "$build" = 1 ]; then
        tell "building bench/PlayChat.Benchmark"
        run_child dotnet build "$root/bench/PlayChat.Benchmark" -c Release -v quiet >"$work/build.log" 2>&1 </dev/null ||
            { grep -E 'error|warn' "$work/build.log" | sort -u | head -20 >&2; die "bench/PlayChat.Benchmark does not build."; }
    fi
    benchmark_file=$root/bench/PlayChat.Benchmark/bin/Release/net8.0/PlayChat.Benchmark
    [ -x "$benchmark_file" ] || die "there is no benchmark $benchmark_file."
}

start_tls() {
    case $1 in
        C) start_server "$work/tlsecho" --cert "$work/c.pem" --key "$work/k.pem" ;;
        # The runtime settings of a server: those of the benchmark are for a load.
        kestrel)
            start_server env DOTNET_TieredCompilation=1 DOTNET_gcConcurrent=1 "$benchmark_file" serve --baseline kestrel --mode echo \
                --certificate "$work/c.pem" --key "$work/k.pem"
            ;;
        *)
            start_one "$1" echo "--PlayChat:Endpoints:0:Tls:CertificatePath=$work/c.pem" "--PlayChat:Endpoints:0:Tls:KeyPath=$work/k.pem"
            ;;
    esac
}

measure_tls() {
    local name round server
    build_tls
    while read -r name round server <&3; do
        run_tls "$name" "$round" "$server"
    done 3< <(plan_tls "$@")
    row scenario server 'CPU µs' '× C' range '/s' range 'p50 ms' 'p99 ms' 'cores server/load' 'peak MB' result
    for name in "$@"; do
        for server in $(tls_servers); do tls_row "$name" "$server"; done
    done
    table 'Echo over TLS 1.3, RSA-2048, length(4)+body, server on one core, load on the other'
    echo "CPU time of the server a message, in THS and TRS a handshake with one message, as a multiple of \`tlsecho\` in the same round." | show
    echo | show
}

run_tls() {
    local name=$1 round=$2 server=$3 conns load
    read -r conns load <<<"$(scenario_line tls "$name")"
    progress "$name, round $round, $server"
    if ! start_tls "$server"; then
        failed_run "$name" "$server" "$(why_not_started)" "$round"
        return
    fi
    # shellcheck disable=SC2086 # words, on purpose
    run_load tlsload --conns "$conns" $load --warmup "$warmup" --duration "$duration" || tell "tlsload: $(head -c 300 "$work/load.err" "$work/load.json")"
    end_process "$server_pid"
    if grep -qE 'cpu_us_(msg|hs)' "$work/load.json"; then
        # A handshake is counted as a message is.
        sed -i 's/cpu_us_hs/cpu_us_msg/; s/"hs_s"/"msg_s"/' "$work/load.json"
        record "$name" "$server" "$round"
    else
        failed_run "$name" "$server" 'tlsload came to no result' "$round"
    fi
}

tls_row() {
    local name=$1 server=$2 by_c cpu rate
    cpu=$(stats "$name" "$server" cpu_us_msg)
    by_c=$(multiples "$name" "$server" cpu_us_msg)
    rate=$(stats "$name" "$server" msg_s)
    check errors "$(total "$name" "$server" 'errors closed connect_failures incomplete')" '==' 0
    check_runs "$name" "$server"
    judge
    row "$name" "$server" "$(form %.3f "$(median "$cpu")")" "$(form %.2f "$(median "$by_c")")" "$(form_range %.2f "$by_c")" \
        "$(form_rate "$(median "$rate")")" "$(form_rate "$(awk '{ print $2 }' <<<"$rate")")–$(form_rate "$(awk '{ print $3 }' <<<"$rate")")" \
        "$(form %.2f "$(median "$(stats "$name" "$server" p50_us)")" 1e-3)" "$(form %.2f "$(median "$(stats "$name" "$server" p99_us)")" 1e-3)" \
        "$(form %.2f "$(median "$(stats "$name" "$server" server_cpu)")")/$(form %.2f "$(median "$(stats "$name" "$server" client_cpu)")")" \
        "$(form %.0f "$(median "$(stats "$name" "$server" hwm_kb)")" 0.0009765625)" "$verdict"
}
