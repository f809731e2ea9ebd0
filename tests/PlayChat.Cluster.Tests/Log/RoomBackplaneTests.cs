using System.Diagnostics.Metrics;
using PlayChat.Cluster.Log;
using static PlayChat.Cluster.Tests.ShardRecorder;

namespace PlayChat.Cluster.Tests.Log;

/// <summary>Queue, state and reader as an engine uses them. The test is the engine, and its log a list.</summary>
public sealed class RoomBackplaneTests : IAsyncLifetime
{
    private static readonly RecordOrigin s_self = new(1, 10);

    private readonly ManualTimeProvider _time = new();
    private readonly StubBackplane _node;

    public RoomBackplaneTests()
    {
        _node = new StubBackplane(s_self, new BackplaneOptions { MaxUnconfirmed = 3, BatchBytes = 100 }, _time);
        _node.Connect();
    }

    public ValueTask InitializeAsync() => default;

    public ValueTask DisposeAsync() => _node.DisposeAsync();

    [Fact]
    public void Records_that_wait_share_a_batch_up_to_its_bound()
    {
        for (int i = 0; i < 5; i++)
        {
            _node.Publish(0, Record("x")); // 30 bytes each: two in a batch of 100 with its header
        }

        Assert.Equal([2, 2, 1], Take(3).Select(static batch => batch.Header.Count));
        Assert.Equal(3, _node.Wakes);
    }

    [Fact]
    public void Batches_that_were_not_confirmed_are_sent_again_under_their_numbers()
    {
        Publish("a", "b", "c");
        Assert.Equal([1, 2, 3], Take(3).Select(static batch => batch.Header.Number));

        _node.Batches.Confirm(2, multiple: false);
        _node.Lose();
        Publish("d");

        Assert.Equal(["1 a", "3 c", "4 d"], Take(3).Select(Describe), StringComparer.Ordinal);
        Assert.Equal(2, _node.Meter.Republished);
    }

    [Fact]
    public void A_confirmation_of_several_frees_their_memory()
    {
        Publish("a", "b", "c");
        Take(3);

        _node.Batches.Confirm(2, multiple: true);

        Assert.Equal(1, _node.Unconfirmed);
        Assert.Equal(29 + 70, _node.PendingBytes);
        _node.Batches.Confirm(99, multiple: true);
        Assert.Equal((0, 0L), (_node.Unconfirmed, _node.PendingBytes));
    }

    [Fact]
    public void No_more_batches_are_taken_while_too_many_are_unconfirmed()
    {
        Publish("a", "b", "c", "d");
        Take(3);

        Assert.False(_node.Batches.TryTake(1, out _));
        _node.Batches.Confirm(1, multiple: false);
        Assert.Equal(["4 d"], Take(1).Select(Describe), StringComparer.Ordinal);
    }

    [Fact]
    public void A_batch_bears_the_epoch_of_the_log_that_it_is_sent_to()
    {
        Publish("a");
        Assert.Equal(1u, Take(1, epoch: 1)[0].Header.Epoch);

        _node.Lose();

        Assert.Equal(2u, Take(1, epoch: 2)[0].Header.Epoch);
    }

    [Fact]
    public void A_log_that_does_not_answer_makes_the_node_degraded_and_its_connection_is_dropped()
    {
        Publish("a");
        Take(1);

        _time.Advance(TimeSpan.FromSeconds(4.9));
        Assert.Equal((BackplaneState.Up, 0), (_node.State, _node.Silences));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(BackplaneState.Degraded, _node.State);
        Assert.InRange(_node.Silences, 1, 2);
        Assert.Equal(PublishResult.Unavailable, _node.Publish(0, Record("b")));

        _node.Batches.Confirm(1, multiple: false);
        _node.Answer();
        Assert.Equal(BackplaneState.Up, _node.State);
    }

    [Fact]
    public void A_connection_that_is_soon_there_again_changes_no_state()
    {
        _node.Lose();
        _time.Advance(TimeSpan.FromSeconds(4.9));
        Assert.Equal(PublishResult.Accepted, _node.Publish(0, Record("a")));
        Assert.Equal(BackplaneState.Up, _node.State);
        _node.Connect();
        _time.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(BackplaneState.Up, _node.State);

        _node.Lose();
        _time.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal(BackplaneState.Degraded, _node.State);
        Assert.Equal(0, _node.Silences); // nothing to drop
    }

    [Fact]
    public void A_record_lags_until_it_was_read_back_although_it_is_confirmed()
    {
        var recorder = new ShardRecorder();
        ShardReader reader = _node.Read(SubscribeFrom.Tail, recorder);
        reader.Attach();
        reader.Read(0, RecordBatch.WriteHello(s_self, 1, 1));
        Publish("a");
        _ = _node.Batches.TryTake(1, out PendingBatch batch);
        byte[] bytes = batch.Bytes.ToArray();
        _node.Batches.Confirm(1, multiple: false);

        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.FromSeconds(1), _node.Lag);
        reader.Read(1, bytes);

