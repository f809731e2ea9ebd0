using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Storage.ChatLog;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.ChatLog;

public sealed partial class ChatLogWriterTests
{
    [Fact]
    public async Task While_the_database_is_away_records_go_to_the_file_and_from_there_in_their_order()
    {
        using var folder = new TemporaryDirectory();
        using ChatLogSpill spill = ChatLogSpill.Open(folder.Combine("spill.db"), 1024 * 1024, NullLogger.Instance);
        _options.FlushInterval = s_noTimer;
        _options.QueueRecords = 40;
        _options.FullPolicy = ChatLogFullPolicy.Wait;
        _sink.Hold();
        await using ChatLogWriter writer = StartWith(spill);
        Append(writer, 1, 1);
        await Guard(_sink.NextAttemptAsync());

        // More than the queue ever had space for: each is taken as soon as the file has made space.
        await AppendWhenTakenAsync(writer, 2, 399);

        Assert.Equal(0, writer.Metrics.NotStored);
        Assert.InRange(spill.Records, 300, 399);
        Assert.Equal(0, writer.Metrics.InDatabase);
        _sink.Release();
        Assert.True((await Guard(writer.StopAsync())).IsComplete);
        Assert.Equal(Range(1, 400), _sink.Sequences);
        Assert.Equal(400, writer.Metrics.InDatabase);
        Assert.True(spill.IsEmpty);
        Assert.Equal("SpillBegun, SpillEmptied", _logger.Events);
    }

    [Fact]
    public async Task A_stop_while_the_database_is_away_leaves_everything_in_the_file()
    {
        using var folder = new TemporaryDirectory();
        string path = folder.Combine("spill.db");
        using (ChatLogSpill spill = ChatLogSpill.Open(path, 1024 * 1024, NullLogger.Instance))
        {
            _options.FlushInterval = s_noTimer;
            _sink.Failing = true;
            await using ChatLogWriter writer = StartWith(spill);
            Append(writer, 1, 25);

            ChatLogStopReport report = await Guard(writer.StopAsync(new CancellationToken(canceled: true)));

            Assert.True(report.IsComplete);
        }

        using ChatLogSpill left = ChatLogSpill.Open(path, 1024 * 1024, NullLogger.Instance);
        _sink.Failing = false;
        Assert.Equal(25, await left.ImportAsync(_sink, CancellationToken.None));
        Assert.Equal(Range(1, 25), _sink.Sequences);
    }

    [Fact]
    public async Task A_stop_while_the_database_hangs_leaves_everything_in_the_file()
    {
        using var folder = new TemporaryDirectory();
        string path = folder.Combine("spill.db");
        using (ChatLogSpill spill = ChatLogSpill.Open(path, 1024 * 1024, NullLogger.Instance))
        {
            _options.FlushInterval = s_noTimer;
            _sink.Hold();
            _sink.Stubborn = true;
            await using ChatLogWriter writer = StartWith(spill);
            Append(writer, 1, 25);
            await Guard(_sink.NextAttemptAsync());

            Assert.True((await Guard(writer.StopAsync(new CancellationToken(canceled: true)))).IsComplete);
        }

        using ChatLogSpill left = ChatLogSpill.Open(path, 1024 * 1024, NullLogger.Instance);
        var back = new TestSink("back");
        Assert.Equal(25, await left.ImportAsync(back, CancellationToken.None));
        Assert.Equal(Range(1, 25), back.Sequences);
        _sink.Release();
    }

    [Fact]
    public async Task When_the_file_is_full_as_well_the_policy_counts()
    {
        using var folder = new TemporaryDirectory();
        using ChatLogSpill spill = ChatLogSpill.Open(folder.Combine("spill.db"), 64 * 1024, NullLogger.Instance);
        _options.FlushInterval = s_noTimer;
        _options.QueueRecords = 40;
        _sink.Hold();
        await using ChatLogWriter writer = StartWith(spill);
        Append(writer, 1, 1);
        await Guard(_sink.NextAttemptAsync());

        var taken = new List<long> { 1 };
        for (long sequence = 2; writer.Metrics.NotStored == 0; sequence++)
        {
            if (writer.TryAppend(Record(sequence)))
            {
                taken.Add(sequence);
            }
        }

        _sink.Release();
        Assert.True((await Guard(writer.StopAsync())).IsComplete);
        Assert.Equal(taken, _sink.Sequences);
    }

