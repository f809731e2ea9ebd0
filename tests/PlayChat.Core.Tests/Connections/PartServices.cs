using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

/// <summary>What one part of a connection needs to be tested by itself. Its end is checked for leaks.</summary>
internal sealed class PartServices : IDisposable
{
    internal PartServices(Action<ConnectionOptions>? configure = null, FrameFormat? format = null)
    {
        var options = new ConnectionOptions();
        configure?.Invoke(options);
        Metrics = new ServerMetrics(time: Time);
        Services = new ConnectionServices
        {
            Format = format ?? FrameFormat.Packet(),
            Handler = Handler,
            Options = options,
            Pool = Pool,
            Metrics = Metrics,
            Time = Time,
            Logger = Logger,
        };
    }

    internal ManualTimeProvider Time { get; } = new();

    internal CountingSegmentPool Pool { get; } = new();

    internal RecordingHandler Handler { get; } = new();

    internal RecordingLogger Logger { get; } = new();

    internal StubLink Link { get; } = new() { Sent = new MemoryStream() };

    internal ServerMetrics Metrics { get; }

    internal ConnectionServices Services { get; }

    public void Dispose()
    {
        Metrics.Dispose();
        Pool.Verify();
    }
}
