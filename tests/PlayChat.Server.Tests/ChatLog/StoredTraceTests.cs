using System.Collections.Concurrent;
using System.Diagnostics;
using PlayChat.Core.Diagnostics;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.ChatLog;

/// <summary>The trace of a message that members hear only when it is stored.</summary>
public sealed class StoredTraceTests
{
    [Fact]
    public async Task Under_Stored_the_delivery_is_in_the_trace_and_follows_the_store()
    {
        var parent = new ActivityContext(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);
        var spans = new ConcurrentQueue<Activity>();
        using ActivityListener listener = ListenTo(parent.TraceId, spans);
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var store = new FaultyStore { AppendWaitsFor = back.Task };
        await using TestServer server = await TestServer.StartInAsync(
            null, store.Wrap, "--ChatLog:Durability=Stored", "--Telemetry:Otlp:ContinueTraces=true");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        var said = new CRoomChatReq { RoomId = roomId, Text = "wait", TraceParent = $"00-{parent.TraceId}-{parent.SpanId}-01" };
        kim.Send(ChatPackets.CRoomChatReq, said, requestId: 101);
        await Eventually.TrueAsync(() => server.Log.Metrics.Queued == 1);
        await lee.JoinAsync(roomId); // a later turn, so that of the message is flushed,
        await lee.LeaveAsync(roomId); // and another one after its spans were written
        Activity[] before = [.. spans];
        back.SetResult();
        await kim.NextAsync<SRoomChatNtf>();
        await Eventually.TrueAsync(() => spans.Any(static span => span.OperationName == "deliver"));

        Activity turn = Assert.Single(before, static span => span.OperationName == "room turn");
        Assert.DoesNotContain(before, static span => span.OperationName == "deliver");
        Activity deliver = Assert.Single(spans, static span => span.OperationName == "deliver");
        Assert.Equal(turn.SpanId, deliver.ParentSpanId);
        Assert.Equal(roomId, deliver.GetTagItem("playchat.room.id"));
    }

    private static ActivityListener ListenTo(ActivityTraceId trace, ConcurrentQueue<Activity> spans)
    {
        var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == PlayChatTracing.SourceName,
            Sample = (ref ActivityCreationOptions<ActivityContext> options) =>
                options.Parent.TraceId == trace ? ActivitySamplingResult.AllDataAndRecorded : ActivitySamplingResult.None,
            ActivityStopped = spans.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        return listener;
    }
}
