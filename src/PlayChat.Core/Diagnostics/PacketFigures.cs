namespace PlayChat.Core.Diagnostics;

/// <summary>Measures the packets of one type. Thread-safe.</summary>
/// <remarks>
/// Counts are kept here and read by a collector. Durations are pushed one by one, because a histogram needs each; that is the larger part
/// of the cost.
/// </remarks>
internal sealed class PacketFigures(PacketMeter meter, string name)
{
    private long _received;
    private long _bytes;

    /// <summary>Whether a listener has subscribed to the durations. Callers ask this before they measure.</summary>
    internal bool IsEnabled => meter.Durations.Enabled;

    /// <summary>The tag of every measurement.</summary>
    internal KeyValuePair<string, object?> Tag { get; } = new("packet", name);

    internal long Received => Interlocked.Read(ref _received);

    internal long Bytes => Interlocked.Read(ref _bytes);

    internal void CountReceived(int bytes)
    {
        Interlocked.Increment(ref _received);
        Interlocked.Add(ref _bytes, bytes);
    }

    internal void CountError(string error) => meter.Errors.Add(1, Tag, new KeyValuePair<string, object?>("error.type", error));

    /// <summary>Records the time since a timestamp of <see cref="Stopwatch"/>, and counts the handler's failure.</summary>
    internal void Record(long startTimestamp, bool hasFailed)
    {
        meter.Durations.Record(Stopwatch.GetElapsedTime(startTimestamp).TotalSeconds, Tag);
        if (hasFailed)
        {
            CountError("handler_fault");
        }
    }
}
