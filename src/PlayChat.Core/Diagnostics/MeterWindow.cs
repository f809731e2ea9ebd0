namespace PlayChat.Core.Diagnostics;

/// <summary>What the instruments of an interval report: the time between the two latest readings at least 10 s apart.</summary>
/// <remarks>Thread-safe. Any number of collectors, however often they collect, see the same values and cost one reading in 10 s.</remarks>
internal sealed class MeterWindow(ServerMetrics metrics)
{
    private static readonly TimeSpan s_shortest = TimeSpan.FromSeconds(10);

    private readonly object _gate = new();
    private MetricsReading? _latest;
    private Peaks _peaks;
    private LatencyBuckets _latency = new();

    internal Peaks Peaks => Read().Peaks;

    internal LatencyBuckets Latency => Read().Latency;

    private (Peaks Peaks, LatencyBuckets Latency) Read()
    {
        lock (_gate)
        {
            if (_latest is null || metrics.Elapsed - _latest.Elapsed >= s_shortest)
            {
                MetricsReading reading = metrics.ReadAll(_latest);
                if (_latest is not null)
                {
                    _peaks = reading.Peaks;
                    _latency = new LatencyBuckets();
                    _latency.Add(reading.Latency);
                    _latency.Subtract(_latest.Latency);
                }

                _latest = reading;
            }

            return (_peaks, _latency);
        }
    }
}
