using System.Diagnostics.Metrics;

namespace PlayChat.Chat.Cluster;

/// <summary>Makes the meters of one life of a node, which end with it: the next life counts anew.</summary>
/// <param name="factory">The server's: its readers take the meters for the server's own.</param>
internal sealed class LifeMeters(IMeterFactory factory) : IMeterFactory
{
    private readonly List<Meter> _meters = []; // changed only while the life begins

    public Meter Create(MeterOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Scope = factory;
        var meter = new Meter(options);
        _meters.Add(meter);
        return meter;
    }

    public void Dispose() => _meters.ForEach(static meter => meter.Dispose());
}
