using System.Globalization;
using System.Text;
using PlayChat.Benchmark.Servers;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Servers;

public sealed class KpiTests
{
    private static readonly DateTimeOffset s_start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Figures_are_those_between_the_first_and_the_last_line_inside_the_window()
    {
        KpiLine[] lines = Enumerable.Range(0, 10).Select(Line).ToArray();

        ServerFigures figures = ServerFigures.Within(lines, s_start.AddSeconds(1.5), s_start.AddSeconds(7.5))!;

        Assert.Equal((lines[2], lines[7]), (figures.First, figures.Last));
        Assert.Equal(5, figures.Seconds);
        Assert.Equal(100, figures.CpuPercent, 6); // 1,000 ms a second
        Assert.Equal(10, figures.CpuMicrosecondsPerMessage!.Value, 6);
        Assert.Equal(0.2, figures.CpuMicrosecondsPerDelivery!.Value, 6);
        Assert.Equal(2.5, figures.DeliveriesPerSend!.Value, 6);
        Assert.Equal(100_000, figures.PerSecond(line => line.FramesReceived), 6);
    }

    [Fact]
    public void Fewer_than_two_lines_inside_the_window_are_no_figures()
    {
        KpiLine[] lines = Enumerable.Range(0, 10).Select(Line).ToArray();

        Assert.Null(ServerFigures.Within(lines, s_start.AddSeconds(1.5), s_start.AddSeconds(2.5)));
        Assert.Null(ServerFigures.Within([], s_start, s_start.AddSeconds(9)));
    }

    [Fact]
    public void Without_messages_or_deliveries_there_is_no_ratio()
    {
        var first = new KpiLine { Timestamp = s_start };
        var last = new KpiLine { Timestamp = s_start.AddSeconds(1), CpuMilliseconds = 10 };

        ServerFigures figures = ServerFigures.Between(first, last)!;

        Assert.Null(figures.CpuMicrosecondsPerMessage);
        Assert.Null(figures.CpuMicrosecondsPerDelivery);
        Assert.Null(figures.DeliveriesPerSend);
    }

    [Fact]
    public void The_file_is_followed_line_by_line_and_half_a_line_waits()
    {
        using var folder = new TemporaryDirectory();
        string path = folder.Combine("kpi.jsonl");
        var file = new KpiFile(path);
        Assert.Null(file.ReadNew());

        string second = Text(1);
        File.WriteAllText(path, Text(0) + "\n" + second[..20]);
        Assert.Equal(0, file.ReadNew()!.FramesReceived);
        File.AppendAllText(path, second[20..] + "\nno json\n");

        Assert.Equal(100_000, file.ReadNew()!.FramesReceived);
        Assert.Equal(2, file.Lines.Count);
    }

    [Fact]
    public async Task A_line_of_the_framework_is_read()
    {
        await using var connector = new PlayChatConnector(FrameFormat.Raw(), static (_, _) => { });

        Assert.True(KpiLine.TryParse(Encoding.UTF8.GetBytes(KpiJson.Format(connector.Metrics.Snapshot())), out KpiLine? line));

        Assert.InRange(line.PeakWorkingSetBytes, 1, long.MaxValue);
        Assert.InRange(line.CpuMilliseconds, double.Epsilon, double.MaxValue);
    }

    // One processor busy, 100,000 messages, 5 million deliveries in 2 million sends a second.
    private static KpiLine Line(int second)
    {
        Assert.True(KpiLine.TryParse(Encoding.UTF8.GetBytes(Text(second)), out KpiLine? line));
        return line;
    }

    private static string Text(int second) => string.Create(CultureInfo.InvariantCulture, $$$"""
        {"timestamp":"{{{s_start.AddSeconds(second):O}}}","total":{"frames_received":{{{second * 100_000L}}},"deliveries":{{{second * 5_000_000L}}},"sends":{{{second * 2_000_000L}}}},"process":{"cpu_ms":{{{second * 1000}}},"gc0":{{{second}}}}}
        """);
}
