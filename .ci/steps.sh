# What .ci/run and .ci/full share: how a step runs, what it needs from the system, and the sum at the end. Sourced, not run.
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_CLI_USE_MSBUILD_SERVER=0
# One compiler for all projects: a new one for each spends a third of the build on compiling itself.
export UseSharedCompilation=true
# No profiling in the runtime: it pays off in processes that live longer.
export DOTNET_TieredPGO=0
# The default, in hexadecimal. The server's own 0 pays off in processes that live longer as well.
export DOTNET_TC_CallCountingDelayMs=64
results=$PWD/artifacts/test-results
packages=$PWD/artifacts/packages
rm -rf artifacts
# An empty package folder, as on a new machine: a warm one would hide packages that no longer restore or that resolve to other versions.
NUGET_PACKAGES=$(mktemp -d "${TMPDIR:-/tmp}/playchat-packages.XXXXXX")
export NUGET_PACKAGES
export PLAYCHAT_POSTGRES_DIR=${TMPDIR:-/tmp}/playchat-ci-$$
trap 'tools/postgres remove; rm -rf "$NUGET_PACKAGES"' EXIT
# Files and not variables, because steps that run beside others are in a process of their own.
step_times=$PWD/artifacts/step-times failed_steps=$PWD/artifacts/failed-steps
mkdir -p artifacts && : >"$step_times" && : >"$failed_steps"

step() {
    local name=$1
    shift
    echo "== $name"
    local start=$SECONDS result=ok
    "$@" || result=FAILED
    echo "$((SECONDS - start)) s  $name" >>"$step_times"
    echo "== $name: $result, $((SECONDS - start)) s"
    [ "$result" = ok ] || { echo "$name" >>"$failed_steps" && return 1; }
}

# Runs a function of steps beside the steps that follow, which leave a processor free now and then. join_steps waits for it, and prints
# what it has printed.
beside=
steps_beside() {
    "$1" >artifacts/beside.log 2>&1 &
    beside=$!
}

join_steps() {
    [ -n "$beside" ] || return 0
    wait "$beside"
    beside=
    cat artifacts/beside.log
}

