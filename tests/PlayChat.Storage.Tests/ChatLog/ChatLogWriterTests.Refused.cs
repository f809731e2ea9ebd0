using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Storage.ChatLog;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.ChatLog;

/// <summary>A record that the database refuses for good costs itself, never its neighbours.</summary>
/// <remarks>
/// The writer waits for the mend of a table that refuses all of several records, here on a clock that stands still. So a test whose refused
/// records are neighbours fills the batch that has them: with no flush interval, the writer's loop may make a batch of these records alone.
/// </remarks>
public sealed partial class ChatLogWriterTests
{
    [Theory]
    [InlineData(1L)]
    [InlineData(7L)]
    [InlineData(10L)]
    [InlineData(3L, 4L, 10L)]
    [InlineData(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L)]
    public async Task A_refused_record_is_left_out_named_and_counted_and_its_neighbours_are_stored(params long[] refused)
    {
        var log = new RecordingLogger();
        _sink.Refused.UnionWith(refused);
        await using var writer = new ChatLogWriter([_sink], _options, new Logger<ChatLogWriter>(log), _time);

        Append(writer, 1, 10);
        Append(writer, 11, 3);
        ChatLogStopReport report = await Guard(writer.StopAsync());

        Assert.Equal(Range(1, 13).Except(refused), _sink.Sequences);
        Assert.Equal((refused.Length, refused.Length), (writer.Metrics.Rejected, writer.Metrics.NotStored));
        Assert.Equal(13 - refused.Length, writer.Metrics.InDatabase);
        Assert.Equal(refused.Length, report.NotStored);
        Assert.Equal(
            refused.Select(static sequence => $"1/{sequence}"),
            log.Entries.Where(static entry => entry is { Event: "RecordRefused", Level: LogLevel.Error })
                .Select(static entry => entry.Text.Split(' ').First(static word => word.StartsWith("1/", StringComparison.Ordinal))),
            StringComparer.Ordinal);
    }

    [Fact]
    public async Task The_first_sink_tells_what_it_refuses_before_it_tells_what_it_has_stored()
    {
        _options.BatchRecords = 4;
        _sink.Refused.UnionWith([2, 3]);
        var told = new List<string>();
        await using (var writer = new ChatLogWriter(
            [_sink], _options, _logger, _time, stored: records => Note("stored", records), refused: records => Note("refused", records)))
        {
            Append(writer, 1, 4);
        }

        Assert.Equal(["refused 2,3", "stored 1,4"], told);

        void Note(string what, IReadOnlyList<ChatRecord> records) =>
            told.Add($"{what} {string.Join(',', records.Select(static record => record.Sequence))}");
    }

    [Fact]
    public async Task The_number_of_stored_records_never_falls_when_records_are_refused()
    {
        _options.FlushInterval = s_noTimer;
        var files = new TestSink("files");
        files.Hold();
        _sink.Refused.Add(12);
        await using var writer = new ChatLogWriter([_sink, files], _options, _logger, _time);
        Append(writer, 1, 10);
        await Guard(files.NextAttemptAsync());
        files.Release();
        await Eventually.TrueAsync(() => writer.Metrics.Stored == 10);

        files.Hold();
        Append(writer, 11, 10);
        await Eventually.TrueAsync(() => writer.Metrics.Rejected == 1);
        Assert.Equal(10, writer.Metrics.Stored);
        files.Release();
        ChatLogStopReport report = await Guard(writer.StopAsync());

        Assert.Equal((19, 1, 1), (writer.Metrics.Stored, writer.Metrics.NotStored, report.NotStored));
    }

    [Fact]
    public async Task A_batch_that_is_refused_as_a_whole_waits_until_the_table_is_mended()
    {
        _sink.Refused.UnionWith(Range(1, 10));
        await using var writer = new ChatLogWriter([_sink], _options, _logger, _time);
        Append(writer, 1, 10);

        await Eventually.TrueAsync(() => writer.Metrics.Failures > 0);
        await Guard(_time.WaitForTimersAsync()); // the wait for the next try, which a stop ends; one that begins later takes its time
        Assert.Equal((0, 0), (writer.Metrics.Rejected, writer.Metrics.Stored));
        _sink.Refused.Clear();
        ChatLogStopReport report = await Guard(writer.StopAsync());

        Assert.True(report.IsComplete);
        Assert.Equal(Range(1, 10), _sink.Sequences);
        Assert.Equal(0, writer.Metrics.NotStored);
    }

    [Fact]
    public async Task An_import_that_is_refused_as_a_whole_leaves_the_spill_file_as_it_is()
    {
        using var folder = new TemporaryDirectory();
        using ChatLogSpill spill = ChatLogSpill.Open(folder.Combine("spill.db"), 1024 * 1024, NullLogger.Instance);
        Assert.True(spill.TryAppend([Record(1), Record(2)]));
        _sink.Refused.UnionWith([1, 2]);

        await Assert.ThrowsAsync<StorageException>(() => spill.ImportAsync(_sink, CancellationToken.None));

        Assert.Equal(2, spill.Records);
        _sink.Refused.Clear();
        Assert.Equal(2, await spill.ImportAsync(_sink, CancellationToken.None));
        Assert.Equal([1L, 2L], _sink.Sequences);
    }

    [Fact]
    public async Task A_refused_record_does_not_block_the_spill_file_nor_another_sink()
    {
        using var folder = new TemporaryDirectory();
        using ChatLogSpill spill = ChatLogSpill.Open(folder.Combine("spill.db"), 1024 * 1024, NullLogger.Instance);
        var files = new TestSink("files");
        _options.FlushInterval = s_noTimer;
        _options.QueueRecords = 40;
        _options.FullPolicy = ChatLogFullPolicy.Wait;
        _sink.Refused.UnionWith([2, 200]);
        _sink.Hold();
        await using var writer = new ChatLogWriter([_sink, files], _options, _logger, _time, spill);
        Append(writer, 1, 1);
        await Guard(_sink.NextAttemptAsync());
        await AppendWhenTakenAsync(writer, 2, 399);

        _sink.Release();
        await Guard(writer.StopAsync());

        Assert.Equal(Range(1, 400).Except([2, 200]), _sink.Sequences);
        Assert.Equal(Range(1, 400), files.Sequences);
        Assert.True(spill.IsEmpty);
        Assert.Equal((2, 2), (writer.Metrics.Rejected, writer.Metrics.NotStored));
    }

    [Fact]
    public async Task A_refused_record_that_an_earlier_run_left_in_the_spill_file_does_not_stop_the_start()
    {
        using var folder = new TemporaryDirectory();
        var log = new RecordingLogger();
        using ChatLogSpill spill = ChatLogSpill.Open(folder.Combine("spill.db"), 1024 * 1024, log);
        Assert.True(spill.TryAppend([Record(1), Record(2), Record(3)]));
        _sink.Refused.Add(2);

        Assert.Equal(2, await spill.ImportAsync(_sink, CancellationToken.None));

        Assert.Equal([1L, 3L], _sink.Sequences);
        Assert.True(spill.IsEmpty);
        Assert.Equal(1, log.Count("RecordRefused"));
    }
}
