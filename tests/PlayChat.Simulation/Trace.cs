using System.Globalization;
using System.Text;

namespace PlayChat.Simulation;

/// <summary>The history of a world: a hash of all of it, its last lines, and on request every line.</summary>
internal sealed class Trace(SimulatedClock clock, TextWriter? output)
{
    private const int KeptLines = 400;

    private readonly Queue<string> _lines = new();
    private ulong _hash = 14695981039346656037; // FNV-1a

    internal ulong Hash => _hash;

    /// <summary>Whether lines are kept; their text costs far more than the hash.</summary>
    internal bool KeepsLines { get; init; }

    internal IEnumerable<string> Lines => _lines;

    /// <summary>Adds numbers to the hash.</summary>
    internal void Add(long first, long second = 0, long third = 0)
    {
        Mix(clock.GetTimestamp());
        Mix(first);
        Mix(second);
        Mix(third);
    }

    /// <summary>Adds a line.</summary>
    internal void Note(ref Interpolated line)
    {
        if (!KeepsLines)
        {
            return;
        }

        Keep(line.Text);
    }

    private void Keep(string line)
    {
        string text = string.Create(CultureInfo.InvariantCulture, $"{clock.Elapsed.TotalSeconds,9:F3} {line}");
        output?.WriteLine(text);
        _lines.Enqueue(text);
        if (_lines.Count > KeptLines)
        {
            _lines.Dequeue();
        }
    }

    /// <summary>Adds a text to the hash, and to the lines if they are kept.</summary>
    internal void AddLine(string line)
    {
        Mix(clock.GetTimestamp());
        foreach (char c in line)
        {
            _hash = (_hash ^ c) * 1099511628211;
        }

        if (KeepsLines)
        {
            Keep(line);
        }
    }

    private void Mix(long value)
    {
        for (int shift = 0; shift < 64; shift += 16)
        {
            _hash = (_hash ^ (ushort)(value >> shift)) * 1099511628211;
        }
    }

    /// <summary>A line that is only formatted when the trace keeps lines.</summary>
    [System.Runtime.CompilerServices.InterpolatedStringHandler]
    internal ref struct Interpolated
    {
        private readonly StringBuilder? _text;

        public Interpolated(int literalLength, int formattedCount, SimulatedWorld world, out bool isNeeded)
        {
            _ = formattedCount;
            isNeeded = world.Trace.KeepsLines;
            _text = isNeeded ? new StringBuilder(literalLength) : null;
        }

        internal readonly string Text => _text?.ToString() ?? "";

        public readonly void AppendLiteral(string text) => _text!.Append(text);

        public readonly void AppendFormatted<T>(T value) => _text!.Append(CultureInfo.InvariantCulture, $"{value}");
    }
}
