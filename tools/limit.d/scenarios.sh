# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# What there is to measure, and the bars. A dash is no bar; a server without any bar in a scenario is not run in it.

# name, connections, load (loadgen), bar of the CPU multiple: default, inline, linux; fairness counts where more is in flight than one
echo_scenarios='
E1      1000  --size 64 --inflight 30                  1.9 1.4 1.15
E2      1000  --size 8 --inflight 200                  2.2 1.6 1.2
E4      50    --size 64 --inflight 1                   2.1 1.2 1.15
E256    1000  --size 256 --inflight 30                 2.4 1.9 1.65
E1K     1000  --size 1024 --inflight 30                2.4 1.9 1.65
E4K     1000  --size 4096 --inflight 30                2.4 1.9 1.65
E64K    1000  --size 65536 --inflight 4                2.4 1.9 1.65
E9000   9000  --size 1024 --inflight 30 --sources 8    2.4 1.9 1.65
'
most_p99_by_p50=4
most_messages_max_by_min=3

mix='64:80,256:18,1500:2'
# name, connections, rooms, load (bcastload)
fanout_scenarios="
F1      500   10  --rate 10 --mix $mix
F1-5ms  500   10  --rate 10 --mix $mix
F2      500   10  --rate 20 --mix $mix --search 50 --step-s 1.2
F2-both 500   10  --rate 20 --mix $mix --search 50 --step-s 1.2
F3      200   1   --rate 10 --size 64 --search 50 --step-s 1.2
F4      1000  1   --rate 0.02 --size 64
F5      500   10  --rate 5 --size 3000 --stalled 5
"
# scenario, server, what, the most it may be; multiples are those of cbcast --flush batch in the same round
fanout_bars='
F1      default cpu_multiple 1.15
F1      default p99_multiple 1.5
F1      linux   cpu_multiple 1.03
F1      linux   p99_multiple 1.1
F1-5ms  default cpu_multiple 0.75
F1-5ms  inline  cpu_multiple 0.52
F1-5ms  inline  p99_ms       10
F1-5ms  linux   cpu_multiple 0.48
F4      default cpu_multiple 1.3
F4      default p99_multiple 1.3
F4      linux   cpu_multiple 1.3
F4      linux   p99_multiple 1.3
F5      default p99_ms       10
F5      linux   p99_ms       10
'
# scenario, million deliveries/s at least: default, linux; what cbcast reached where these were set. The same share of its own figure will do, too.
capacity_bars='
F2      6.0  8.0  9.9
F2-both 4.5  7.0  9.1
F3      16.0 22.0 22.8
'
most_peak_mb=200 # after F2 and F3

connection_scenarios='
idle     10000 connections that echoed once and are silent: memory of one
storm    5000 connections at one instant: until all had their first echo, by that of cecho
trickle  3000 connections that send 50 B every 10 s: part of a core
ready    from the start of the process to listening
syscalls receives and sends a batch in E1, by strace
gc       collections in 10 s of E1
'
idle_kb='default 3 inline 3 linux 1.5'
most_storm_multiple=2
most_trickle_cores=0.01
most_ready_ms=600
most_calls_a_batch=1.1

# name, connections, load (tlsload)
tls_scenarios='
T1      1000  --size 64 --inflight 30
T4      50    --size 64 --inflight 1
T16K    200   --size 16384 --inflight 4
THS     16    --handshakes
TRS     16    --handshakes --resume
'

