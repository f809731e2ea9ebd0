using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>What an open loop is for: a server that stands still is seen by everybody who would have asked meanwhile.</summary>
[Trait("Tier", "Full")]
public sealed class OpenLoopTests
{
    [Fact]
    public async Task A_server_stopped_for_a_second_shows_in_the_p99_and_not_in_the_uncorrected_one()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        const string Report = "report.json";
        using var folder = new TemporaryDirectory();
        await using ServerProcess server = await ServerProcess.StartAsync("--mode", "echo");
        string load = string.Create(
            CultureInfo.InvariantCulture,
            $"echo --ccu 4 --inflight 1 --rate 400 --size 64 --warmup 0.5 --duration 6 --max-lag 100s "
                + $"--connect 127.0.0.1:{server.Port} --json {Report}");
        await using ProgramProcess benchmark = ProgramProcess.Start(ProgramFile.Find("PlayChat.Benchmark"), folder.Path, load.Split(' '));

        await benchmark.WaitForLineAsync(static line => line.StartsWith("Measure:", StringComparison.Ordinal));
        TimeSpan stopped = await StopForASecondAsync(server.Program);
        int exitCode = await benchmark.WaitForExitAsync();

        Assert.True(exitCode == 0, benchmark.Describe());
        using var document = JsonDocument.Parse(await File.ReadAllTextAsync(folder.Combine(Report)));
        JsonElement report = document.RootElement;
        double corrected = report.GetProperty("rtt_us").GetProperty("p99").GetDouble();
        JsonElement uncorrected = report.GetProperty("uncorrected_rtt_us");
        Assert.Equal(0, report.GetProperty("incomplete").GetInt64());
        Assert.True(uncorrected.GetProperty("max").GetDouble() >= stopped.TotalMicroseconds * 0.9, $"the stop was met: {report}");
        Assert.True(corrected >= stopped.TotalMicroseconds / 2, $"a sixth of the requests were planned in the second: {report}");
        Assert.True(uncorrected.GetProperty("p99").GetDouble() < corrected / 2, $"four requests of thousands were under way: {report}");
    }

    private static async Task<TimeSpan> StopForASecondAsync(ProgramProcess program)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1));
        long start = Stopwatch.GetTimestamp();
        program.Suspend();
        try
        {
            await timer.WaitForNextTickAsync();
            return Stopwatch.GetElapsedTime(start);
        }
        finally
        {
            program.Resume();
        }
    }
}
