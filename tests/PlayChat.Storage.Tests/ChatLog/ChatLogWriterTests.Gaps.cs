using PlayChat.Storage.ChatLog;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.ChatLog;

public sealed partial class ChatLogWriterTests
{
    [Fact]
    public async Task A_file_that_cannot_be_written_gives_up_its_oldest_records_and_the_database_gets_all()
    {
        _options.FlushInterval = s_noTimer;
        _options.QueueRecords = 40;
        _options.BatchRecords = 5;
        _options.FullPolicy = ChatLogFullPolicy.Wait;
        var file = new TestSink("file") { Failing = true };
        await using ChatLogWriter writer = Start(_sink, file);

        // Ten times what the queue has space for.
        Task all = AppendWhenTakenAsync(writer, 1, 400);
        await Eventually.TrueAsync(() =>
        {
            _time.Advance(_options.RetryDelay);
            return all.IsCompleted;
        });
        await all;
        file.Failing = false;
        await AppendWhenTakenAsync(writer, 401, 1);
        ChatLogStopReport report = await Guard(writer.StopAsync());

        long lost = writer.Metrics.GivenUp;
        Assert.InRange(lost, 360, 400);
        Assert.Equal(Range(1, 401), _sink.Sequences);
        Assert.Equal(Range((int)lost + 1, 401 - (int)lost), file.Sequences);
        Assert.Equal(401, writer.Metrics.InDatabase);
        Assert.Equal(401 - lost, writer.Metrics.Stored);
        Assert.Equal(0, writer.Metrics.NotStored);
        Assert.Equal((lost, lost, 0L), (report.NotStored, report.NotStoredBySink["file"], report.NotStoredBySink["test"]));
        Assert.Equal("SinkFailed, SinkGivesUp, SinkRecovered, SinkHasGap, StoppedIncomplete", _logger.Events);
    }

    [Fact]
    public async Task What_the_database_lacks_as_well_is_not_given_up()
    {
        _options.FlushInterval = s_noTimer;
        _options.QueueRecords = 20;
        _sink.Failing = true;
        var file = new TestSink("file") { Failing = true };
        await using ChatLogWriter writer = Start(_sink, file);
        Append(writer, 1, 20);

        for (int i = 0; i < 5; i++)
        {
            await Guard(file.NextAttemptAsync());
            await Guard(_time.WaitForTimersAsync(2));
            _time.Advance(_options.MaxRetryDelay);
        }

        Assert.Equal(20, writer.Metrics.Queued);
        _sink.Failing = false;
        file.Failing = false;
        Assert.True((await Guard(writer.StopAsync())).IsComplete);
        Assert.Equal(Range(1, 20), _sink.Sequences);
        Assert.Equal(Range(1, 20), file.Sequences);
        Assert.Equal(0, writer.Metrics.GivenUp);
    }

    [Fact]
    public async Task A_file_whose_records_have_space_waits_for_its_disk_and_has_no_gap()
    {
        _options.FlushInterval = s_noTimer;
        _options.QueueRecords = 40;
        var file = new TestSink("file") { Failing = true };
        await using ChatLogWriter writer = Start(_sink, file);
        Append(writer, 1, 19);

        await ReceiveAsync(_sink, 19);
        for (int i = 0; i < 5; i++)
        {
            await Guard(file.NextAttemptAsync());
            await Guard(_time.WaitForTimersAsync());
            _time.Advance(_options.MaxRetryDelay);
        }

        file.Failing = false;
        Assert.True((await Guard(writer.StopAsync())).IsComplete);
        Assert.Equal(Range(1, 19), file.Sequences);
    }
}