# Installs Debian packages where a command is missing and this user may. Tests that need one of them skip without it.
# Usage: install "COMMAND …" PACKAGE …
install() {
    local command missing=
    for command in $1; do
        command -v "$command" >/dev/null || [ -e "$command" ] || missing=1
    done
    shift
    [ -n "$missing" ] || return 0
    { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; } || return 0
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Debian asks policy-rc.d before it starts a service; 101 forbids it. Containers have one that says so already.
install_rabbitmq() {
    local policy=/usr/sbin/policy-rc.d own=
    [ -e "$policy" ] || ! [ -w /usr/sbin ] || { own=$policy && printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy"; }
    install /usr/lib/rabbitmq/bin/rabbitmq-server rabbitmq-server
    local result=$?
    [ -z "$own" ] || rm -f "$own"
    return $result
}

install_all() {
    local result=0
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || install initdb postgresql || result=1
    install "g++ /usr/include/zlib.h" g++ zlib1g-dev || result=1
    install "haproxy tmux systemd-analyze systemd-socket-activate prometheus" haproxy tmux systemd prometheus || result=1
    install_rabbitmq || result=1
    install npm nodejs npm || result=1
    install chromium chromium fonts-noto-cjk fonts-noto-color-emoji || result=1
    return $result
}

# A server of this run's own, on a free port, gone at the end.
start_postgres() {
    PLAYCHAT_TEST_POSTGRES=$(tools/postgres start) && export PLAYCHAT_TEST_POSTGRES
}

# Tests of the solution, or of one project: `dotnet test` with its results in a folder of the step's own.
# A run in which no test has ended for 8 minutes is ended, and names the tests that ran then.
# Usage: run_tests FOLDER [ARGUMENT …]
run_tests() {
    local folder=$1
    shift
    dotnet test "$@" --no-build --logger trx --results-directory "$results/$folder" \
        --blame-hang-timeout 8m --blame-hang-dump-type none
}

# The programs of all test projects but the attacks, two at once, the long ones first. `dotnet test` is another way to run them; it starts
# three more processes for each program, which take a fifth of the processor time of all tests.
# Usage: run_programs FOLDER [ARGUMENT …]
run_programs() {
    local folder=$1 project
    local long=(FunctionalTests Server.Tests Packaging.Tests Storage.Tests Core.Tests Cluster.Tests Connector.Tests) attacks=AttackTests
    shift
    export -f run_program
    export results
    {
        printf 'PlayChat.%s\n' "${long[@]}"
        for project in tests/*Tests; do
            project=${project#tests/}
            [[ " ${long[*]} $attacks " == *" ${project#PlayChat.} "* ]] || echo "$project"
        done
    } | xargs -P 2 -I{} bash -c 'run_program "$@"' run_program {} "$folder" "$@"
}

# Its log names a test that runs for 8 minutes, and the program is ended after 40. `dotnet test` gives up when the start takes a minute.
# Usage: run_program PROJECT FOLDER [ARGUMENT …]
run_program() {
    local project=$1 folder=$results/$2
    local log=$folder/$project.log
    shift 2
    mkdir -p "$folder"
    if timeout --kill-after=1m 40m "tests/$project/bin/Debug/net8.0/$project" -noLogo -noColor -longRunning 480 "$@" \
        -trx "$folder/$project.trx" >"$log" 2>&1 </dev/null; then
        tail -n 1 "$log"
    else
        cat "$log"
        echo "$project: FAILED"
        return 1
    fi
}

# Tests of one category, which are skipped unless a variable asks for them. A run without tests fails.
# Usage: run_category PROJECT CATEGORY VARIABLE=VALUE
run_category() {
    (export "$3" && run_program "$1" "$2" -trait "Category=$2") | grep -vw 'Total: 0'
}

# Each tool lists its options, and names one that it does not have. What else it does is shown by the steps and tests that use it.
# Usage: check_tool NAME OPTION [ERROR]
check_tool() {
    local tool=$1 option=$2 error=${3:-"$1: There is no option --no-such-option; --help lists all."}
    bash -n "tools/$tool" && "tools/$tool" --help | grep -e "$option" >/dev/null &&
        [ "$("tools/$tool" --no-such-option 2>&1)" = "$error" ]
}

check_tools() {
    local result=0
    { bash -n tools/limit && dotnet run --project bench/PlayChat.Benchmark --no-build -- limit --help | grep -e --pairs >/dev/null; } || result=1
    check_tool results --rounds || result=1
    check_tool prose --count || result=1
    check_tool web --results || result=1
    check_tool site --output || result=1
    check_tool flaky --runs || result=1
    check_tool wine --dir 'wine: There is no command --no-such-option; --help lists all.' || result=1
    { bash -n tools/foreign && tools/foreign --help | grep -e --restore >/dev/null; } || result=1 # it needs packages for all else
    check_tool pack --version "pack: Unrecognized command or argument '--no-such-option'. Run with --help to list all options." || result=1
    git apply --check tests/PlayChat.Simulation/CoreFaults/*.patch || result=1
    local tool
    for tool in postgres rabbitmq; do
        tools/$tool --help | grep -e --dir >/dev/null || result=1
        [ "$(tools/$tool start --no-such-option 2>&1)" = "$tool: There is no option --no-such-option; --help lists all." ] || result=1
    done
    return $result
}

# The TypeScript clients and the pages. The committed bundles must be what the sources give.
check_pages() {
    tools/web install && tools/web check test --results "$results/web"
}

# The same with real servers. Usage: test_pages walk|browser
test_pages() {
    tools/web integration "$1" --results "$results/web"
}

# The documentation as a site, from the API reference in artifacts/api.
test_site() {
    local result=0
    tools/site install && tools/site build --api artifacts/api || return 1
    tools/site check || result=1
    tools/site test --results "$results/site" || result=1
    return $result
}

# The last line is "N passed, N failed"; the exit code is 0 only when nothing failed.
finish() {
    local summary passed failed
    join_steps
    echo "== Steps, the slowest first"
    sort -rn "$step_times"
    summary=$(dotnet run --project tools/PlayChat.TestReport --no-build -- "$results" --slowest 10)
    echo "$summary"
    sed 's/^/FAILED step: /' "$failed_steps"
    read -r passed failed < <(tail -n 1 <<<"$summary" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p') || passed=0 failed=0
    # A step that broke without a failed test (format, build, a crashed runner) counts as one; a run without tests has shown nothing.
    [ "$failed" -gt 0 ] || failed=$(wc -l <"$failed_steps")
    [ "$passed" -gt 0 ] || failed=$((failed + 1))
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
