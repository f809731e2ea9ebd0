using PlayChat.Cluster.Log;
using PlayChat.TestUtilities;
using static PlayChat.Cluster.Tests.ShardRecorder;

namespace PlayChat.Cluster.Tests;

/// <summary>What every engine must do.</summary>
public abstract class RoomBackplaneContract(Func<Task<BackplaneSpace>> createSpace) : LogContract(createSpace)
{
    private static readonly RecordOrigin s_one = new(1, 11);
    private static readonly RecordOrigin s_two = new(2, 12);
    private static readonly RecordOrigin s_three = new(3, 13);

    [Fact]
    public async Task Three_nodes_see_the_records_of_all_in_one_order()
    {
        const int Each = 500;
        RoomBackplane[] nodes = [await Space.ConnectAsync(s_one), await Space.ConnectAsync(s_two), await Space.ConnectAsync(s_three)];
        ShardRecorder[] recorders = [new(), new(), new()];
        for (int i = 0; i < nodes.Length; i++)
        {
            await nodes[i].SubscribeAsync(0, SubscribeFrom.Tail, recorders[i]);
        }

        await Task.WhenAll(nodes.Select(node => Task.Run(() =>
        {
            for (int i = 0; i < Each; i++)
            {
                Assert.Equal(PublishResult.Accepted, node.Publish(0, Record($"{node.Origin.NodeId}:{i}")));
            }
        })));

        string[] order = await recorders[0].WaitAsync(3 * Each);
        Assert.Equal(order, await recorders[1].WaitAsync(3 * Each));
        Assert.Equal(order, await recorders[2].WaitAsync(3 * Each));
        Assert.Equal(recorders[0].Positions, recorders[1].Positions);
        Assert.Equal(recorders[0].Positions, recorders[2].Positions);
        Assert.Equal(3 * Each, recorders[0].Positions.Select(static position => position.Sequence).Distinct().Count());
        Assert.Equal(recorders[0].Positions.Order(), recorders[0].Positions);
        foreach (RoomBackplane node in nodes)
        {
            string prefix = $"{node.Origin.NodeId}:";
            Assert.Equal(
                Enumerable.Range(0, Each).Select(i => prefix + i),
                order.Where(text => text.StartsWith(prefix, StringComparison.Ordinal)),
                StringComparer.Ordinal);
        }

        Assert.All(recorders, static recorder => Assert.Empty(recorder.Gaps));
    }

