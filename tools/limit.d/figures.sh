# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# Figures of all runs, one a line in $work/figures: scenario, server, round, name, value. And the tables made of them.

# The numbers of the load's JSON line.
record() {
    tr '{},' '[\n*]' <"$work/load.json" | awk -F: -v key="$1 $2 $3" 'NF == 2 && $2 ~ /^-?[0-9.]+$/ { gsub(/"/, "", $1); print key, $1, $2 }' >>"$work/figures"
}

record_one() { echo "$1 $2 $3 $4 $5" >>"$work/figures"; }

# median, least, most and count of a figure of a scenario and server: "m a b n". Nothing if there is none.
stats() { awk -v s="$1" -v p="$2" -v k="$3" '$1 == s && $2 == p && $4 == k { print $5 }' "$work/figures" | spread; }

# The same of its multiples of the same figure of C (or another name's) in the same round.
multiples() {
    awk -v s="$1" -v p="$2" -v k="$3" -v of="${4:-$1}" '
        $4 == k && $2 == "C" && $1 == of { c[$3] = $5 }
        $4 == k && $2 == p && $1 == s { v[$3] = $5 }
        END { for (r in v) if (c[r] > 0) print v[r] / c[r] }' "$work/figures" | spread
}

# The same of one figure by another of the same run.
quotients() {
    awk -v s="$1" -v p="$2" -v a="$3" -v b="$4" '
        $1 == s && $2 == p && $4 == a { x[$3] = $5 }
        $1 == s && $2 == p && $4 == b { y[$3] = $5 }
        END { for (r in x) print (y[r] > 0 ? x[r] / y[r] : 999) }' "$work/figures" | spread
}

total() { awk -v s="$1" -v p="$2" -v keys=" $3 " '$1 == s && $2 == p && index(keys, " " $4 " ") { n += $5 } END { print n + 0 }' "$work/figures"; }

spread() { sort -g | awk '{ v[NR] = $1 } END { if (NR) print (NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2), v[1], v[NR], NR }'; }

median() { awk '{ print $1 }' <<<"$1"; }

# form FORMAT NUMBER [SCALE]; a dash where there is no number.
form() { if [ -n "$2" ]; then awk -v f="$1" -v x="$2" -v by="${3:-1}" 'BEGIN { printf f, x * by }'; else echo '–'; fi; }

# form_range FORMAT "m a b n" [SCALE]
form_range() { if [ -n "$2" ]; then awk -v f="$1" -v by="${3:-1}" '{ printf f "–" f, $2 * by, $3 * by }' <<<"$2"; else echo '–'; fi; }

# 5430000 as "5.43 M", 64000 as "64.0 k".
form_rate() { if [ -z "$1" ]; then echo '–'; else awk -v x="$1" 'BEGIN { if (x >= 1e6) printf "%.2f M", x / 1e6; else printf "%.1f k", x / 1e3 }'; fi; }

compare() { awk -v a="$1" -v op="$2" -v b="$3" 'BEGIN { exit !(op == "<=" ? a <= b : op == "<" ? a < b : op == ">=" ? a >= b : a == b) }'; }

# Judging a row: `check NAME VALUE OPERATOR BAR` gathers what is missed; a bar of "–" is none.
problems='' judged=0
check() {
    [ "$4" != '–' ] || return 0
    judged=1
    [ -n "$2" ] && compare "$2" "$3" "$4" && return 0
    problems+="${problems:+, }$1"
}

# Sets verdict: "pass", "FAIL: ...", or a dash where there was no bar.
judge() {
    verdict='–'
    [ "$judged" = 0 ] || verdict=pass
    if [ -n "$problems" ]; then
        verdict="FAIL: $problems"
        bars_missed=$((bars_missed + 1))
    fi
    problems='' judged=0
}

# Runs that did not come to a result: server, scenario and why.
failed_run() {
    tell "$1 $2: $3"
    record_one "$1" "$2" "$4" failed_runs 1
}

check_runs() { [ "$(total "$1" "$2" failed_runs)" = 0 ] || check 'a run failed' 1 '==' 0; }

rows=''
row() {
    local line
    line=$(printf '%s\t' "$@")
    rows+="${line%$'\t'}"$'\n'
}

# Prints the gathered rows (the first is the head) as a Markdown table that is aligned, too.
table() {
    { echo "### $1"; echo; } | show
    printf '%s' "$rows" | awk -F'\t' '
        function width(s) { gsub(/[\200-\277]/, "", s); return length(s) } # of UTF-8: bytes that go on count nothing
        function pad(s, n) { while (width(s) < n) s = s " "; return s }
        { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (width($i) > w[i]) w[i] = width($i) } if (NF > cols) cols = NF }
        END {
            for (r = 1; r <= NR; r++) {
                line = "|"
                for (i = 1; i <= cols; i++) line = line " " pad(cell[r, i], w[i]) " |"
                print line
                if (r > 1) continue
                line = "|"
                for (i = 1; i <= cols; i++) { dash = ""; while (length(dash) < w[i]) dash = dash "-"; line = line " " dash " |" }
                print line
            }
            print ""
        }' | show
    rows=''
}

show() { if [ -n "$output" ]; then tee -a "$output"; else cat; fi; }
