using BenchmarkDotNet.Attributes;
using PlayChat.Core.Diagnostics;
using PlayChat.Kpi;

namespace PlayChat.MicroBenchmarks;

/// <summary>What measuring costs per message, beside the cheapest thing that could count at all.</summary>
[MemoryDiagnoser]
public class HistogramBenchmarks
{
    private const int Operations = 1024;

    private readonly long[] _values = new long[Operations];
    private readonly long[] _plainBuckets = new long[4096];
    private readonly LatencyHistogram _histogram = new();
    private readonly LatencyRecorder _recorder = new();
    private readonly StripedCounters _counters = new(Enum.GetValues<Counter>().Length);
    private long _shared;

    [GlobalSetup]
    public void Draw()
    {
        var random = new Random(1);
        for (int i = 0; i < Operations; i++)
        {
            _values[i] = (long)(-Math.Log(1 - random.NextDouble()) * 50_000);
        }
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Operations)]
    public void Interlocked_increment_in_a_plain_array()
    {
        foreach (long value in _values)
        {
            Interlocked.Increment(ref _plainBuckets[value & 4095]);
        }
    }

    [Benchmark(OperationsPerInvoke = Operations)]
    public void Histogram_record()
    {
        foreach (long value in _values)
        {
            _histogram.Record(value);
        }
    }

    [Benchmark(OperationsPerInvoke = Operations)]
    public void Recorder_record()
    {
        foreach (long value in _values)
        {
            _recorder.Record(value);
        }
    }

    [Benchmark(OperationsPerInvoke = Operations)]
    public void Interlocked_add_to_a_shared_long()
    {
        foreach (long value in _values)
        {
            Interlocked.Add(ref _shared, value);
        }
    }

    [Benchmark(OperationsPerInvoke = Operations)]
    public void Striped_counter_add()
    {
        foreach (long value in _values)
        {
            _counters.Add((int)Counter.BytesReceived, value);
        }
    }
}
