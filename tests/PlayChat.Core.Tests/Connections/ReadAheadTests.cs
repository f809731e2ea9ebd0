using System.Buffers;
using System.Collections.Concurrent;
using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ReadAheadTests
{
    private const ushort Ask = 1; // its handler asks the peer
    private const ushort Other = 2;

    private readonly ConcurrentQueue<string> _events = new();
    private readonly SemaphoreSlim _asked = new(0);
    private CancellationTokenSource _giveUp = new();

    [Fact]
    public async Task A_handler_gets_its_answer_and_the_frames_before_and_behind_it_follow_in_order()
    {
        byte[] stream;
        {
            await using ConnectionHarness example = Start();
            stream = [.. Frames(example, 1, 5), .. Answer(example, 1, "an answer"u8), .. Frames(example, 6, 5)];
        }

        for (int split = 1; split < stream.Length; split++)
        {
            _events.Clear();
            await using ConnectionHarness harness = Start();

            harness.Stub.Feed(Frame(harness, Ask, "a frame that stays"u8));
            harness.Stub.Feed(stream.AsMemory(0, split));
            harness.Stub.Feed(stream.AsMemory(split));

            await Eventually.TrueAsync(() => _events.Count == 11);
            AssertEvents(["a frame that stays: an answer", .. Enumerable.Range(1, 10).Select(static i => $"{i}")]);
        }
    }

    [Fact]
    public async Task An_answer_that_comes_byte_by_byte_is_handed_over()
    {
        await using ConnectionHarness harness = Start();

        foreach (byte b in (byte[])[.. Frame(harness, Ask, "q"u8), .. Frames(harness, 1, 3), .. Answer(harness, 1, "a"u8), .. Frames(harness, 4, 1)])
        {
            harness.Stub.Feed(new[] { b });
        }

        await Eventually.TrueAsync(() => _events.Count == 5);
        AssertEvents(["q: a", "1", "2", "3", "4"]);
    }

    [Fact]
    public async Task An_answer_that_had_come_with_the_frame_whose_handler_waits_for_it_is_handed_over()
    {
        await using ConnectionHarness harness = Start();
        Task<byte[]> answer = TestRequest.AskAsync(harness.Connection);
        harness.Handler.OnFrame = (Connection _, in Frame _) => new ValueTask(answer);

        harness.Stub.Feed((byte[])[.. Frames(harness, 1, 3), .. Answer(harness, 1, "a"u8), .. Frames(harness, 1, 3)]);

        Assert.Equal("a", Encoding.ASCII.GetString(await answer.WaitAsync(TestTimeouts.Hang)));
        await Eventually.TrueAsync(() => harness.Handler.Frames == 6);
    }

    [Fact]
    public async Task A_request_that_is_made_while_a_handler_waits_for_something_else_is_answered()
    {
        var work = new TaskCompletionSource();
        await using ConnectionHarness harness = Start();
        harness.Handler.OnFrame = (Connection _, in Frame _) => new ValueTask(work.Task);
        harness.Stub.Feed((byte[])[.. Frames(harness, 1, 3)]);

        Task<byte[]> answer = TestRequest.AskAsync(harness.Connection);
        harness.Stub.Feed(Answer(harness, 1, "a"u8));

        Assert.Equal("a", Encoding.ASCII.GetString(await answer.WaitAsync(TestTimeouts.Hang)));
        Assert.Equal(1, harness.Handler.Frames);
        work.SetResult();
        await Eventually.TrueAsync(() => harness.Handler.Frames == 3);
    }

    [Fact]
    public async Task Frames_are_received_on_after_a_receive_that_was_begun_ahead()
    {
        await using ConnectionHarness harness = Start();
        for (int round = 0; round < 3; round++)
        {
            _events.Clear();
            _giveUp = new CancellationTokenSource();
            harness.Stub.Feed(Frame(harness, Ask, "q"u8));
            await AskedAsync();
            harness.Stub.Feed(Frames(harness, 1, 1)); // the next receive is begun
            _giveUp.Cancel();

            await Eventually.TrueAsync(() => _events.Count == 2);
            harness.Stub.Feed(Frames(harness, 2, 2));
            harness.Stub.Feed(Frames(harness, 4, 2));
            await Eventually.TrueAsync(() => _events.Count == 6);
            AssertEvents(["q: nothing", "1", "2", "3", "4", "5"]);
        }
    }

    [Fact]
    public async Task A_flood_stops_at_the_buffer_without_loss_and_the_answer_behind_it_comes_too_late()
    {
        await using ConnectionHarness harness = Start();
        harness.Stub.Feed(Frame(harness, Ask, "q"u8));
        await AskedAsync();
        byte[] flood = Frames(harness, 1, 50_000);

        harness.Stub.Feed((byte[])[.. flood, .. Answer(harness, 1, "a"u8), .. Frames(harness, 50_001, 1)]);

        await Eventually.TrueAsync(() => !harness.Stub.IsReceiving);
        Assert.InRange(harness.Metrics.Read(Counter.BytesReceived), 60_000, 80_000);
        Assert.Empty(_events);
        _giveUp.Cancel();
        await Eventually.TrueAsync(() => _events.Count == 50_002);
        AssertEvents(["q: nothing", .. Enumerable.Range(1, 50_001).Select(static i => $"{i}")]);
        Assert.True(harness.Connection.IsOpen);
    }

    [Fact]
    public async Task Answers_take_no_room_so_a_handler_may_ask_as_often_as_it_likes()
    {
        await using ConnectionHarness harness = Start();
        int answered = 0;
        harness.Handler.OnFrame = (Connection connection, in Frame _) => new ValueTask(AskOftenAsync(connection));
        harness.Stub.Feed(Frame(harness, Ask, "q"u8));

        for (int i = 1; i <= 5_000; i++)
        {
            await AskedAsync();
            harness.Stub.Feed(Answer(harness, (ushort)i, new byte[100]));
        }

        await Eventually.TrueAsync(() => Volatile.Read(ref answered) == 5_000);

        async Task AskOftenAsync(Connection connection)
        {
            for (int i = 0; i < 5_000; i++)
            {
                Task<byte[]> answer = TestRequest.AskAsync(connection);
                _asked.Release();
                Assert.Equal(100, (await answer).Length);
                Interlocked.Increment(ref answered);
            }
        }
    }

    [Fact]
    public async Task A_flood_of_answers_that_nobody_awaits_gives_way_and_whoever_asks_does_not_read_it()
    {
        await using ConnectionHarness harness = Start();
        var work = new TaskCompletionSource();
        harness.Handler.OnFrame = (Connection _, in Frame _) => new ValueTask(work.Task);
        harness.Stub.Feed(Frames(harness, 1, 1));
        byte[] nobodys = Answer(harness, 9, "x"u8);
        for (int i = 0; i < 40; i++)
        {
            harness.Stub.Feed(nobodys);
        }

        harness.Stub.Feed(Answer(harness, 1, "a"u8));
        long before = harness.Metrics.Read(Counter.BytesReceived);
        var loop = new LoopQueue();
        List<long> rounds = [];
        Task<byte[]> answer;
        LocalWork.Current = loop;
        try
        {
            answer = TestRequest.AskAsync(harness.Connection);
            rounds.Add((harness.Metrics.Read(Counter.BytesReceived) - before) / nobodys.Length);
            while (loop.Items.TryDequeue(out IThreadPoolWorkItem? item))
            {
                item.Execute();
                rounds.Add((harness.Metrics.Read(Counter.BytesReceived) - before) / nobodys.Length);
            }
        }
        finally
        {
            LocalWork.Current = null;
        }

        Assert.Equal([0, 15, 31, 41], rounds); // the last of a turn is looked at in the next
        Assert.Equal("a", Encoding.ASCII.GetString(await answer.WaitAsync(TestTimeouts.Hang)));
        work.SetResult();
    }

    [Fact]
    public async Task An_answer_larger_than_the_buffer_is_put_together_behind_other_frames()
    {
        byte[] large = new byte[700_000];
        new Random(1).NextBytes(large);
        await using ConnectionHarness harness = Start(FrameFormat.Packet(1 << 20));
        harness.Handler.OnFrame = (Connection connection, in Frame frame) =>
            frame.PacketId == Ask ? new ValueTask(AskLargeAsync(connection, frame.Body)) : Record(in frame);
        harness.Stub.Feed(Frame(harness, Ask, "q"u8));

        harness.Stub.Feed((byte[])[.. Frames(harness, 1, 3_000), .. Answer(harness, 1, large), .. Frames(harness, 3_001, 2)]);

        await Eventually.TrueAsync(() => _events.Count == 3_003);
        AssertEvents(["q: large", .. Enumerable.Range(1, 3_002).Select(static i => $"{i}")]);

        async Task AskLargeAsync(Connection connection, ReadOnlySequence<byte> body)
        {
            Assert.Equal(large, await TestRequest.AskAsync(connection));
            _events.Enqueue($"{Text(body)}: large");
        }
    }

    [Fact]
    public async Task An_answer_for_which_nobody_waits_any_more_is_dropped_and_its_id_is_told_from_the_peers_own()
    {
        await using ConnectionHarness harness = Start();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => TestRequest.AskAsync(harness.Connection, new CancellationToken(canceled: true)));

        harness.Stub.Feed(Answer(harness, 1, "late"u8));
        harness.Stub.Feed(Answer(harness, 1, "twice"u8));
        harness.Stub.Feed(harness.Frame("2"u8, new FrameHeader(Other, RequestId: 1))); // a request of the peer's own

        AssertEvents(["2"]);
    }

    [Fact]
    public async Task Answers_that_nobody_asked_for_are_counted_and_too_many_in_a_row_close()
    {
        await using ConnectionHarness harness = Start(maxRequests: 3);
        Task<byte[]> answer = TestRequest.AskAsync(harness.Connection);
        Feed(9, 3);
        harness.Stub.Feed(Answer(harness, 1, "a"u8)); // the row begins anew
        await answer.WaitAsync(TestTimeouts.Hang);
        Feed(9, 3);
        Assert.True(harness.Connection.IsOpen);
        Assert.Equal(6, harness.Metrics.Read(Counter.AnswersDropped));

        Feed(9, 2);

        Assert.Equal(CloseReason.ProtocolViolation, harness.Connection.CloseReason);
        Assert.Equal(1, harness.Metrics.Read(Counter.ProtocolViolations));

        void Feed(ushort id, int times)
        {
            for (int i = 0; i < times; i++)
            {
                harness.Stub.Feed(Answer(harness, id, "x"u8));
            }
        }
    }

    [Fact]
    public async Task A_peer_that_sends_too_many_answers_that_nobody_asked_for_is_closed_while_a_handler_waits()
    {
        await using ConnectionHarness harness = Start(maxRequests: 3);
        harness.Stub.Feed(Frame(harness, Ask, "q"u8));
        await AskedAsync();

        harness.Stub.Feed((byte[])[.. Enumerable.Repeat(Answer(harness, 9, "x"u8), 4).SelectMany(static answer => answer)]);

        await Eventually.TrueAsync(() => _events.Count == 1);
        AssertEvents(["q: ProtocolViolation"]);
    }

    [Fact]
    public async Task Answers_that_all_come_too_late_are_no_violation()
    {
        await using ConnectionHarness harness = Start(maxRequests: 3);
        for (int i = 0; i < 20; i++)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => TestRequest.AskAsync(harness.Connection, new CancellationToken(canceled: true)));
        }

        for (int i = 1; i <= 20; i++)
        {
            harness.Stub.Feed(Answer(harness, (ushort)i, "late"u8));
        }

        Assert.True(harness.Connection.IsOpen);
        Assert.Equal(20, harness.Metrics.Read(Counter.AnswersDropped));
    }

    [Theory]
    [InlineData(CloseReason.PeerClosed)]
    [InlineData(CloseReason.PeerReset)]
    public async Task A_peer_that_goes_fails_the_request_and_that_is_no_fault_of_the_handler(CloseReason reason)
    {
        await using ConnectionHarness harness = Start();
        ConnectionClosedException? failure = null;
        harness.Handler.OnFrame = (Connection connection, in Frame frame) =>
            frame.PacketId == Ask ? new ValueTask(FailAsync(connection)) : Record(in frame);
        harness.Stub.Feed(Frame(harness, Ask, "q"u8));
        harness.Stub.Feed(Frames(harness, 1, 2));

        harness.Stub.FeedEnd(reason);

        Assert.Equal(reason, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(reason, failure!.Reason);
        AssertEvents(["1", "2"]); // what had come before is handled
        Assert.Equal(0, harness.Metrics.Read(Counter.HandlerFaults));
        Assert.Equal(reason, (await Assert.ThrowsAsync<ConnectionClosedException>(() => TestRequest.AskAsync(harness.Connection))).Reason);

        async Task FailAsync(Connection connection)
        {
            failure = await Assert.ThrowsAsync<ConnectionClosedException>(() => TestRequest.AskAsync(connection));
            throw failure;
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task An_end_of_ours_fails_the_request(bool abort)
    {
        await using ConnectionHarness harness = Start();
        harness.Stub.Feed(Frame(harness, Ask, "q"u8));
        await AskedAsync();

        if (abort)
        {
            harness.Connection.Abort(CloseReason.SlowConsumer);
        }
        else
        {
            harness.Connection.Close(CloseReason.SlowConsumer);
            harness.Stub.FeedEnd();
        }

        Assert.Equal(CloseReason.SlowConsumer, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        AssertEvents(["q: SlowConsumer"]);
        Assert.Equal(0, harness.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task More_requests_than_may_wait_are_refused_and_ids_are_taken_in_turn()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(FrameFormat.Packet(), static options => options.MaxRequests = 2).Start();
        var first = new TestRequest();
        var second = new TestRequest();
        harness.Connection.BeginRequest(first, [TestRequest.Reply]);
        harness.Connection.BeginRequest(second, [TestRequest.Reply]);

        Assert.Throws<TooManyRequestsException>(() => harness.Connection.BeginRequest(new TestRequest(), [TestRequest.Reply]));
        harness.Connection.EndRequest(second);
        for (int i = 3; i <= 65_535; i++)
        {
            var next = new TestRequest();
            harness.Connection.BeginRequest(next, [TestRequest.Reply]);
            Assert.Equal(i, next.Id);
            harness.Connection.EndRequest(next);
        }

        var last = new TestRequest();
        harness.Connection.BeginRequest(last, [TestRequest.Reply]);
        Assert.Equal(2, last.Id); // 0 is none, and 1 still waits
    }

    [Fact]
    public async Task A_bad_frame_behind_the_handler_closes_when_it_is_its_turn()
    {
        await using ConnectionHarness harness = Start();
        harness.Stub.Feed(Frame(harness, Ask, "q"u8));
        await AskedAsync();

        harness.Stub.Feed((byte[])[.. Frames(harness, 1, 1), 0, 0, 0, 3, 0, 1, 0]);
        Assert.True(harness.Connection.IsOpen);
        _giveUp.Cancel();
        harness.Stub.FeedEnd();

        Assert.Equal(CloseReason.ProtocolViolation, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        AssertEvents(["q: nothing", "1"]);
    }

    [Fact]
    public async Task A_peer_that_answers_is_alive()
    {
        await using ConnectionHarness harness = Start();
        harness.Stub.Feed(Frame(harness, Ask, "q"u8));
        await AskedAsync();
        harness.Time.Advance(TimeSpan.FromSeconds(5));

        harness.Stub.Feed(Answer(harness, 1, "a"u8));

        Assert.Equal(harness.Time.GetTimestamp(), harness.Connection.LastReceiveTimestamp);
    }

    /// <summary>The work queue of an event loop that is the test.</summary>
    private sealed class LoopQueue : ILocalWorkQueue
    {
        internal Queue<IThreadPoolWorkItem> Items { get; } = new();

        public void Enqueue(IThreadPoolWorkItem item) => Items.Enqueue(item);

        public void EnqueueAt(IThreadPoolWorkItem item, long due) => throw new NotSupportedException();
    }

    private static byte[] Frame(ConnectionHarness harness, ushort packetId, ReadOnlySpan<byte> body) => harness.Frame(body, new FrameHeader(packetId));

    private static byte[] Answer(ConnectionHarness harness, ushort requestId, ReadOnlySpan<byte> body) =>
        harness.Frame(body, new FrameHeader(TestRequest.Reply, requestId));

    private static byte[] Frames(ConnectionHarness harness, int first, int count) =>
        [.. Enumerable.Range(first, count).SelectMany(i => Frame(harness, Other, Encoding.ASCII.GetBytes($"{i}")))];

    private static string Text(in ReadOnlySequence<byte> body) => Encoding.ASCII.GetString(body.ToArray());

    private ConnectionHarness Start(FrameFormat? format = null, int maxRequests = 1024)
    {
        ConnectionHarness harness = ConnectionHarness.OnStub(format ?? FrameFormat.Packet(), options => options.MaxRequests = maxRequests);
        harness.Handler.OnFrame = (Connection connection, in Frame frame) =>
            frame.PacketId == Ask ? new ValueTask(AskAsync(connection, frame.Body)) : Record(in frame);
        return harness.Start();
    }

    private void AssertEvents(string[] expected) => Assert.Equal(expected, _events, StringComparer.Ordinal);

    private Task<bool> AskedAsync() => _asked.WaitAsync(TestTimeouts.Hang);

    private ValueTask Record(in Frame frame)
    {
        _events.Enqueue(Text(frame.Body));
        return default;
    }

    private async Task AskAsync(Connection connection, ReadOnlySequence<byte> body)
    {
        string answer;
        try
        {
            Task<byte[]> asking = TestRequest.AskAsync(connection, _giveUp.Token);
            _asked.Release();
            answer = Encoding.ASCII.GetString(await asking);
        }
        catch (OperationCanceledException)
        {
            answer = "nothing";
        }
        catch (ConnectionClosedException e)
        {
            answer = $"{e.Reason}";
        }

        _events.Enqueue($"{Text(body)}: {answer}"); // the frame's own memory, still there
    }
}
