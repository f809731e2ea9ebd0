namespace PlayChat.Kpi.Tests;

public sealed class LatencyRecorderTests
{
    private const int Threads = 8;
    private const int Records = 50_000;

    [Fact]
    public void Parallel_records_are_all_counted()
    {
        var recorder = new LatencyRecorder();

        RecordInParallel(recorder, whileRecording: static () => { });

        LatencyHistogram histogram = recorder.Snapshot();
        Assert.Equal(Threads * Records * 3L, histogram.Count);
        Assert.Equal(1000 * (Threads + 1) / 2d, histogram.MeanNanoseconds);
        Assert.Equal(1000 * Threads, histogram.MaxNanoseconds);
    }

    [Fact]
    public void Snapshots_taken_meanwhile_are_whole_and_only_grow()
    {
        var recorder = new LatencyRecorder();
        LatencyHistogram last = recorder.Snapshot();

        RecordInParallel(recorder, () =>
        {
            LatencyHistogram next = recorder.Snapshot();
            Assert.Equal(next.Count, next.Summarize().BucketCounts.Sum());
            Assert.Equal(0, next.Count % 3);
            var growth = new LatencyHistogram();
            growth.Add(next);
            growth.Subtract(last); // throws unless everything that was there before is there now
            last = next;
        });

        Assert.True(last.Count <= recorder.Snapshot().Count);
    }

    private static void RecordInParallel(LatencyRecorder recorder, Action whileRecording)
    {
        int running = Threads;
        Thread[] threads = Enumerable.Range(1, Threads).Select(number => new Thread(() =>
        {
            for (int i = 0; i < Records; i++)
            {
                recorder.Record(1000 * number, 3);
            }

            Interlocked.Decrement(ref running);
        })).ToArray();
        Array.ForEach(threads, static thread => thread.Start());
        while (Volatile.Read(ref running) > 0)
        {
            whileRecording();
        }

        Array.ForEach(threads, static thread => thread.Join());
    }
}
