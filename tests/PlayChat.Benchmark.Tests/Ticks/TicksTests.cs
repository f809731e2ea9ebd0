using System.Diagnostics;
using System.Text.Json.Nodes;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Ticks;

public sealed class TicksTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Rooms_tick_and_the_report_says_how_late(bool floods)
    {
        using var directory = new TemporaryDirectory();
        string path = directory.Combine("ticks.json");
        using var output = new StringWriter();
        using var errors = new StringWriter();

        long began = Stopwatch.GetTimestamp();

        // Whether all were in time is the machine's matter.
        int code = await BenchmarkProgram.RunAsync(
            [
                "ticks", "--rooms", "4", "--hertz", "100", "--warmup", "0", "--duration", "0.5", "--json", path,
                .. floods ? (string[])["--flood"] : [],
            ],
            output,
            errors);

        double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        Assert.InRange(code, 0, ExitCodes.Failed);
        Assert.Empty(errors.ToString());
        JsonNode report = JsonNode.Parse(await File.ReadAllTextAsync(path))!;
        // None before it was due: the whole time, since ticks and duration are looked at one after the other; and one more a room at its
        // beginning.
        Assert.InRange((int)report["ticks"]!, 1, (int)Math.Ceiling(seconds * 400) + 4);
        Assert.True((double)report["drift_us"]!["max"]! > 0);
        Assert.True((double)report["deliveries_per_s"]! > 0);
    }
}