    [Fact]
    public async Task A_file_that_could_not_be_written_takes_records_again_while_the_database_is_still_away()
    {
        using var folder = new TemporaryDirectory();
        using ChatLogSpill spill = ChatLogSpill.Open(folder.Combine("spill.db"), 1024 * 1024, _logger);
        _options.FlushInterval = s_noTimer;
        _options.QueueRecords = 40;
        _options.FullPolicy = ChatLogFullPolicy.Wait;
        _sink.Hold();
        await using ChatLogWriter writer = StartWith(spill);
        Append(writer, 1, 1);
        await Guard(_sink.NextAttemptAsync());
        spill.RefuseWrites(true);
        Append(writer, 2, 39);
        Task<bool> waiting = writer.AppendAsync(Record(41)).AsTask();

        // The file has refused, and is asked again when this has passed. The other timer is that of the warning about the sink.
        await Guard(_time.WaitForTimersAsync(2));
        Assert.False(waiting.IsCompleted);
        spill.RefuseWrites(false);
        _time.Advance(_options.RetryDelay);

        Assert.True(await Guard(waiting));
        await AppendWhenTakenAsync(writer, 42, 359);
        Assert.InRange(spill.Records, 300, 399);
        _sink.Release();
        Assert.True((await Guard(writer.StopAsync())).IsComplete);
        Assert.Equal(Range(1, 400), _sink.Sequences);
        Assert.Equal("SpillFailed, SpillBegun, SpillEmptied", _logger.Events);
    }

    [Fact]
    public async Task The_first_sink_tells_what_it_has_stored_and_the_others_do_not()
    {
        _options.FlushInterval = s_noTimer;
        var stored = new List<long>();
        var other = new TestSink("other");
        await using (var writer = new ChatLogWriter([_sink, other], _options, _logger, _time, stored: records =>
            stored.AddRange(records.Select(static record => record.Sequence))))
        {
            _sink.Hold();
            Append(writer, 1, 5);
            await ReceiveAsync(other, 5);
            Assert.Empty(stored);
            _sink.Release();
        }

        Assert.Equal(Range(1, 5), stored);
    }

    [Fact]
    public async Task A_sink_that_comes_after_gets_what_the_first_one_has_stored()
    {
        _options.FlushInterval = s_noTimer;
        var beside = new TestSink("beside");
        var after = new LaterSink(_sink);
        await using (var writer = new ChatLogWriter([_sink, beside], _options, _logger, _time, after: [after]))
        {
            _sink.Hold();
            Append(writer, 1, 5);
            await ReceiveAsync(beside, 5);
            _sink.Release();
        }

        Assert.Equal(Range(1, 5), after.Sequences);
        Assert.Empty(after.TooEarly);
    }

    private static async Task AppendWhenTakenAsync(ChatLogWriter writer, int first, int count)
    {
        foreach (long sequence in Range(first, count))
        {
            Assert.True(await Guard(writer.AppendAsync(Record(sequence)).AsTask()));
        }
    }

    private ChatLogWriter StartWith(ChatLogSpill spill) => new([_sink], _options, _logger, _time, spill);

    private sealed class LaterSink(TestSink first) : IChatLogSink
    {
        public string Name => "after";

        public List<long> Sequences { get; } = [];

        public List<long> TooEarly { get; } = [];

        public Task<int> WriteBatchAsync(IReadOnlyList<ChatRecord> batch, CancellationToken cancellationToken)
        {
            long[] sequences = [.. batch.Select(static record => record.Sequence)];
            TooEarly.AddRange(sequences.Except(first.Sequences));
            Sequences.AddRange(sequences);
            return Task.FromResult(batch.Count);
        }
    }
}