    [Fact]
    public async Task Shards_are_separate_logs()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        ShardRecorder first = new(), second = new();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, first);
        await node.SubscribeAsync(1, SubscribeFrom.Tail, second);

        node.Publish(1, Record("in the second"));
        node.Publish(0, Record("in the first"));

        Assert.Equal(["in the first"], await first.WaitAsync(1));
        Assert.Equal(["in the second"], await second.WaitAsync(1));
    }

    [Fact]
    public async Task A_record_arrives_with_all_its_parts()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        var sent = new RoomRecord { Kind = 199, RoomId = -5, UserId = long.MaxValue, Token = ulong.MaxValue, Body = new byte[] { 0, 255 } };
        var handler = new PartsHandler();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, handler);

        node.Publish(0, in sent);

        (RecordOrigin origin, RoomRecord record) = await handler.Received.Task.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(s_one, origin);
        Assert.Equal(
            (sent.Kind, sent.RoomId, sent.UserId, sent.Token), (record.Kind, record.RoomId, record.UserId, record.Token));
        Assert.Equal(sent.Body.ToArray(), record.Body.ToArray());
    }

    [Fact]
    public async Task A_subscription_completes_when_it_has_seen_what_the_log_held()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        await FillAsync(node, 300);

        var recorder = new ShardRecorder();
        await (await Space.ConnectAsync(s_two)).SubscribeAsync(0, SubscribeFrom.Earliest, recorder);

        Assert.Equal(Enumerable.Range(0, 300).Select(static i => $"{i}"), recorder.Texts, StringComparer.Ordinal);
    }

    [Fact]
    public async Task A_subscription_continues_behind_a_position_even_inside_a_batch()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        await Space.AppendAsync(await BatchAsync(s_two, 1, "a", "b", "c"));
        LogPosition[] positions = await FillAsync(node, 20);

        foreach (LogPosition position in positions)
        {
            var rest = new ShardRecorder();
            await using IAsyncDisposable subscription = await node.SubscribeAsync(0, SubscribeFrom.After(position), rest);

            Assert.Equal(positions.SkipWhile(p => p <= position), rest.Positions);
            Assert.Empty(rest.Gaps);
        }
    }

    [Fact]
    public async Task A_position_that_was_trimmed_is_told_as_a_gap_and_reading_goes_on()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        LogPosition oldest = (await FillAsync(node, 1))[0];
        await Space.TrimAsync();
        node.Publish(0, Record("kept"));

        var late = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.After(oldest), late);

        (LogPosition wanted, LogPosition found, GapReason reason) = Assert.Single(late.Gaps);
        Assert.Equal((oldest, GapReason.Trimmed), (wanted, reason));
        Assert.True(found > oldest);
        await Eventually.TrueAsync(() => late.Texts.Contains("kept", StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_batch_that_stands_in_the_log_twice_is_handled_once()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        var recorder = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, recorder);
        byte[] first = await BatchAsync(s_two, 1, "first");
        byte[] second = await BatchAsync(s_two, 2, "second");

        foreach (byte[] batch in new[] { first, second, first, second, second })
        {
            await Space.AppendAsync(batch);
        }

        await Space.AppendAsync(await BatchAsync(s_two, 3, "third"));
        Assert.Equal(["first", "second", "third"], await recorder.WaitAsync(3));
        Assert.Equal(3, node.Meter.Duplicates);
        Assert.Empty(recorder.Gaps);
    }

    [Fact]
    public async Task A_batch_that_is_missing_between_two_of_a_node_is_told_as_a_gap()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        var recorder = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, recorder);

        await Space.AppendAsync(await BatchAsync(s_two, 5, "five"));
        await Space.AppendAsync(await BatchAsync(s_two, 7, "seven"));

        Assert.Equal(["five", "seven"], await recorder.WaitAsync(2));
        (LogPosition wanted, LogPosition found, GapReason reason) = Assert.Single(recorder.Gaps);
        Assert.Equal(GapReason.OriginSkipped, reason);
        Assert.Equal((recorder.Positions[0], recorder.Positions[1]), (wanted, found));
    }

    [Fact]
    public async Task A_batch_of_an_unknown_version_is_skipped_and_told_as_a_gap()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        var recorder = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, recorder);
        byte[] newer = await BatchAsync(s_two, 1, "newer");
        newer[0] = 2;

        await Space.AppendAsync(newer);
        await Space.AppendAsync([]);
        await Space.AppendAsync(await BatchAsync(s_three, 1, "known"));

        Assert.Equal(["known"], await recorder.WaitAsync(1));
        Assert.Equal([GapReason.Unreadable, GapReason.Unreadable], recorder.Gaps.Select(static gap => gap.Reason));
    }

    [Fact]
    public async Task Batches_of_a_node_behind_its_end_are_dropped_and_those_of_its_next_life_are_not()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        var recorder = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, recorder);
        await Space.AppendAsync(await BatchAsync(s_two, 1, "alive"));

        await recorder.WaitAsync(1);
        node.Publish(0, RoomRecord.NodeDown(s_two));
        node.Publish(0, RoomRecord.NodeDown(s_two));
        await Eventually.TrueAsync(() => recorder.Dead.Length > 0);
        await Space.AppendAsync(await BatchAsync(s_two, 2, "from the past"));
        await Space.AppendAsync(RecordBatch.WriteHello(s_two, await Space.GetEpochAsync(), 5));
        var reborn = new RecordOrigin(s_two.NodeId, 20);
        await Space.AppendAsync(await BatchAsync(reborn, 1, "reborn"));
        await Space.AppendAsync(await BatchAsync(s_two, 3, "from the past, too"));
        await Space.AppendAsync(await BatchAsync(reborn, 2, "alive again"));

        Assert.Equal(["alive", "reborn", "alive again"], await recorder.WaitAsync(3));
        Assert.Equal([s_two], recorder.Dead);
        Assert.Equal(3, node.Meter.FencedBatches);
        Assert.Empty(recorder.Gaps);
    }

    [Fact]
    public async Task The_end_of_a_life_is_told_once_also_behind_the_first_batch_of_a_later_life()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        var recorder = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, recorder);
        var reborn = new RecordOrigin(s_two.NodeId, 20);
        await Space.AppendAsync(await BatchAsync(s_two, 1, "alive"));
        await Space.AppendAsync(await BatchAsync(reborn, 1, "reborn"));
        await recorder.WaitAsync(2);

        node.Publish(0, RoomRecord.NodeDown(s_two));
        node.Publish(0, RoomRecord.NodeDown(s_two));
        node.Publish(0, Record("told"));
        await recorder.WaitAsync(3);
        await Space.AppendAsync(await BatchAsync(s_two, 2, "from the past"));
        await Space.AppendAsync(await BatchAsync(reborn, 2, "alive again"));

        Assert.Equal(["alive", "reborn", "told", "alive again"], await recorder.WaitAsync(4));
        Assert.Equal([s_two], recorder.Dead);
        Assert.Equal(1, node.Meter.FencedBatches);
        Assert.Empty(recorder.Gaps);
    }

    [Fact]
    public async Task A_node_that_reads_its_own_end_publishes_nothing_more()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        RoomBackplane other = await Space.ConnectAsync(s_two);
        var recorder = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, recorder);

        other.Publish(0, RoomRecord.NodeDown(s_one));

        await Eventually.TrueAsync(() => recorder.Dead.Length > 0);
        Assert.Equal(BackplaneState.Down, node.State);
        Assert.Equal(PublishResult.Unavailable, node.Publish(1, Record("late")));
        Assert.Equal(BackplaneState.Up, other.State);
    }

    [Fact]
    public async Task Records_wait_while_the_log_is_away_up_to_a_bound_and_then_arrive_in_order()
    {
        RoomBackplane node = await Space.ConnectAsync(
            s_one, new BackplaneOptions { PendingBytes = 64 << 10, PendingTimeout = TimeSpan.FromMinutes(10) });
        var recorder = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, recorder);
        await Space.SuspendAsync();

        int accepted = 0;
        string padding = new('x', 1000);
        PublishResult result;
        while ((result = node.Publish(0, Record($"{accepted:D4}{padding}"))) == PublishResult.Accepted)
        {
            accepted++;
        }

        Assert.Equal(PublishResult.Full, result);
        Assert.InRange(accepted, 60, 65);
        Assert.InRange(node.PendingBytes, 60_000, 64 << 10);
        await Space.ResumeAsync();
        string[] texts = await recorder.WaitAsync(accepted);
        Assert.Equal(Enumerable.Range(0, accepted).Select(i => $"{i:D4}{padding}"), texts, StringComparer.Ordinal);
        await Eventually.TrueAsync(() => node.PendingBytes == 0);
        Assert.Equal(PublishResult.Accepted, node.Publish(0, Record("again")));
    }

    [Fact]
    public async Task A_silent_log_makes_the_node_degraded_until_it_answers_again()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one, new BackplaneOptions { PendingTimeout = TimeSpan.FromMilliseconds(500) });
        var recorder = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, recorder);
        var states = new StateRecorder(node);

        await Space.SuspendAsync();
        node.Publish(0, Record("in time"));
        await states.WaitAsync(BackplaneState.Degraded);
        Assert.Equal(PublishResult.Unavailable, node.Publish(0, Record("refused")));
        Assert.True(node.Lag >= TimeSpan.FromMilliseconds(500));

        await Space.ResumeAsync();
        await states.WaitAsync(BackplaneState.Up);
        Assert.Equal(["in time"], await recorder.WaitAsync(1));
        Assert.Equal(PublishResult.Accepted, node.Publish(0, Record("accepted")));
        Assert.Equal(["in time", "accepted"], await recorder.WaitAsync(2));
    }

    [Fact]
    public async Task A_subscription_waits_for_its_own_greeting()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one, new BackplaneOptions { PendingTimeout = TimeSpan.FromMinutes(10) });
        await node.SubscribeAsync(0, SubscribeFrom.Tail, new ShardRecorder());
        await Space.SuspendAsync();

        Task<IAsyncDisposable> waiting = node.SubscribeAsync(0, SubscribeFrom.Tail, new ShardRecorder()).AsTask();

        Assert.False(waiting.IsCompleted);
        await Space.ResumeAsync();
        await waiting.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_replaced_log_is_told_as_a_new_epoch()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        LogPosition old = (await FillAsync(node, 5))[^1];
        var running = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.After(old), running);

        await Space.ReplaceAsync();
        await Eventually.TrueAsync(() =>
        {
            if (node.PendingBytes == 0) // or the log would soon be full of them
            {
                node.Publish(0, Record("new"));
            }

            return running.Texts.Length > 0;
        });
        var late = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.After(old), late);

        Assert.Equal(GapReason.NewEpoch, Assert.Single(running.Gaps).Reason);
        Assert.Equal(GapReason.NewEpoch, Assert.Single(late.Gaps).Reason);
        Assert.True(running.Positions[0].Epoch > old.Epoch);
        Assert.Equal(running.Positions[0], late.Positions[0]);
    }

    [Fact]
    public async Task A_subscription_that_is_disposed_is_told_nothing_more()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        ShardRecorder ended = new(), running = new();
        IAsyncDisposable subscription = await node.SubscribeAsync(0, SubscribeFrom.Tail, ended);
        await node.SubscribeAsync(0, SubscribeFrom.Tail, running);

        await subscription.DisposeAsync();
        node.Publish(0, Record("late"));

        await running.WaitAsync(1);
        Assert.Empty(ended.Texts);
    }

    [Fact]
    public async Task A_handler_that_throws_loses_that_record_alone()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        var recorder = new ShardRecorder
        {
            Hook = static text =>
            {
                if (text == "bad")
                {
                    throw new InvalidOperationException("On purpose.");
                }
            },
        };
        await node.SubscribeAsync(0, SubscribeFrom.Tail, recorder);

        node.Publish(0, Record("bad"));
        node.Publish(0, Record("good"));

        Assert.Equal(["bad", "good"], await recorder.WaitAsync(2));
    }

    [Fact]
    public async Task A_record_that_is_too_long_or_of_a_reserved_kind_is_refused()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one, new BackplaneOptions { MaxBodyBytes = 10 });

        Assert.Equal(PublishResult.TooLarge, node.Publish(0, Record("eleven byte")));
        Assert.Equal(PublishResult.Accepted, node.Publish(0, Record("ten bytes.")));
        Assert.Throws<ArgumentOutOfRangeException>(() => node.Publish(0, new RoomRecord { Kind = RecordKind.Hello }));
        Assert.Throws<ArgumentOutOfRangeException>(() => node.Publish(BackplaneSpace.Shards, Record("")));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            async () => await node.SubscribeAsync(-1, SubscribeFrom.Tail, new ShardRecorder()));
    }

    [Fact]
    public async Task A_disposed_backplane_is_down_and_refuses_everything()
    {
        RoomBackplane node = await Space.ConnectAsync(s_one);
        await node.SubscribeAsync(0, SubscribeFrom.Tail, new ShardRecorder());

        await node.DisposeAsync();

        Assert.Equal(BackplaneState.Down, node.State);
        Assert.Equal(PublishResult.Unavailable, node.Publish(0, Record("late")));
        await Assert.ThrowsAsync<ObjectDisposedException>(
            async () => await node.SubscribeAsync(0, SubscribeFrom.Tail, new ShardRecorder()));
    }

    /// <summary>The bytes of a batch as a node would write it now.</summary>
    private async Task<byte[]> BatchAsync(RecordOrigin origin, long number, params string[] texts) => RecordBatch.Write(
        new BatchHeader { Origin = origin, Number = number, Epoch = await Space.GetEpochAsync() }, [.. texts.Select(Record)]);

    /// <summary>Publishes the texts 0, 1 … and waits for them.</summary>
    /// <returns>The positions of all records of the shard.</returns>
    private static async Task<LogPosition[]> FillAsync(RoomBackplane node, int records)
    {
        var recorder = new ShardRecorder();
        await using IAsyncDisposable subscription = await node.SubscribeAsync(0, SubscribeFrom.Earliest, recorder);
        int before = recorder.Texts.Length;
        for (int i = 0; i < records; i++)
        {
            node.Publish(0, Record($"{i}"));
        }

        await recorder.WaitAsync(before + records);
        return recorder.Positions;
    }

    private sealed class PartsHandler : IShardHandler
    {
        public TaskCompletionSource<(RecordOrigin Origin, RoomRecord Record)> Received { get; } =
            new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record) => Received.TrySetResult((
            origin,
            new RoomRecord
            {
                Kind = record.Kind,
                RoomId = record.RoomId,
                UserId = record.UserId,
                Token = record.Token,
                Body = record.Body.ToArray(),
            }));

        public void OnGap(LogPosition wanted, LogPosition found, GapReason reason) => Assert.Fail(reason.ToString());

        public void OnNodeDown(RecordOrigin origin) => Assert.Fail(origin.ToString());
    }
}
