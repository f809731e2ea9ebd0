using Microsoft.Extensions.Logging;
using PlayChat.Storage.ChatLog;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.ChatLog;

public sealed partial class ChatLogWriterTests
{
    // Batches are then written as they come, and the only timers are those of retries and stops.
    private static readonly TimeSpan s_noTimer = TimeSpan.Zero;

    [Fact]
    public async Task A_sink_that_fails_and_recovers_loses_nothing_and_keeps_the_order()
    {
        _options.FlushInterval = s_noTimer;
        _sink.Failing = true;
        await using ChatLogWriter writer = Start();
        Append(writer, 1, 30);

        // 1 s, 2 s, then 4 s each: the doubling ends at MaxRetryDelay.
        foreach (int delay in new[] { 1, 2, 4, 4 })
        {
            await Guard(_sink.NextAttemptAsync());
            await Guard(_time.WaitForTimersAsync());
            _time.Advance(TimeSpan.FromSeconds(delay) - TimeSpan.FromTicks(1));
            Assert.Equal(1, _time.PendingTimers);
            _sink.Failing = writer.Metrics.Failures < 4;
            _time.Advance(TimeSpan.FromTicks(1));
        }
        Assert.True((await Guard(writer.StopAsync())).IsComplete);

        Assert.Equal(Range(1, 30), _sink.Sequences);
        Assert.Equal(4, writer.Metrics.Failures);
        Assert.Equal(30, writer.Metrics.Stored);
        Assert.Equal(0, writer.Metrics.Queued);
        Assert.Equal("SinkFailed, SinkRecovered", _logger.Events);
    }

    [Fact]
    public async Task A_failing_sink_neither_stops_the_others_nor_makes_them_write_twice()
    {
        _options.FlushInterval = s_noTimer;
        var away = new TestSink("away") { Failing = true };
        await using ChatLogWriter writer = Start(away, _sink);
        Append(writer, 1, 20);

        await ReceiveAsync(_sink, 20);
        await Guard(away.NextAttemptAsync());
        await Guard(_time.WaitForTimersAsync());
        Assert.Equal(20, writer.Metrics.Queued);
        Assert.Equal(0, writer.Metrics.Stored);
        away.Failing = false;
        _time.Advance(_options.RetryDelay);
        await ReceiveAsync(away, 20);

        Assert.True((await Guard(writer.StopAsync())).IsComplete);
        Assert.Equal(Range(1, 20), _sink.Sequences);
        Assert.Equal(Range(1, 20), away.Sequences);
        Assert.Equal(20, writer.Metrics.Stored);
    }

    [Fact]
    public async Task A_stop_retries_at_once_and_stores_what_was_accepted()
    {
        _options.FlushInterval = s_noTimer;
        _sink.Failing = true;
        await using ChatLogWriter writer = Start();
        Append(writer, 1, 15);
        await Guard(_sink.NextAttemptAsync());
        await Guard(_time.WaitForTimersAsync());
        _sink.Failing = false;

        ChatLogStopReport report = await Guard(writer.StopAsync());

        Assert.True(report.IsComplete);
        Assert.Equal(Range(1, 15), _sink.Sequences);
        Assert.False(writer.TryAppend(Record(16)));
        Assert.False(await writer.AppendAsync(Record(17)));
        Assert.Equal(2, writer.Metrics.NotStored);
        Assert.Same(report, await writer.StopAsync());
    }

    [Fact]
    public async Task A_stop_that_runs_out_of_time_reports_what_is_not_stored()
    {
        _options.FlushInterval = s_noTimer;
        var away = new TestSink("away") { Failing = true };
        await using ChatLogWriter writer = Start(away, _sink);
        Append(writer, 1, 15);
        await Eventually.TrueAsync(() => _logger.Events == "SinkFailed"); // not only begun: the stop gives up what is under way
        await ReceiveAsync(_sink, 15);

        Task<ChatLogStopReport> stop = writer.StopAsync();
        ChatLogStopReport report = await RunOutOfTimeAsync(stop);
        Assert.False(report.IsComplete);
        Assert.Equal(15, report.NotStored);
        Assert.Equal(15, report.NotStoredBySink["away"]);
        Assert.Equal(0, report.NotStoredBySink["test"]);
        Assert.Equal(15, writer.Metrics.NotStored);
        Assert.Equal(Range(1, 15), _sink.Sequences);
        Assert.Equal("SinkFailed, StoppedIncomplete", _logger.Events);
    }

    [Fact]
    public async Task A_cancelled_stop_gives_up_at_once_even_on_a_sink_that_hangs()
    {
        _options.FlushInterval = s_noTimer;
        _sink.Hold();
        _sink.Stubborn = true;
        await using ChatLogWriter writer = Start();
        Append(writer, 1, 10);
        await Guard(_sink.NextAttemptAsync());

        Task<ChatLogStopReport> stop = writer.StopAsync(new CancellationToken(canceled: true));

        Assert.Equal(10, (await Guard(stop)).NotStored);
        _sink.Release();
    }

