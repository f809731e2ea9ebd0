namespace PlayChat.Benchmark.Servers;

/// <summary>Follows a file to which a server appends a KPI line each interval. For one thread.</summary>
internal sealed class KpiFile(string path)
{
    private const byte LineFeed = (byte)'\n';

    private readonly List<KpiLine> _lines = [];
    private long _position;

    /// <summary>All lines read so far, oldest first.</summary>
    public IReadOnlyList<KpiLine> Lines => _lines;

    /// <summary>Reads what was appended since the last call. A line that is not whole yet waits for the next.</summary>
    /// <returns>The newest line of all; <see langword="null"/> when there is none yet.</returns>
    public KpiLine? ReadNew()
    {
        if (File.Exists(path))
        {
            byte[] added = ReadAdded();
            int end = Array.LastIndexOf(added, LineFeed) + 1;
            for (int start = 0; start < end;)
            {
                int length = Array.IndexOf(added, LineFeed, start) - start;
                if (KpiLine.TryParse(added.AsMemory(start, length), out KpiLine? line))
                {
                    _lines.Add(line);
                }

                start += length + 1;
            }

            _position += end;
        }

        return _lines.Count == 0 ? null : _lines[^1];
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
