using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Benchmark.Tests.Servers;

public sealed class ClusterFiguresTests : IDisposable
{
    private static readonly DateTimeOffset s_start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private static readonly (string Name, bool IsTotal)[] s_columns =
        [("log lag ms", false), ("log unconfirmed", false), ("log duplicates", true), ("redirects", true), ("lease age ms", false)];

    private readonly TemporaryDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_node_has_the_figures_of_its_log_from_the_lines_of_the_measurement_alone()
    {
        KpiFile file = Write("a", [900, 4, 2, 6, 900], redirectsPerLine: 3);

        var node = NodeFigures.Of(file.Lines, file.Between(file.Lines[1], file.Lines[3])!);

        Assert.Equal((6, 4), (node.MaxLogLag, node.MeanLogLag));
        Assert.Equal((3, 1030), (node.MaxUnconfirmed, node.MaxLeaseAge));
        Assert.Equal((2, 6), (node.Redeliveries, node.Redirects)); // two lines later
    }

    [Fact]
    public void A_server_without_a_cluster_has_no_figures_of_a_log()
    {
        KpiFile file = Write("a", [null, null], redirectsPerLine: 0);

        var node = NodeFigures.Of(file.Lines, file.Between(file.Lines[0], file.Lines[1])!);

        Assert.Null(node.MaxLogLag);
        Assert.Null(node.Redirects);
    }

    [Fact]
    public void A_report_has_the_sum_of_all_nodes_and_leaves_out_what_it_does_not_know()
    {
        KpiFile first = Write("a", [1, 2], redirectsPerLine: 1);
        KpiFile second = Write("b", [3, 8], redirectsPerLine: 1);
        NodeFigures[] nodes = [.. ((KpiFile[])[first, second]).Select(static file =>
            NodeFigures.Of(file.Lines, file.Between(file.Lines[0], file.Lines[1])!))];
        var settings = new ClusterSettings(2, ClusterEngine.RabbitMq);

        // Each node has half a processor, the load 100,000 deliveries.
        JsonObject known = ClusterJson.Of(new ClusterFigures(settings, nodes, DatabaseCpu: 0.1, BrokerCpu: 0.2), 100_000);
        JsonObject unknown = ClusterJson.Of(new ClusterFigures(settings, [nodes[0], null], DatabaseCpu: 0.1, BrokerCpu: null), 0);

        Assert.Equal(10, (double)known["nodes_cpu_us_per_delivery"]!);
        Assert.Equal(3, (double)known["log_and_database_cpu_us_per_delivery"]!);
        Assert.Equal(2, (double)known["broker_cpu_us_per_delivery"]!);
        Assert.Equal((8, 2), ((double)known["log_lag_ms_max"]!, (double)known["redirects"]!));
        Assert.Equal(2, known["each"]!.AsArray().Count);
        Assert.Null(unknown["nodes_cpu_us_per_delivery"]);
        Assert.Null(unknown["database_cpu_us_per_delivery"]); // by no deliveries
        Assert.Null(unknown["each"]![1]);
    }

    [Fact]
    public void Processor_time_is_that_of_a_process_with_its_children_that_run_and_that_have_ended()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Reads /proc.");
        const string Burn = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        // One child has ended when the line comes, the other waits.
        var start = new ProcessStartInfo("bash", ["-c", $"bash -c '{Burn}'; bash -c '{Burn}; echo burnt; read line'; true"])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardInput = true,
        };
        using Process parent = ChildProcess.Start(start);
        try
        {
            Assert.Equal("burnt", parent.StandardOutput.ReadLine());

            TimeSpan all = ProcessTree.ReadCpuTime(parent.Id);

            TimeSpan alone = parent.TotalProcessorTime;
            Assert.True(all - alone >= TimeSpan.FromMilliseconds(40), $"{all} of all, {alone} of the parent");
            Assert.Equal(TimeSpan.Zero, ProcessTree.ReadCpuTime(int.MaxValue));
        }
        finally
        {
            parent.Kill(entireProcessTree: true);
        }
    }

    // A line a second: half a processor, so many milliseconds of lag, one batch delivered again.
    private KpiFile Write(string name, double?[] lags, int redirectsPerLine)
    {
        var file = new KpiFile(_folder.Combine(name));
        File.WriteAllLines(_folder.Combine(name), lags.Select((lag, second) => string.Create(
            CultureInfo.InvariantCulture,
            $$"""{"timestamp":"{{s_start.AddSeconds(second):O}}","uptime_s":{{second}},"total":{},"process":{"cpu_ms":{{second * 500}}}""")
            + (lag is null ? "}" : Extras(lag.Value, second, redirectsPerLine))));
        file.ReadNew();
        return file;
    }

    private static string Extras(double lag, int second, int redirectsPerLine)
    {
        string columns = string.Join(',', s_columns
            .Select(static column => $$"""{"name":"{{column.Name}}","unit":"x","is_total":{{(column.IsTotal ? "true" : "false")}}}"""));
        return string.Create(
            CultureInfo.InvariantCulture,
            $$""","extras":{"log_lag_ms":{{lag}},"log_unconfirmed":{{second}},"log_duplicates":{{second}},"""
            + $$""" "redirects":{{second * redirectsPerLine}},"lease_age_ms":{{1000 + (second * 10)}}},"extra_columns":[{{columns}}]}""");
    }
}
