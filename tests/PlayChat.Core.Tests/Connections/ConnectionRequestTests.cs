using System.Buffers;
using System.Collections.Concurrent;
using System.Text;
using System.Threading.Tasks.Sources;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionRequestTests
{
    private const ushort Ask = 1; // its handler asks the peer
    private const ushort Other = 2;
    private const ushort Question = 3;
    private const ushort Told = 4; // a number

    private readonly ConcurrentQueue<string> _events = new();
    private readonly SemaphoreSlim _asked = new(0);

    [Fact]
    public async Task Only_the_call_of_a_handler_is_kept_from_asking_its_own_peer()
    {
        var work = new TaskCompletionSource();
        Exception? inHandler = null;
        Exception? ofAnother = null;
        Task handling = Task.CompletedTask;
        await using ConnectionHarness harness = ConnectionHarness.OnStub(FrameFormat.Packet());
        await using ConnectionHarness other = ConnectionHarness.OnStub(FrameFormat.Packet()).Start();
        harness.Handler.OnFrame = (Connection connection, in Frame _) => new ValueTask(handling = HandleAsync(connection));
        harness.Start();

        BatchContext.RequireNotHandling(harness.Connection);
        harness.Stub.Feed(Frame(harness, Other, "1"u8));
        Assert.True(harness.Connection.IsHandlerWaiting);
        BatchContext.RequireNotHandling(harness.Connection); // from outside, while the handler waits
        work.SetResult();
        await handling.WaitAsync(TestTimeouts.Hang);
        await Eventually.TrueAsync(() => !harness.Connection.IsHandlerWaiting);

        Assert.Contains("Offload.Run", Assert.IsType<InvalidOperationException>(inHandler).Message, StringComparison.Ordinal);
        Assert.Null(ofAnother);

        async Task HandleAsync(Connection connection)
        {
            inHandler = Record.Exception(() => BatchContext.RequireNotHandling(connection));
            ofAnother = Record.Exception(() => BatchContext.RequireNotHandling(other.Connection));
            await work.Task;
            BatchContext.RequireNotHandling(connection);
        }
    }

    [Fact]
    public async Task A_request_that_is_made_while_a_handler_waits_is_answered_when_the_handler_has_returned()
    {
        var work = new TaskCompletionSource();
        await using ConnectionHarness harness = Start();
        harness.Handler.OnFrame = (Connection _, in Frame _) => new ValueTask(work.Task);
        harness.Stub.Feed((byte[])[.. Frames(harness, 1, 3)]);

        Task<byte[]> answer = TestRequest.AskAsync(harness.Connection);
        harness.Stub.Feed(Answer(harness, 1, "a"u8));

        Assert.Equal(1, harness.Handler.Frames);
        Assert.False(answer.IsCompleted);
        work.SetResult();
        Assert.Equal("a", Encoding.ASCII.GetString(await answer.WaitAsync(TestTimeouts.Hang)));
        await Eventually.TrueAsync(() => harness.Handler.Frames == 3);
    }

    [Fact]
    public async Task An_answer_for_which_nobody_waits_any_more_is_dropped_and_its_id_is_told_from_the_peers_own()
    {
        await using ConnectionHarness harness = Start();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => TestRequest.AskAsync(harness.Connection, new CancellationToken(canceled: true)));

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
    public async Task Answers_that_all_come_too_late_are_no_violation()
    {
        await using ConnectionHarness harness = Start(maxRequests: 3);
        for (int i = 0; i < 20; i++)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(
                () => TestRequest.AskAsync(harness.Connection, new CancellationToken(canceled: true)));
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
    public async Task A_peer_that_goes_fails_the_request_and_those_that_are_yet_made(CloseReason reason)
    {
        await using ConnectionHarness harness = Start();
        Task<byte[]> asking = TestRequest.AskAsync(harness.Connection);
        harness.Stub.Feed(Frames(harness, 1, 2));

        harness.Stub.FeedEnd(reason);

        Assert.Equal(reason, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(reason, (await Assert.ThrowsAsync<ConnectionClosedException>(() => asking)).Reason);
        AssertEvents(["1", "2"]);
        Assert.Equal(reason, (await Assert.ThrowsAsync<ConnectionClosedException>(() => TestRequest.AskAsync(harness.Connection))).Reason);
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
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            FrameFormat.Packet(), static options => options.MaxRequests = 2).Start();
        var first = new TestRequest();
        var second = new TestRequest();
        harness.Connection.BeginRequest(first);
        harness.Connection.BeginRequest(second);

        Assert.Throws<TooManyRequestsException>(() => harness.Connection.BeginRequest(new TestRequest()));
        harness.Connection.TryEndRequest(second);
        TestRequest last = second;
        TestRequest next;
        while ((next = Next()).Id > last.Id)
        {
            last = next;
        }

        Assert.InRange(last.Id, 65_520, 65_535);
        Assert.Equal(2, next.Id); // 0 is none, and 1 still waits

        TestRequest Next()
        {
            var request = new TestRequest();
            harness.Connection.BeginRequest(request);
            Assert.True(harness.Connection.TryEndRequest(request));
            return request;
        }
    }

    [Fact]
    public async Task A_continuation_that_blocks_stops_neither_the_receive_loop_nor_the_frames_that_the_handler_gets()
    {
        using var release = new ManualResetEventSlim();
        using var blocked = new SemaphoreSlim(0);
        await using ConnectionHarness harness = Start();
        Begin(harness, () =>
        {
            blocked.Release();
            Assert.True(release.Wait(TestTimeouts.Hang));
        });

        harness.Stub.Feed((byte[])[.. Answer(harness, 1, "a"u8), .. Frames(harness, 1, 2)]);
        Assert.True(await blocked.WaitAsync(TestTimeouts.Hang));
        harness.Stub.Feed(Frames(harness, 3, 2));

        AssertEvents(["1", "2", "3", "4"]);
        release.Set();
    }

    [Fact]
    public async Task A_handler_that_blocks_does_not_keep_the_answers_before_its_frame_from_those_who_await_them()
    {
        using var continued = new ManualResetEventSlim();
        await using ConnectionHarness harness = Start();
        harness.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            Assert.True(continued.Wait(TestTimeouts.Hang));
            return Note(in frame);
        };
        Begin(harness, continued.Set);

        harness.Stub.Feed((byte[])[.. Answer(harness, 1, "a"u8), .. Frames(harness, 1, 1)]);

        AssertEvents(["1"]);
    }

    [Fact]
    public async Task A_continuation_may_block_until_one_that_follows_it_has_run()
    {
        using var second = new ManualResetEventSlim();
        var first = new TaskCompletionSource<bool>();
        await using ConnectionHarness harness = Start();
        Begin(harness, () => first.SetResult(second.Wait(TestTimeouts.Hang)));
        Begin(harness, second.Set);

        harness.Stub.Feed((byte[])[.. Answer(harness, 1, "a"u8), .. Answer(harness, 2, "b"u8)]);

        Assert.True(await first.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_continuation_may_block_until_its_own_request_is_answered_while_others_wait_to_follow_it()
    {
        var answered = new TaskCompletionSource<string>();
        var last = new TaskCompletionSource();
        await using ConnectionHarness harness = Start();
        harness.Stub.Sent = null;
        Begin(harness, () =>
        {
            Task<byte[]> asking = TestRequest.AskAsync(harness.Connection);
#pragma warning disable xUnit1031, VSTHRD002 // what is tested
            answered.SetResult(asking.Wait(TestTimeouts.Hang) ? Encoding.ASCII.GetString(asking.Result) : "none");
#pragma warning restore xUnit1031, VSTHRD002
        });
        Begin(harness, last.SetResult);

        harness.Stub.Feed((byte[])[.. Answer(harness, 1, "a"u8), .. Answer(harness, 2, "b"u8)]);
        await Eventually.TrueAsync(() => harness.Stub.Sends == 1); // the request leaves although its run has not ended
        harness.Stub.Feed(Answer(harness, 3, "c"u8));

        Assert.Equal("c", await answered.Task.WaitAsync(TestTimeouts.Hang));
        await last.Task.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_cancellation_and_an_answer_at_the_same_time_end_a_request_once()
    {
        const int Rounds = 500;
        await using ConnectionHarness harness = Start(maxRequests: 1);
        harness.Stub.Sent = null;
        int cancelled = 0;
        for (int round = 1; round <= Rounds; round++)
        {
            using var cancelling = new CancellationTokenSource();
            // MaxRequests: the request before has left nothing behind.
            Task<long> asking = Asking(harness, Timeout.InfiniteTimeSpan, cancelling.Token).AsTask();
            Task cancel = Task.Run(cancelling.Cancel);
            harness.Stub.Feed(harness.Frame(BitConverter.GetBytes(1L), new FrameHeader(Told, (ushort)round)));
            await cancel;
            try
            {
                await asking.WaitAsync(TestTimeouts.Hang);
            }
            catch (OperationCanceledException e)
            {
                Assert.Equal(cancelling.Token, e.CancellationToken);
                cancelled++;
            }
        }

        Assert.Equal(cancelled, harness.Metrics.Read(Counter.AnswersDropped));
        Assert.True(harness.Connection.IsOpen);
    }

    [Fact]
    public async Task A_cancellation_completes_the_request_at_once_and_not_by_running_the_continuation()
    {
        await using ConnectionHarness harness = Start();
        using var cancelling = new CancellationTokenSource();
        ValueTask<long> asking = Asking(harness, Timeout.InfiniteTimeSpan, cancelling.Token);
        using var cancelled = new ManualResetEventSlim();
        var continued = new TaskCompletionSource<bool>();
        asking.GetAwaiter().UnsafeOnCompleted(() => continued.SetResult(cancelled.Wait(TestTimeouts.Hang)));

        cancelling.Cancel();

        Assert.True(asking.IsCanceled);
        cancelled.Set();
        Assert.True(await continued.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_request_times_out_when_its_time_has_passed_and_not_before()
    {
        await using ConnectionHarness harness = Start();
        ValueTask<long> asking = Asking(harness, TimeSpan.FromMilliseconds(1500));

        harness.Time.Advance(TimeSpan.FromMilliseconds(1499));
        Assert.False(asking.IsCompleted);
        harness.Time.Advance(TimeSpan.FromMilliseconds(1));

        Assert.True(asking.IsFaulted);
        await Assert.ThrowsAsync<TimeoutException>(asking.AsTask);
    }

    private static ValueTask<long> Asking(ConnectionHarness harness, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        if (harness.Packets.Find(Told) is null)
        {
            harness.Packets.Add(new NumberPacket(Told)).Add(new Dispatch.TextPacket(Question));
        }

        return harness.Connection.RequestAsync<long>("?", timeout, cancellationToken);
    }

    /// <summary>A request whose continuation is a plain call.</summary>
    private static TestRequest Begin(ConnectionHarness harness, Action continuation)
    {
        var request = new TestRequest();
        harness.Connection.BeginRequest(request);
        request.OnCompleted(static state => ((Action)state!)(), continuation, token: 0, ValueTaskSourceOnCompletedFlags.None);
        return request;
    }

    private static byte[] Frame(ConnectionHarness harness, ushort packetId, ReadOnlySpan<byte> body) =>
        harness.Frame(body, new FrameHeader(packetId));

    private static byte[] Answer(ConnectionHarness harness, ushort requestId, ReadOnlySpan<byte> body) =>
        harness.Frame(body, new FrameHeader(TestRequest.Reply, requestId));

    private static byte[] Frames(ConnectionHarness harness, int first, int count) =>
        [.. Enumerable.Range(first, count).SelectMany(i => Frame(harness, Other, Encoding.ASCII.GetBytes($"{i}")))];

    private static string Text(in ReadOnlySequence<byte> body) => Encoding.ASCII.GetString(body.ToArray());

    private ConnectionHarness Start(int maxRequests = 1024)
    {
        ConnectionHarness harness = ConnectionHarness.OnStub(FrameFormat.Packet(), options => options.MaxRequests = maxRequests);
        harness.Handler.OnFrame = (Connection connection, in Frame frame) =>
            frame.PacketId == Ask ? new ValueTask(AskAsync(connection, frame.Body)) : Note(in frame);
        return harness.Start();
    }

    private void AssertEvents(string[] expected) => Assert.Equal(expected, _events, StringComparer.Ordinal);

    private Task<bool> AskedAsync() => _asked.WaitAsync(TestTimeouts.Hang);

    private ValueTask Note(in Frame frame)
    {
        _events.Enqueue(Text(frame.Body));
        return default;
    }

    private async Task AskAsync(Connection connection, ReadOnlySequence<byte> body)
    {
        string answer;
        try
        {
            Task<byte[]> asking = TestRequest.AskAsync(connection);
            _asked.Release();
            answer = Encoding.ASCII.GetString(await asking);
        }
        catch (ConnectionClosedException e)
        {
            answer = $"{e.Reason}";
        }

        _events.Enqueue($"{Text(body)}: {answer}"); // the frame's own memory, still there
    }
}