# name, connections, load (loadgen or bcastload); rooms are ten
ws_scenarios='
W1      1000  --size 64 --inflight 30
W4      50    --size 64 --inflight 1
WF1     500   --rooms 10 --rate 10 --size 64
WF1-5ms 500   --rooms 10 --rate 10 --size 64
WF1M    500   --rooms 10 --rate 40 --size 64
WF1M-5ms 500  --rooms 10 --rate 40 --size 64
Widle   5000  that echoed once and are silent, after 1,000 others have gone: memory of one
Widle-cold 5000  the same of a server that has just started
Wready  from the start of the process to listening, with and without WebSocket
'
# scenario, server, what, the most it may be; of_tcp is the multiple of the same server over TCP in the same round
ws_bars='
W1      default cpu_us 0.32
W1      default of_tcp 1.25
W1      default even   1.2
W1      linux   cpu_us 0.25
W1      linux   of_tcp 1.25
W1      linux   even   1.2
W1      mapped  cpu_us 0.40
W1      mapped  even   1.5
W4      default cpu_us 7
W4      linux   cpu_us 5
W4      mapped  cpu_us 11
WF1     default cpu_us 3.0
WF1     default p99_ms 6
WF1     linux   cpu_us 3.0
WF1     linux   p99_ms 6
WF1     mapped  cpu_us 4.0
WF1     mapped  p99_ms 9
WF1-5ms default cpu_us 2.1
WF1-5ms default p99_ms 10
WF1-5ms linux   cpu_us 2.1
WF1-5ms linux   p99_ms 10
WF1M    default p99_ms 10
WF1M    linux   p99_ms 10
WF1M-5ms default cpu_us 0.7
WF1M-5ms default p99_ms 10
WF1M-5ms linux   cpu_us 0.7
WF1M-5ms linux   p99_ms 10
Widle   default kb_per_conn 3.5
Widle   linux   kb_per_conn 2
Widle   mapped  kb_per_conn 17
'

names() { awk 'NF { print $1 }' <<<"$1"; }

scenarios_table() {
    case $1 in
        echo) echo "$echo_scenarios" ;;
        fanout) echo "$fanout_scenarios" ;;
        connections) echo "$connection_scenarios" ;;
        tls) echo "$tls_scenarios" ;;
        ws) echo "$ws_scenarios" ;;
    esac
}

# The fields from the second on.
scenario_line() { awk -v name="$2" '$1 == name { $1 = ""; sub(/^ /, ""); print }' <<<"$(scenarios_table "$1")"; }

is_scenario() {
    local part
    for part in echo fanout connections tls ws; do
        names "$(scenarios_table "$part")" | grep -qx -- "$1" && return 0
    done
    return 1
}

list_scenarios() {
    scenarios_table "$1" | awk -v part="$1" 'NF {
        text = $0
        sub(/^[^ ]+ +/, "", text)
        if (part == "echo") { bars = $(NF - 2) " " $(NF - 1) " " $NF; sub(/ +[^ ]+ +[^ ]+ +[^ ]+$/, "", text); sub(/^[0-9]+ +/, $2 " connections, ", text); text = text ", at most " bars }
        if (part == "tls" || part == "ws") { sub(/^[0-9]+ +/, $2 " connections, ", text) }
        if (part == "fanout") { sub(/^[0-9]+ +[0-9]+ +/, $2 " connections, " $3 ($3 == 1 ? " room, " : " rooms, "), text) }
        if ($1 ~ /-5ms$/) text = text ", FlushInterval 5 ms"
        if ($1 == "F2-both") text = text ", both processes on both cores"
        printf "      %-9s %s\n", $1, text
    }'
}

# "part:echo E1 F1": a part with scenarios of its own means these; without any it means all of its. Nothing means all but tls and ws.
choose_scenarios() {
    local part name all wanted=''
    for part in echo fanout connections tls ws; do
        all=$(names "$(scenarios_table "$part")")
        local picked=''
        for name in $all; do
            [[ " $1 " == *" $name "* ]] && picked+=" $name"
        done
        if [ -n "$picked" ]; then
            wanted+=$picked
        elif { [ -z "$1" ] && [ "$part" != tls ] && [ "$part" != ws ]; } || [[ " $1 " == *" part:$part "* ]]; then
            wanted+=" "${all//$'\n'/ }
        fi
    done
    echo "$wanted"
}

scenarios_of() {
    local name all
    all=$(names "$(scenarios_table "$1")")
    for name in $scenarios; do
        grep -qx -- "$name" <<<"$all" && echo "$name"
    done
}

has() { [[ " ${scenarios//$'\n'/ } " == *" $1 "* ]]; }