        Assert.Equal(TimeSpan.Zero, _node.Lag);
    }

    [Fact]
    public void A_batch_that_was_sent_twice_around_a_broken_connection_is_handled_once()
    {
        var recorder = new ShardRecorder();
        ShardReader reader = _node.Read(SubscribeFrom.Tail, recorder);
        reader.Attach();
        Publish("a", "b");
        List<byte[]> log = [.. Take(2).Select(static batch => batch.Bytes)];
        _node.Lose(); // the confirmations never came
        log.AddRange([RecordBatch.WriteHello(s_self, 1, 1), .. Take(2).Select(static batch => batch.Bytes)]);
        for (int i = 0; i < 2; i++)
        {
            reader.Read(i, log[i]);
        }

        Assert.Equal(new LogPosition(1, 1, 0), reader.Attach().Position); // connects again and reads from that batch on
        for (int i = 1; i < log.Count; i++)
        {
            reader.Read(i, log[i]);
        }

        Assert.Equal(["a", "b"], recorder.Texts.Select(static text => text.TrimEnd()), StringComparer.Ordinal);
        Assert.Equal(2, _node.Meter.Duplicates);
        Assert.Empty(recorder.Gaps);
    }

    [Fact]
    public void Batches_that_were_sent_again_are_handled_once_although_the_connection_breaks_between_them()
    {
        var recorder = new ShardRecorder();
        ShardReader reader = _node.Read(SubscribeFrom.Tail, recorder);
        reader.Attach();
        Publish("a", "b", "c");
        List<byte[]> log = [.. Take(3).Select(static batch => batch.Bytes)];
        _node.Lose();
        log.AddRange(Take(3).Select(static batch => batch.Bytes));
        for (int i = 0; i < 4; i++)
        {
            reader.Read(i, log[i]);
        }

        Assert.Equal(new LogPosition(1, 3, 0), reader.Attach().Position); // at the first one that was sent again
        for (int i = 3; i < log.Count; i++)
        {
            reader.Read(i, log[i]);
        }

        Assert.Equal(["a", "b", "c"], recorder.Texts.Select(static text => text.TrimEnd()), StringComparer.Ordinal);
        Assert.Empty(recorder.Gaps);
    }

    [Fact]
    public void An_engine_may_leave_out_offsets_but_not_the_one_it_attached_at()
    {
        var recorder = new ShardRecorder();
        ShardReader reader = _node.Read(SubscribeFrom.Tail, recorder);
        reader.Attach();
        var other = new RecordOrigin(2, 1);
        reader.Read(5, RecordBatch.Write(new BatchHeader { Origin = other, Number = 1, Epoch = 1 }, Record("five")));
        reader.Read(9, RecordBatch.Write(new BatchHeader { Origin = other, Number = 2, Epoch = 1 }, Record("nine")));
        Assert.Empty(recorder.Gaps);

        reader.Attach();
        reader.Read(12, RecordBatch.Write(new BatchHeader { Origin = other, Number = 5, Epoch = 1 }, Record("twelve")));

        Assert.Equal(
            (new LogPosition(1, 9, 0), new LogPosition(1, 12, 0), GapReason.Trimmed),
            Assert.Single(recorder.Gaps)); // and not a second time for the numbers that are missing
        Assert.Equal(["five", "nine", "twelve"], recorder.Texts);
    }

    [Fact]
    public void In_a_log_with_dense_offsets_a_missing_batch_is_noticed_with_the_next_one_of_whichever_node()
    {
        _node.IsDense = true;
        var recorder = new ShardRecorder();
        ShardReader reader = _node.Read(SubscribeFrom.Tail, recorder);
        reader.Attach();
        RecordOrigin one = new(2, 1), other = new(3, 2);
        reader.Read(5, RecordBatch.Write(new BatchHeader { Origin = one, Number = 1, Epoch = 1 }, Record("five")));
        reader.Read(6, RecordBatch.Write(new BatchHeader { Origin = other, Number = 1, Epoch = 1 }, Record("six")));
        Assert.Empty(recorder.Gaps);

        reader.Read(9, RecordBatch.Write(new BatchHeader { Origin = other, Number = 2, Epoch = 1 }, Record("nine")));
        reader.Read(10, RecordBatch.Write(new BatchHeader { Origin = one, Number = 4, Epoch = 1 }, Record("ten")));

        Assert.Equal(
            (new LogPosition(1, 6, 0), new LogPosition(1, 9, 0), GapReason.Skipped),
            Assert.Single(recorder.Gaps)); // and not a second time for the numbers that are missing
        Assert.Equal(["five", "six", "nine", "ten"], recorder.Texts);
    }

    [Theory]
    [InlineData(GapReason.Skipped)]
    [InlineData(GapReason.Unreadable)]
    public void A_degraded_node_that_has_missed_its_own_batch_writes_again(GapReason reason)
    {
        _node.IsDense = true;
        var recorder = new ShardRecorder();
        ShardReader reader = _node.Read(SubscribeFrom.Tail, recorder);
        reader.Attach();
        reader.Read(0, RecordBatch.WriteHello(s_self, 1, 1));
        Publish("a");
        Take(1);
        _time.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal(BackplaneState.Degraded, _node.State);

        // The batch had the offset 1.
        if (reason == GapReason.Skipped)
        {
            reader.Read(2, RecordBatch.Write(new BatchHeader { Origin = new(2, 1), Number = 1, Epoch = 1 }, Record("two")));
        }
        else
        {
            reader.Read(1, new byte[10]);
        }

        _node.Batches.Confirm(1, multiple: false); // may come later than the batches behind it
        _node.Answer();

        Assert.Equal([reason], recorder.Reasons);
        Assert.Equal((BackplaneState.Up, TimeSpan.Zero), (_node.State, _node.Lag));
        Publish("b");
    }

    [Fact]
    public void A_reader_that_knows_a_node_by_its_death_alone_does_not_miss_what_its_next_life_wrote_before()
    {
        var recorder = new ShardRecorder();
        ShardReader reader = _node.Read(SubscribeFrom.Tail, recorder);
        reader.Attach(); // behind the first batches of the next life
        reader.Read(5, RecordBatch.Write(new BatchHeader { Origin = new(3, 1), Number = 1, Epoch = 1 }, RoomRecord.NodeDown(new(2, 1))));

        reader.Read(6, RecordBatch.Write(new BatchHeader { Origin = new(2, 4), Number = 5, Epoch = 1 }, Record("six")));
        Assert.Empty(recorder.Gaps);
        reader.Read(7, RecordBatch.Write(new BatchHeader { Origin = new(2, 4), Number = 7, Epoch = 1 }, Record("seven")));

        Assert.Equal([GapReason.OriginSkipped], recorder.Reasons);
        Assert.Equal(["six", "seven"], recorder.Texts);
    }

    [Fact]
    public void Listeners_see_the_instruments()
    {
        var seen = new Dictionary<string, double>(StringComparer.Ordinal);
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == BackplaneMeter.Name)
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => Add(seen, instrument, value));
        listener.SetMeasurementEventCallback<int>((instrument, value, _, _) => Add(seen, instrument, value));
        listener.SetMeasurementEventCallback<double>((instrument, value, _, _) => Add(seen, instrument, value));
        listener.Start();
        Publish("a", "b");
        Take(1);
        _node.Publish(0, new RoomRecord { Body = new byte[64 << 10] });
        _time.Advance(TimeSpan.FromSeconds(2));

        listener.RecordObservableInstruments();

        // Other tests' backplanes have the same meter name, so their values are in the sums.
        Assert.True(seen["playchat.cluster.log.lag"] >= 2);
        Assert.True(seen["playchat.cluster.batches.unconfirmed"] >= 1);
        Assert.True(seen["playchat.cluster.pending"] >= 2 * (29 + 70));
        Assert.True(seen["playchat.cluster.records.published"] >= 2);
        Assert.True(seen["playchat.cluster.records.refused"] >= 1);
        string[] others =
        [
            "batches.republished", "batches.duplicate", "batches.fenced", "batches.read", "records.delivered", "gaps", "reconnects",
            "state",
        ];
        Assert.All(others, name => Assert.Contains("playchat.cluster." + name, seen.Keys, StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(nameof(BackplaneOptions.PendingBytes))]
    [InlineData(nameof(BackplaneOptions.PendingTimeout))]
    [InlineData(nameof(BackplaneOptions.MaxBodyBytes))]
    [InlineData(nameof(BackplaneOptions.BatchBytes))]
    [InlineData(nameof(BackplaneOptions.MaxUnconfirmed))]
    public void An_option_outside_of_its_range_is_refused(string option)
    {
        var options = new BackplaneOptions();
        typeof(BackplaneOptions).GetProperty(option)!.SetValue(options, option == "PendingTimeout" ? TimeSpan.Zero : 0);

        Assert.Throws<ArgumentOutOfRangeException>(option, options.Validate);
    }

    private static void Add(Dictionary<string, double> seen, Instrument instrument, double value)
    {
        lock (seen)
        {
            seen[instrument.Name] = seen.GetValueOrDefault(instrument.Name) + value;
        }
    }

    private static string Describe((BatchHeader Header, byte[] Bytes) batch) =>
        $"{batch.Header.Number} {(char)batch.Bytes[RecordBatch.HeaderBytes + RecordBatch.RecordHeaderBytes]}";

    /// <summary>Publishes records so long that each is a batch.</summary>
    private void Publish(params string[] texts)
    {
        foreach (string text in texts)
        {
            Assert.Equal(PublishResult.Accepted, _node.Publish(0, Record(text.PadRight(70))));
        }
    }

    private List<(BatchHeader Header, byte[] Bytes)> Take(int count, uint epoch = 1)
    {
        List<(BatchHeader, byte[])> taken = [];
        for (int i = 0; i < count; i++)
        {
            Assert.True(_node.Batches.TryTake(epoch, out PendingBatch pending));
            byte[] bytes = pending.Bytes.ToArray();
            Assert.Equal(BatchStatus.Valid, RecordBatch.TryRead(bytes, out RecordBatch batch));
            Assert.Equal(pending.Number, batch.Header.Number);
            taken.Add((batch.Header, bytes));
        }

        return taken;
    }
}
