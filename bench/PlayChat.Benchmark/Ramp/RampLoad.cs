using PlayChat.Benchmark.Echo;
using PlayChat.Benchmark.Run;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Ramp;

/// <summary>What all connections of a ramp share.</summary>
internal sealed class RampLoad(EchoCodec codec, FaultLog faults)
{
    public EchoCodec Codec { get; } = codec;

    public FaultLog Faults { get; } = faults;

    public LatencyRecorder RoundTrips { get; } = new();

    /// <summary>Set when the load begins.</summary>
    public RunClock Clock { get; set; } = null!;
}
