using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Limit;

namespace PlayChat.Benchmark.Tests.Limit;

public sealed class LimitScenariosTests
{
    private static readonly LimitOptions s_options = new(LimitScenarios.All, LimitScenarios.OwnServers, 5, 5, 4, "/server");

    [Theory]
    [InlineData("E1 F1", "E1 F1")]
    [InlineData("F1 E1", "E1 F1")]
    [InlineData("echo E2", "E2")]
    [InlineData("tls", "T1 T4 T16K THS TRS")]
    [InlineData("connections W1", "idle storm trickle ready gc W1")]
    public void A_part_means_all_of_its_scenarios_or_those_that_are_named(string words, string scenarios) =>
        Assert.Equal(scenarios, string.Join(' ', LimitScenarios.Choose([.. words.Split(' ')]).Select(static scenario => scenario.Name)));

    [Fact]
    public void Nothing_means_all_parts_but_tls_and_ws() => Assert.Equal(
        ["echo", "fanout", "connections", "ticks"],
        LimitScenarios.Choose([]).Select(static scenario => scenario.Part.Name).Distinct(StringComparer.Ordinal),
        StringComparer.Ordinal);

    [Theory]
    [InlineData("E3", "There is no scenario E3; --help lists all.")]
    [InlineData("--pair", "There is no option --pair; --help lists all.")]
    public void An_unknown_word_is_named(string word, string message) =>
        Assert.Equal(message, Assert.Throws<UsageException>(() => LimitScenarios.Choose(["E1", word])).Message);

    [Fact]
    public void Bars_are_about_servers_that_run_and_compare_with_servers_that_run()
    {
        foreach (LimitScenario scenario in LimitScenarios.All)
        {
            string[] servers = scenario.Servers.Split(' ');
            foreach (string server in LimitBar.Servers)
            {
                IReadOnlyList<LimitBar> bars = LimitBar.Parse(scenario.Bars, server);
                Assert.True(bars.Count == 0 || servers.Contains(server, StringComparer.Ordinal), $"{scenario.Name} does not run {server}.");
                foreach (string expression in bars.Select(static bar => bar.Expression).Concat(scenario.Columns.Split(' ')))
                {
                    Assert.NotNull(LimitRow.FigureOf(expression));
                    Assert.True(
                        expression.Split('/') is not [_, var by] || by == "tcp" || servers.Contains(by, StringComparer.Ordinal)
                        || !scenario.Bars.Contains(expression, StringComparison.Ordinal),
                        $"{scenario.Name} does not run what {expression} compares with.");
                }
            }
        }
    }

    [Fact]
    public void No_bar_is_a_time_or_a_rate_of_one_machine()
    {
        string[] absolute = LimitScenarios.All
            .SelectMany(static scenario => LimitBar.Servers.SelectMany(server => LimitBar.Parse(scenario.Bars, server)))
            .Select(static bar => bar.Expression)
            .Where(static expression => !expression.Contains('/', StringComparison.Ordinal))
            .Distinct(StringComparer.Ordinal)
            .ToArray();

        // Sizes, counts, and how alike connections are served.
        Assert.Equal(
            ["even", "gc0", "kb", "peak", "spread", "stalled"], absolute.Order(StringComparer.Ordinal),
            StringComparer.Ordinal);
    }

    [Theory]
    [InlineData("E1", "--conns 1000 --size 64 --inflight 30 --warmup 5 --duration 4")]
    [InlineData("F1-5ms", "--conns 500 --rate 10 --mix 64:80,256:18,1500:2 --rooms 10 --warmup 5 --duration 4")]
    [InlineData("F3", "--conns 200 --rate 10 --size 64 --search 50 --step-s 1.2 --rooms 1")]
    [InlineData("F4", "--conns 1000 --rate 0.02 --size 64 --warmup 1 --rooms 1 --duration 8")]
    [InlineData("K8", "--conns 2000 --hertz 20 --warmup 5 --duration 4")]
    [InlineData("storm", "--conns 5000 --idle 1")]
    [InlineData("gc", "--conns 1000 --size 64 --inflight 30 --warmup 4 --duration 10")]
    public void A_load_is_timed_as_the_command_line_says_unless_it_has_times_of_its_own(string name, string load) =>
        Assert.Equal(load, string.Join(' ', LimitRuns.Load(Find(name), s_options)));

    [Theory]
    [InlineData("E1", "C", "echo", "/cecho")]
    [InlineData("E1", "inline", "echo", "/server --mode echo --inline")]
    [InlineData("F5", "C", "broadcast", "/cbcast --rooms 10 --max-out 262144")]
    [InlineData("F1-5ms", "linux", "broadcast",
        "/server --mode broadcast --rooms 10 --PlayChat:Rooms:FlushInterval=00:00:00.0050000 --transport linux")]
    [InlineData("W1", "default-tcp", "echo", "/server --mode echo")]
    [InlineData("W1", "default", "echo", "/server --mode echo --PlayChat:Endpoints:0:WebSocket:Enabled=true")]
    [InlineData("WF1-5ms", "mapped", "broadcast", "mapped --mode broadcast --rooms 10 --flush-ms 5")]
    [InlineData("K8", "C", "ticks", "/ctick --rooms 250 --hertz 20 --size 76")]
    [InlineData("K8", "state-linux", "ticks", "ticks --rooms 250 --hertz 20 --state --transport linux")]
    [InlineData("T1", "kestrel", "echo", "serve --baseline kestrel --mode echo --certificate /c.pem --key /k.pem")]
    public void A_server_gets_the_options_of_the_scenario(string name, string server, string mode, string command)
    {
        using var machine = new LimitMachine("0", "1");

        string actual = string.Join(' ', new LimitRuns(s_options, machine).Command(Find(name), server, mode))
            .Replace(machine.Folder, string.Empty, StringComparison.Ordinal);

        Assert.EndsWith(command, actual, StringComparison.Ordinal);
    }

    private static LimitScenario Find(string name) => LimitScenarios.All.Single(scenario => scenario.Name == name);
}
