using PlayChat.Storage.ChatLog;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.ChatLog;

public sealed partial class ChatLogWriterTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly TestSink _sink = new();
    private readonly TestLogger _logger = new();
    private readonly ChatLogOptions _options = new()
    {
        BatchRecords = 10,
        FlushInterval = TimeSpan.FromSeconds(1),
        RetryDelay = TimeSpan.FromSeconds(1),
        MaxRetryDelay = TimeSpan.FromSeconds(4),
    };

    [Fact]
    public async Task A_full_batch_is_written_without_waiting()
    {
        await using ChatLogWriter writer = Start();

        Append(writer, 1, 25);

        Assert.Equal(10, (await Guard(_sink.NextBatchAsync())).Length);
        Assert.Equal(10, (await Guard(_sink.NextBatchAsync())).Length);
        ChatLogStopReport report = await Guard(writer.StopAsync());
        Assert.True(report.IsComplete);
        Assert.Equal(Range(1, 25), _sink.Sequences);
        Assert.Equal(5, _sink.Written[2].Length);
    }

    [Fact]
    public async Task Fewer_records_are_written_when_the_flush_interval_has_passed()
    {
        await using ChatLogWriter writer = Start();
        Append(writer, 1, 3);
        await Guard(_time.WaitForTimersAsync());

        _time.Advance(_options.FlushInterval - TimeSpan.FromTicks(1));
        Assert.Empty(_sink.Written);
        _time.Advance(TimeSpan.FromTicks(1));

        Assert.Equal(Range(1, 3), (await Guard(_sink.NextBatchAsync())).Select(record => record.Sequence));
        await Guard(writer.StopAsync());
    }

    [Fact]
    public async Task A_full_queue_counts_exactly_what_is_not_stored()
    {
        _options.QueueRecords = 20;
        _sink.Hold();
        await using ChatLogWriter writer = Start();

        bool[] accepted = Enumerable.Range(1, 50).Select(i => writer.TryAppend(Record(i))).ToArray();

        Assert.Equal(20, accepted.Count(taken => taken));
        Assert.Equal(20, writer.Metrics.Queued);
        Assert.Equal(30, writer.Metrics.NotStored);
        Assert.False(await writer.AppendAsync(Record(51)));
        Assert.Equal(31, writer.Metrics.NotStored);
        _sink.Release();
        Assert.True((await Guard(writer.StopAsync())).IsComplete);
        Assert.Equal(Range(1, 20), _sink.Sequences);
        Assert.Equal(20, writer.Metrics.Stored);
        Assert.Equal(31, writer.Metrics.NotStored);
        Assert.Equal("QueueFull, QueueHasSpace", _logger.Events);
    }

    [Fact]
    public async Task The_queue_is_bounded_in_bytes_too_and_takes_any_record_when_empty()
    {
        _options.QueueBytes = 64 * 1024;
        _sink.Hold();
        await using ChatLogWriter writer = Start();

        Assert.True(writer.TryAppend(Record(1) with { Text = new string('x', 100_000) }));
        Assert.False(writer.TryAppend(Record(2)));

        Assert.InRange(writer.Metrics.QueuedBytes, 200_000, 201_000);
        _sink.Release();
        await Guard(writer.StopAsync());
        Assert.Equal(0, writer.Metrics.QueuedBytes);
    }

    [Fact]
    public async Task A_sender_waits_for_space_under_the_Wait_policy_and_order_is_kept()
    {
        _options.FullPolicy = ChatLogFullPolicy.Wait;
        _options.QueueRecords = 10;
        _sink.Hold();
        await using ChatLogWriter writer = Start();
        Append(writer, 1, 10);

        Assert.False(writer.TryAppend(Record(11)));
        Task<bool>[] waiting = Enumerable.Range(11, 15).Select(i => writer.AppendAsync(Record(i)).AsTask()).ToArray();

        Assert.All(waiting, wait => Assert.False(wait.IsCompleted));
        Assert.Equal(15, writer.Metrics.Waiting);
        Assert.Equal(10, writer.Metrics.Queued);
        _sink.Release();
        Assert.All(await Guard(Task.WhenAll(waiting)), Assert.True);
        await Guard(writer.StopAsync());
        Assert.Equal(Range(1, 25), _sink.Sequences);
        Assert.Equal(0, writer.Metrics.NotStored);
        Assert.Equal(10, writer.Metrics.PeakQueued);
    }

    [Fact]
    public async Task A_queue_smaller_than_a_batch_is_written_as_soon_as_someone_waits()
    {
        _options.FullPolicy = ChatLogFullPolicy.Wait;
        _options.QueueRecords = 2;
        await using ChatLogWriter writer = Start();
        Append(writer, 1, 2);

        Assert.True(await Guard(writer.AppendAsync(Record(3)).AsTask()));
    }

    [Fact]
    public async Task A_cancelled_wait_leaves_nothing_behind()
    {
        _options.FullPolicy = ChatLogFullPolicy.Wait;
        _options.QueueRecords = 1;
        _sink.Hold();
        await using ChatLogWriter writer = Start();
        Append(writer, 1, 1);
        using var cancel = new CancellationTokenSource();
        Task<bool> waiting = writer.AppendAsync(Record(2), cancel.Token).AsTask();

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Guard(waiting));
        Assert.Equal(0, writer.Metrics.Waiting);
        _sink.Release();
        await Guard(writer.StopAsync());
        Assert.Equal([1], _sink.Sequences);
        Assert.Equal(0, writer.Metrics.NotStored);
    }

    [Fact]
    public async Task Many_writers_lose_and_duplicate_nothing()
    {
        const int Rooms = 8;
        const int Each = 5_000;
        _options.FullPolicy = ChatLogFullPolicy.Wait;
        _options.QueueRecords = 100;
        _options.FlushInterval = TimeSpan.Zero;
        await using ChatLogWriter writer = Start();

        await Guard(Task.WhenAll(Enumerable.Range(1, Rooms).Select(room => Task.Run(async () =>
        {
            for (int i = 1; i <= Each; i++)
            {
                Assert.True(await writer.AppendAsync(Record(i) with { RoomId = room }));
            }
        }))));
        ChatLogStopReport report = await Guard(writer.StopAsync());

        Assert.True(report.IsComplete);
        Assert.Equal(Rooms * Each, writer.Metrics.Stored);
        Assert.InRange(writer.Metrics.PeakQueued, 1, 100);
        Assert.All(
            _sink.Written.SelectMany(batch => batch).GroupBy(record => record.RoomId),
            room => Assert.Equal(Range(1, Each), room.Select(record => record.Sequence)));
    }

    [Fact]
    public void Options_out_of_range_are_named()
    {
        _options.BatchRecords = 0;

        StorageException error = Assert.Throws<StorageException>(() => Start());

        Assert.Equal("BatchRecords is 0; allowed is 1 to 100000.", error.Message);
    }

    private static Task<T> Guard<T>(Task<T> task) => task.WaitAsync(TestTimeouts.Hang);

    private static Task Guard(Task task) => task.WaitAsync(TestTimeouts.Hang);

    /// <summary>Lets the time of a stop pass, as often as it takes: the deadline may begin after the wait for the next try.</summary>
    private Task<ChatLogStopReport> RunOutOfTimeAsync(Task<ChatLogStopReport> stop) => Eventually.GetAsync(
        async () =>
        {
            _time.Advance(_options.StopTimeout);
            return stop.IsCompleted ? await stop : null!;
        },
        static report => report is not null);

    private static IEnumerable<long> Range(int first, int count) => Enumerable.Range(first, count).Select(i => (long)i);

    private static ChatRecord Record(long sequence) => new(1, sequence, 1, "mina", "hello", DateTimeOffset.UnixEpoch);

    private static void Append(ChatLogWriter writer, int first, int count)
    {
        foreach (long sequence in Range(first, count))
        {
            Assert.True(writer.TryAppend(Record(sequence)));
        }
    }

    private ChatLogWriter Start(params TestSink[] sinks) => new(sinks is [] ? [_sink] : sinks, _options, _logger, _time);
}
