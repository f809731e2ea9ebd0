using System.Buffers;
using System.Collections.Concurrent;
using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionRequestTests
{
    private const ushort Ask = 1; // its handler asks the peer
    private const ushort Other = 2;

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
