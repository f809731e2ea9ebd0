using PlayChat.Core;

namespace PlayChat.Kpi.Tests;

public sealed class KpiJsonReaderTests
{
    private readonly object _server = new();

    [Fact]
    public void Lines_that_were_read_make_the_same_json_and_table()
    {
        KpiSnapshot[] written = [Make(0), Make(1), Make(2)];

        KpiSnapshot[] read = Read(
            KpiJson.Format(written[0]),
            KpiJson.Format(KpiInterval.Between(written[0], written[1])),
            KpiJson.Format(KpiInterval.Between(written[1], written[2])));

        foreach ((int from, int to) in new[] { (0, 1), (1, 2), (0, 2) })
        {
            KpiInterval expected = KpiInterval.Between(written[from], written[to]);
            KpiInterval actual = KpiInterval.Between(read[from], read[to]);
            Assert.Equal(KpiJson.Format(expected), KpiJson.Format(actual));
            Assert.Equal(KpiTable.FormatHeader(expected), KpiTable.FormatHeader(actual));
            Assert.Equal(KpiTable.FormatRow(expected), KpiTable.FormatRow(actual));
            Assert.Equal(KpiTable.FormatSummary(expected), KpiTable.FormatSummary(actual));
        }
    }

    [Fact]
    public void A_server_that_goes_on_with_the_file_begins_anew()
    {
        KpiSnapshot[] read = Read(KpiJson.Format(Make(1)), KpiJson.Format(Make(0)));

        Assert.True(read[1].Elapsed < read[0].Elapsed);
        Assert.Throws<ArgumentException>(() => KpiInterval.Between(read[1], read[0]));
    }

    [Fact]
    public void A_line_that_has_counted_less_than_the_one_before_is_none()
    {
        string later = KpiJson.Format(Make(1)).Replace("\"uptime_s\":10", "\"uptime_s\":5", StringComparison.Ordinal);
        KpiSnapshot first = Read(later)[0];
        string earlier = KpiJson.Format(Make(0)).Replace("\"uptime_s\":0", "\"uptime_s\":6", StringComparison.Ordinal);

        Assert.False(KpiJson.TryParse(earlier, first, out _));
    }

    [Fact]
    public void A_line_cut_anywhere_is_none_and_throws_nothing()
    {
        string line = KpiJson.Format(KpiInterval.Between(Make(0), Make(1)));

        for (int length = 0; length < line.Length; length++)
        {
            Assert.False(KpiJson.TryParse(line[..length], previous: null, out _));
        }
    }

    [Theory]
    [InlineData(null)]
    [InlineData("null")]
    [InlineData("[1]")]
    [InlineData("{}")]
    [InlineData("""{"timestamp":"no","uptime_s":1,"total":{},"process":{}}""")]
    [InlineData("""{"timestamp":"2024-01-01T00:00:00Z","uptime_s":1e300,"total":{},"process":{}}""")]
    [InlineData("""{"timestamp":"2024-01-01T00:00:00Z","uptime_s":1,"total":7,"process":{}}""")]
    [InlineData("""{"timestamp":"2024-01-01T00:00:00Z","uptime_s":1,"total":{},"process":{"gc0":9999999999}}""")]
    [InlineData(
        """
        {"timestamp":"2024-01-01T00:00:00Z","uptime_s":1,"total":{},"process":{},
        "latency_histogram":{"sum_ns":1,"max_ns":1,"fine":[99999,1]}}
        """)]
    public void Something_else_is_none_and_throws_nothing(string? line) => Assert.False(KpiJson.TryParse(line, previous: null, out _));

    [Fact]
    public void Keys_that_a_line_leaves_out_are_0()
    {
        KpiSnapshot snapshot = Read("""{"timestamp":"2024-01-01T00:00:00Z","uptime_s":1,"total":{"sends":3},"process":{}}""" + "\n")[0];

        Assert.Equal(3, snapshot.Sends);
        Assert.Equal(0, snapshot.Receives);
        Assert.Equal(0, snapshot.Latency.Count);
        Assert.Empty(snapshot.Extras);
    }

    private static KpiSnapshot[] Read(params string[] lines)
    {
        var read = new List<KpiSnapshot>();
        foreach (string line in lines)
        {
            Assert.True(KpiJson.TryParse(line, read.LastOrDefault(), out KpiSnapshot? snapshot));
            read.Add(snapshot);
        }

        return [.. read];
    }

    // Every figure has a value of its own, so that none can be taken for another.
    private KpiSnapshot Make(int number)
    {
        int factor = (number * 10) + 1;
        var latency = new LatencyHistogram();
        var mark = new PeakMark(0, new(4, 5, 6), []);
        for (int i = 0; i <= number; i++)
        {
            latency.Record((i + 1) * 77_777, 100);
            latency.Record((i + 1) * 7_777_777, 2);
            mark = i == 0 ? mark : mark.Next(new(i, 2 * i, 3 * i), new(4, 5, 6));
        }

        return new KpiSnapshot(
            _server,
            KpiInstruments.Totals.Select((total, i) => (total.Name, i)).ToDictionary(
                static total => total.Name, total => (100L + total.i) * factor, StringComparer.Ordinal),
            Enum.GetValues<CloseReason>().Select(reason => reason == CloseReason.None ? 0 : (long)reason * factor).ToArray(),
            latency,
            mark,
            [
                new KpiExtra("db wait ms", "ms", 1.5 * factor, IsTotal: true),
                new KpiExtra("log backlog", "lines", 7, IsTotal: false) { IsDetail = true },
                new KpiExtra("broken", "ms", double.NaN, IsTotal: false),
            ])
        {
            Timestamp = new DateTimeOffset(2024, 5, 6, 7, 8, 9, TimeSpan.Zero).AddSeconds(10 * number),
            Elapsed = TimeSpan.FromSeconds(10 * number),
            SendBuffersInUse = 8 + number,
            PoolInUse = 3,
            Process = new ProcessFigures(
                TimeSpan.FromMilliseconds(111 * factor),
                1000 + number,
                2000 + number,
                3 * factor,
                2 * factor,
                factor,
                TimeSpan.FromMilliseconds(1.25 * factor),
                4444 * factor),
        };
    }
}
