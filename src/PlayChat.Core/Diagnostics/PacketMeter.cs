using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace PlayChat.Core.Diagnostics;

/// <summary>Measures packets by their type. It costs one comparison for each packet until a listener subscribes.</summary>
/// <remarks>
/// Thread-safe. Unlike the other instruments these push each measurement: a histogram needs every duration. Only mapped packets are
/// measured, so a peer cannot invent tag values.
/// </remarks>
internal sealed class PacketMeter
{
    private const string Packet = "packet";

    private readonly Counter<long> _received;
    private readonly Counter<long> _bytes;
    private readonly Counter<long> _errors;
    private readonly Histogram<double> _duration;

    internal PacketMeter(Meter meter)
    {
        _received = meter.CreateCounter<long>(PlayChatMeter.PacketsReceived, "{packet}", "Packets received, by type.");
        _bytes = meter.CreateCounter<long>(PlayChatMeter.PacketBytes, "By", "Bytes of packet bodies received, by type.");
        _errors = meter.CreateCounter<long>(
            PlayChatMeter.PacketErrors, "{packet}", "Packets that were refused or whose handler failed, by type and error.");
        _duration = meter.CreateHistogram<double>(PlayChatMeter.PacketDuration, "s", "Time that handlers took, by packet type.");
    }

    /// <summary>Whether a listener has subscribed to the durations. Callers ask this before they measure.</summary>
    internal bool IsEnabled => _duration.Enabled;

    internal void CountReceived(string packet, int bytes)
    {
        var tag = new KeyValuePair<string, object?>(Packet, packet);
        _received.Add(1, tag);
        _bytes.Add(bytes, tag);
    }

    internal void CountError(string packet, string error) => _errors.Add(
        1, new KeyValuePair<string, object?>(Packet, packet), new KeyValuePair<string, object?>("error.type", error));

    /// <summary>Records the time since a timestamp of <see cref="Stopwatch"/>, and counts the handler's failure.</summary>
    internal void Record(string packet, long startTimestamp, bool hasFailed)
    {
        _duration.Record(Stopwatch.GetElapsedTime(startTimestamp).TotalSeconds, new KeyValuePair<string, object?>(Packet, packet));
        if (hasFailed)
        {
            CountError(packet, "handler_fault");
        }
    }
}
