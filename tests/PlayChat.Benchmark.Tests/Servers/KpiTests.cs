using System.Globalization;
using PlayChat.Kpi;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Servers;

public sealed class KpiTests : IDisposable
{
    private static readonly DateTimeOffset s_start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly TemporaryDirectory _folder = new();
    private readonly string _path;
    private readonly KpiFile _file;

    public KpiTests()
    {
        _path = _folder.Combine("kpi.jsonl");
        _file = new KpiFile(_path);
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Figures_are_those_between_the_first_and_the_last_line_inside_the_window()
    {
        WriteLines(0, 10);

        ServerFigures figures = _file.Within(s_start.AddSeconds(1.5), s_start.AddSeconds(7.5))!;

        Assert.Equal((_file.Lines[2], _file.Lines[7]), (figures.First, figures.Last));
        Assert.Equal(5, figures.Interval.Duration.TotalSeconds);
        Assert.Equal(100, figures.Interval.CpuPercent, 6); // 1,000 ms a second
        Assert.Equal(10, figures.CpuMicrosecondsPerMessage!.Value, 6);
        Assert.Equal(0.2, figures.CpuMicrosecondsPerDelivery!.Value, 6);
        Assert.Equal(2.5, figures.DeliveriesPerSend!.Value, 6);
        Assert.Equal(100_000, figures.Interval.FramesReceivedPerSecond, 6);
    }

    [Fact]
    public void Fewer_than_two_lines_inside_the_window_are_no_figures()
    {
        Assert.Null(_file.Within(s_start, s_start.AddSeconds(9)));
        WriteLines(0, 10);

        Assert.Null(_file.Within(s_start.AddSeconds(1.5), s_start.AddSeconds(2.5)));
        Assert.Null(_file.Within(s_start.AddSeconds(20), s_start.AddSeconds(30)));
    }

    [Fact]
    public void Without_messages_or_deliveries_there_is_no_ratio()
    {
        File.WriteAllText(_path, """
            {"timestamp":"2026-01-01T00:00:00Z","uptime_s":0,"total":{},"process":{}}
            {"timestamp":"2026-01-01T00:00:01Z","uptime_s":1,"total":{},"process":{"cpu_ms":10}}

            """);
        _file.ReadNew();

        ServerFigures figures = _file.Between(_file.Lines[0], _file.Lines[1])!;

        Assert.Null(figures.CpuMicrosecondsPerMessage);
        Assert.Null(figures.CpuMicrosecondsPerDelivery);
        Assert.Null(figures.AllocatedBytesPerMessage);
        Assert.Null(figures.DeliveriesPerSend);
    }

    [Fact]
    public void The_file_is_followed_line_by_line_and_half_a_line_waits()
    {
        Assert.Null(_file.ReadNew());

        string second = Text(1);
        File.WriteAllText(_path, Text(0) + "\n" + second[..20]);
        Assert.Equal(0, _file.ReadNew()!.FramesReceived);
        File.AppendAllText(_path, second[20..] + "\nno json\n");

        Assert.Equal(100_000, _file.ReadNew()!.FramesReceived);
        Assert.Equal(2, _file.Lines.Count);
    }

    [Fact]
    public void The_lines_of_an_earlier_server_in_the_same_file_do_not_count()
    {
        WriteLines(5, 3);
        KpiSnapshot earlier = _file.Lines[0];

        WriteLines(0, 8);

        Assert.Equal(8, _file.Lines.Count);
        Assert.Null(_file.Between(earlier, _file.Lines[^1]));
    }

    // Each second one processor busy, 100,000 messages, 5 million deliveries in 2 million sends.
    private void WriteLines(int firstSecond, int count)
    {
        File.AppendAllLines(_path, Enumerable.Range(firstSecond, count).Select(Text));
        _file.ReadNew();
    }

    private static string Text(int second) => string.Create(
        CultureInfo.InvariantCulture,
        $$$"""{"timestamp":"{{{s_start.AddSeconds(second):O}}}","uptime_s":{{{second}}}, """
        + $$$""" "total":{"frames_received":{{{second * 100_000L}}},"deliveries":{{{second * 5_000_000L}}}, """
        + $$$""" "sends":{{{second * 2_000_000L}}}},"process":{"cpu_ms":{{{second * 1000}}},"gc0":{{{second}}}}}""");
}
