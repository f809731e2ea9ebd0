using System.Text;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Servers;

/// <summary>Follows a file to which a server appends a KPI line each interval. Not thread-safe.</summary>
internal sealed class KpiFile(string path)
{
    /// <summary>How often the servers that the benchmark starts write a line.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);

    private const byte LineFeed = (byte)'\n';

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
            int end = Array.LastIndexOf(added, LineFeed) + 1;
            for (int start = 0; start < end;)
            {
                int length = Array.IndexOf(added, LineFeed, start) - start;
                Add(Encoding.UTF8.GetString(added, start, length));
                start += length + 1;
            }

            _position += end;
        }

        return _lines.Count == 0 ? null : _lines[^1];
    }

    /// <summary>
    /// The figures between two lines; <see langword="null"/> when one is missing, or when a new server started in between.
    /// </summary>
    public ServerFigures? Between(KpiSnapshot? first, KpiSnapshot? last) =>
        first is not null && last is not null && last.Elapsed > first.Elapsed && _lines.Contains(first)
            ? new ServerFigures(KpiInterval.Between(first, last))
            : null;

    /// <summary>The figures from the first to the last line within a time; <see langword="null"/> with fewer than two lines.</summary>
    /// <param name="from">The start, by the wall clock.</param>
    /// <param name="to">The end.</param>
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
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        if (file.Length <= _position)
        {
            return [];
        }

        file.Position = _position;
        byte[] added = new byte[file.Length - _position];
        int read = file.ReadAtLeast(added, added.Length, throwOnEndOfStream: false);
        return read == added.Length ? added : added[..read];
    }
}
