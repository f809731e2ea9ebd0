using Microsoft.Win32.SafeHandles;

namespace PlayChat.Benchmark.Servers;

/// <summary>Follows a file to which a server appends a KPI line each interval. Not thread-safe.</summary>
internal sealed class KpiFile(string path)
{
    /// <summary>How often the servers that the benchmark starts write a line.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);

    private readonly List<KpiSnapshot> _lines = [];
    private long _position;

    /// <summary>All lines so far of the server that writes the file, oldest first.</summary>
    public IReadOnlyList<KpiSnapshot> Lines => _lines;

    /// <summary>Reads the lines appended since the last call. An incomplete line is left for the next call.</summary>
    /// <returns>The newest line; <see langword="null"/> when there is none yet.</returns>
    public KpiSnapshot? ReadNew()
    {
        if (File.Exists(path))
        {
            byte[] added = ReadAdded();
            int end = Array.LastIndexOf(added, (byte)'\n') + 1;
            Array.ForEach(Encoding.UTF8.GetString(added, 0, end).Split('\n', StringSplitOptions.RemoveEmptyEntries), Add);
            _position += end;
        }

        return _lines.Count == 0 ? null : _lines[^1];
    }

    /// <summary>The figures between two lines; null when one is missing, or when a new server started in between.</summary>
    public ServerFigures? Between(KpiSnapshot? first, KpiSnapshot? last) =>
        first is not null && last is not null && last.Elapsed > first.Elapsed && _lines.Contains(first)
            ? new ServerFigures(KpiInterval.Between(first, last))
            : null;

    /// <summary>The figures from the first to the last line within a time; <see langword="null"/> with fewer than two lines.</summary>
    public ServerFigures? Within(DateTimeOffset from, DateTimeOffset to) => Between(
        _lines.Find(line => line.Timestamp >= from && line.Timestamp <= to),
        _lines.FindLast(line => line.Timestamp >= from && line.Timestamp <= to));

    private void Add(string line)
    {
        KpiSnapshot? previous = _lines.Count == 0 ? null : _lines[^1];
        if (!KpiJson.TryParse(line, previous, out KpiSnapshot? snapshot))
        {
            return;
        }

        if (snapshot.Elapsed < previous?.Elapsed)
        {
            // A new server has started to write the file.
            _lines.Clear();
        }

        _lines.Add(snapshot);
    }

    private byte[] ReadAdded()
    {
        using SafeFileHandle file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        byte[] added = new byte[Math.Max(0, RandomAccess.GetLength(file) - _position)];
        return added[..RandomAccess.Read(file, added, _position)];
    }
}

/// <summary>What the server did between two KPI lines, in total and per message.</summary>
internal sealed record ServerFigures(KpiInterval Interval)
{
    public KpiSnapshot First => Interval.Earlier;

    public KpiSnapshot Last => Interval.Later;

    /// <summary>The process's CPU time per received message; <see langword="null"/> without messages.</summary>
    public double? CpuMicrosecondsPerMessage => Per(static kpi => kpi.FramesReceived, Interval.CpuTime.TotalMicroseconds);

    /// <summary>The process's CPU time per delivery of a broadcast; <see langword="null"/> without broadcasts.</summary>
    public double? CpuMicrosecondsPerDelivery => Per(static kpi => kpi.Deliveries, Interval.CpuTime.TotalMicroseconds);

    /// <summary>Managed memory allocated per received message; <see langword="null"/> without messages.</summary>
    public double? AllocatedBytesPerMessage =>
        Per(static kpi => kpi.FramesReceived, Growth(static kpi => kpi.Process.AllocatedBytes));

    public double? DeliveriesPerSend =>
        Growth(static kpi => kpi.Deliveries) is > 0 and var grown ? Per(static kpi => kpi.Sends, grown) : null;

    /// <summary>Buffers that the pool had to make, because none was free.</summary>
    public double NewBuffersPerSecond =>
        Math.Max(0, Growth(static kpi => kpi.PoolRents - kpi.PoolReuses)) / Interval.Duration.TotalSeconds;

    private long Growth(Func<KpiSnapshot, long> count) => count(Last) - count(First);

    private double? Per(Func<KpiSnapshot, long> count, double value) => Growth(count) is > 0 and var grown ? value / grown : null;
}