    [Fact]
    public async Task What_waits_for_space_when_the_writer_stops_is_stored_in_its_order()
    {
        _options.FullPolicy = ChatLogFullPolicy.Wait;
        _options.QueueRecords = 1;
        _sink.Hold();
        await using ChatLogWriter writer = Start();
        Append(writer, 1, 1);
        Task<bool>[] waiting = Enumerable.Range(2, 20).Select(i => writer.AppendAsync(Record(i)).AsTask()).ToArray();

        Task<ChatLogStopReport> stop = writer.StopAsync();

        Assert.All(await Guard(Task.WhenAll(waiting)), Assert.True);
        Assert.False(await writer.AppendAsync(Record(22)));
        _sink.Release();
        Assert.True((await Guard(stop)).IsComplete);
        Assert.Equal(Range(1, 21), _sink.Sequences);
        Assert.Equal(21, writer.Metrics.Stored);
        Assert.Equal(1, writer.Metrics.NotStored);
    }

    [Fact]
    public async Task Everything_written_through_the_writer_is_in_the_database()
    {
        using var folder = new TemporaryDirectory();
        await using var store = new SqliteChatStore(new SqliteStoreOptions { Path = folder.Combine("chat.db") });
        await store.InitializeAsync();
        await using (var writer = new ChatLogWriter([store, _sink], new ChatLogOptions { BatchRecords = 64 }, _logger))
        {
            Append(writer, 1, 1000);
        }

        IReadOnlyList<ChatRecord> stored = await store.ReadChatAfterAsync(1, 0, 1000);

        Assert.Equal(Range(1, 1000), stored.Select(record => record.Sequence));
        Assert.Equal(_sink.Written.SelectMany(batch => batch), stored);
        Assert.Empty(_logger.Events);
    }

    [Fact]
    public async Task A_loop_that_ends_by_a_mistake_says_so_and_the_stop_reports_what_is_missing()
    {
        _options.FlushInterval = s_noTimer;
        await using var writer = new ChatLogWriter(
            [_sink], _options, _logger, _time, stored: static _ => throw new InvalidOperationException("It must throw nothing, and does."));
        Append(writer, 1, 5);

        ChatLogStopReport report = await Guard(writer.StopAsync());

        Assert.Equal(5, report.NotStored);
        Assert.Equal("SinkEnded, StoppedIncomplete", _logger.Events);
    }

    [Fact]
    public async Task A_sink_that_hangs_is_logged_once_with_the_time_since_when_and_once_when_it_is_back()
    {
        _options.FlushInterval = s_noTimer;
        var log = new RecordingLogger();
        _time.Advance(TimeSpan.FromMinutes(7));
        _sink.Hold();
        await using var writer = new ChatLogWriter([_sink], _options, new Logger<ChatLogWriter>(log), _time);

        Append(writer, 1, 1);
        await Guard(_time.WaitForTimersAsync());
        _time.Advance(_options.WarnAfter - TimeSpan.FromTicks(1));
        Assert.Empty(log.Entries);
        _time.Advance(TimeSpan.FromTicks(1));
        await Eventually.TrueAsync(() => log.Count("SinkSilent") == 1);
        Append(writer, 2, 29);
        _time.Advance(TimeSpan.FromHours(1));
        _sink.Release();
        await ReceiveAsync(_sink, 30);

        Assert.True((await Guard(writer.StopAsync())).IsComplete);
        Assert.Collection(
            log.Entries,
            static silent =>
            {
                Assert.Equal((LogLevel.Warning, "SinkSilent"), (silent.Level, silent.Event));
                Assert.Contains("test has not answered since 2024-01-01 00:07:00Z", silent.Text, StringComparison.Ordinal);
            },
            static back => Assert.EndsWith("test is back: it had not answered for 3605.0 s.", back.Text, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_sink_that_hangs_and_then_fails_gives_the_reason_once_and_one_line_when_it_is_back()
    {
        _options.FlushInterval = s_noTimer;
        _sink.Hold();
        await using ChatLogWriter writer = Start();
        Append(writer, 1, 1);
        await Guard(_time.WaitForTimersAsync());
        _time.Advance(_options.WarnAfter);
        await Eventually.TrueAsync(() => _logger.Events == "SinkSilent");

        _sink.Failing = true;
        _sink.Release();
        await Eventually.TrueAsync(() => writer.Metrics.Failures == 1);
        await Guard(_time.WaitForTimersAsync());
        _sink.Hold();
        _time.Advance(_options.RetryDelay);
        await Eventually.TrueAsync(() => _time.UntilNextTimer == _options.WarnAfter); // the second try hangs as well
        _time.Advance(_options.WarnAfter);
        _sink.Failing = false;
        _sink.Release();
        await ReceiveAsync(_sink, 1);

        Assert.True((await Guard(writer.StopAsync())).IsComplete);
        Assert.Equal("SinkSilent, SinkFailed, SinkAnswers", _logger.Events);
    }

    private static async Task ReceiveAsync(TestSink sink, int records)
    {
        while (records > 0)
        {
            records -= (await Guard(sink.NextBatchAsync())).Length;
        }
    }
}
