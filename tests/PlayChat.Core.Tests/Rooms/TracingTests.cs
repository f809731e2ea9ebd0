using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Dispatch;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>The spans of a packet that a room handles. A listener is the process's, so these tests run alone.</summary>
[Collection(nameof(RunsAlone))]
public sealed class TracingTests : IAsyncDisposable
{
    private static readonly byte[] s_body = new byte[sizeof(long)];

    private readonly StubRoomHarness _harness = new(time: TimeProvider.System);
    private readonly ConcurrentQueue<Activity> _spans = new();
    private readonly ActivityListener _listener;

    public TracingTests()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == PlayChatTracing.SourceName,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = _spans.Enqueue,
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public ValueTask DisposeAsync()
    {
        _listener.Dispose();
        return _harness.DisposeAsync();
    }

    [Fact]
    public async Task A_packet_its_turn_and_its_delivery_are_one_trace_and_the_receive_loop_keeps_no_span()
    {
        (PacketDispatcher dispatcher, Session session, long roomId) = await StartAsync(static _ => { });

        Send(dispatcher, session);
        Send(dispatcher, session);
        await Eventually.TrueAsync(() => _spans.Count == 6);

        Assert.Null(Activity.Current);
        IGrouping<ActivityTraceId, Activity>[] traces = [.. _spans.GroupBy(static span => span.TraceId)];
        Assert.Equal(2, traces.Length);
        foreach (IGrouping<ActivityTraceId, Activity> trace in traces)
        {
            Activity handler = Assert.Single(trace, static span => span.Kind == ActivityKind.Server);
            Activity turn = Assert.Single(trace, static span => span.OperationName == "room turn");
            Activity deliver = Assert.Single(trace, static span => span.OperationName == "deliver");
            Assert.Equal(default, handler.ParentSpanId);
            Assert.Equal(handler.SpanId, turn.ParentSpanId);
            Assert.Equal(turn.SpanId, deliver.ParentSpanId);
            Assert.Equal(session.Connection.Id, handler.GetTagItem("playchat.connection.id"));
            Assert.Equal(roomId, turn.GetTagItem("playchat.room.id"));
            Assert.Equal(1, deliver.GetTagItem("playchat.room.members"));
        }
    }

    [Fact]
    public async Task A_job_that_sends_nothing_has_no_delivery_and_a_later_job_can_deliver_for_it()
    {
        await _harness.EnterAsync(1);
        ActivityContext turn = default;
        using (Activity packet = PlayChatTracing.Source.StartActivity("packet")!)
        {
            await _harness.InTurnAsync(_ => turn = Activity.Current!.Context);
        }

        Assert.Contains(_spans, span => span.SpanId == turn.SpanId);
        Assert.DoesNotContain(_spans, static span => span.OperationName == "deliver");
        await _harness.InTurnAsync(room =>
        {
            room.Broadcast("late");
            room.ContinueTrace(turn);
        });

        Activity deliver = Assert.Single(_spans, static span => span.OperationName == "deliver");
        Assert.Equal((turn.TraceId, turn.SpanId), (deliver.TraceId, deliver.ParentSpanId));
        Assert.Equal(1, deliver.GetTagItem("playchat.room.members"));
    }

    [Fact]
    public async Task A_packet_that_begins_no_trace_allocates_nothing_although_there_is_a_listener()
    {
        (PacketDispatcher dispatcher, Session session, _) = await StartAsync(static router => router.TraceOneIn = 1_000_000);
        long sent = _harness.Metrics.Read(Counter.JobsExecuted);

        long allocated = AllocatedBytes.InSteadyState(() =>
        {
            Send(dispatcher, session);
            sent++;
            while (_harness.Metrics.Read(Counter.JobsExecuted) < sent) // never many at once: the queue would grow
            {
                Thread.Yield(); // gives the processor to the room, where there is one only, and allocates nothing
            }
        });

        Assert.InRange(_spans.Count, 0, 30);
        Assert.InRange(allocated, 0, 999); // one byte a packet would be 1,000; the parts of the queues grow now and then
    }

    private static void Send(PacketDispatcher dispatcher, Session session)
    {
        var body = new ReadOnlySequence<byte>(s_body);
        FrameData data = FrameData.OfBody(in body, new FrameHeader(PacketId: 9, RequestId: 1));
        Assert.True(dispatcher.HandleAsync(session.Connection, new Frame(in data)).IsCompletedSuccessfully);
    }

    private async Task<(PacketDispatcher Dispatcher, Session Session, long RoomId)> StartAsync(Action<PacketRouter> configure)
    {
        MemberRoom room = _harness.Rooms.Create("r", static context => new MemberRoom(context) { IsQuiet = true });
        Session session = _harness.NewSession();
        Assert.True((await room.JoinAsync(session)).IsJoined);
        _harness.LinkOf(session).Sent = null;
        await Eventually.TrueAsync(() => room.Turn.Scheduler.IsIdle);
        PacketSet packets = new PacketSet().Add(new AddressedPacket(9, readAs: new Addressed(room.Id))).Add(new NumberPacket(8));
        var router = new PacketRouter(provider: null, packets);
        configure(router);
        router.MapRoomRequest<MemberRoom, TestMember, Addressed, long>(static (room, _, _, _) => room.Id);
        return (router.Start(_harness.Metrics, _harness.Logger, TimeProvider.System), session, room.Id);
    }
}
