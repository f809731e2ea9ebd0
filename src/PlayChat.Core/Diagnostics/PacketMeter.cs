using System.Diagnostics.Metrics;

namespace PlayChat.Core.Diagnostics;

/// <summary>Makes the instruments of packet types. They measure while a listener subscribes to the durations.</summary>
/// <remarks>Thread-safe. Only mapped packets are measured, so a peer cannot invent tag values.</remarks>
internal sealed class PacketMeter
{
    private readonly object _gate = new();
    private PacketFigures[] _packets = []; // replaced under _gate, read without it

    internal PacketMeter(Meter meter)
    {
        meter.CreateObservableCounter(
            PlayChatMeter.PacketsReceived,
            () => Read(static packet => packet.Received), "{packet}", "Packets received, by type.");
        meter.CreateObservableCounter(
            PlayChatMeter.PacketBytes, () => Read(static packet => packet.Bytes), "By", "Bytes of packet bodies received, by type.");
        Errors = meter.CreateCounter<long>(
            PlayChatMeter.PacketErrors, "{packet}", "Packets that were refused or whose handler failed, by type and error.");
        Durations = meter.CreateHistogram<double>(PlayChatMeter.PacketDuration, "s", "Time that handlers took, by packet type.");
    }

    internal Counter<long> Errors { get; }

    internal Histogram<double> Durations { get; }

    internal PacketFigures Add(string name)
    {
        lock (_gate)
        {
            var added = new PacketFigures(this, name);
            _packets = [.. _packets, added];
            return added;
        }
    }

    private IEnumerable<Measurement<long>> Read(Func<PacketFigures, long> read) =>
        Volatile.Read(ref _packets).Select(packet => new Measurement<long>(read(packet), packet.Tag));
}
