using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Benchmark.Tests.Servers;

public sealed class ClusterFiguresTests : IDisposable
{
    private static readonly DateTimeOffset s_start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly TemporaryDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_report_has_the_sum_of_all_nodes_and_leaves_out_what_it_does_not_know()
    {
        ServerFigures[] nodes = [Write("a"), Write("b")];
        var settings = new ClusterSettings(2, ClusterEngine.RabbitMq);

        // Each node has half a processor, the load 100,000 deliveries.
        JsonObject known = ClusterJson.Of(new ClusterFigures(settings, nodes, DatabaseCpu: 0.1, BrokerCpu: 0.2), 100_000);
        JsonObject unknown = ClusterJson.Of(new ClusterFigures(settings, [nodes[0], null], DatabaseCpu: 0.1, BrokerCpu: null), 0);

        Assert.Equal(10, (double)known["nodes_cpu_us_per_delivery"]!);
        Assert.Equal(3, (double)known["log_and_database_cpu_us_per_delivery"]!);
        Assert.Equal(2, (double)known["broker_cpu_us_per_delivery"]!);
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

    // Two lines, a second apart: half a processor.
    private ServerFigures Write(string name)
    {
        var file = new KpiFile(_folder.Combine(name));
        File.WriteAllLines(_folder.Combine(name), Enumerable.Range(0, 2).Select(static second => string.Create(
            CultureInfo.InvariantCulture,
            $$$"""{"timestamp":"{{{s_start.AddSeconds(second):O}}}","uptime_s":{{{second}}},"total":{},"""
            + $$$""" "process":{"cpu_ms":{{{second * 500}}}}}""")));
        file.ReadNew();
        return file.Between(file.Lines[0], file.Lines[1])!;
    }
}
