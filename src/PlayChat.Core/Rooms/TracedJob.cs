namespace PlayChat.Core.Rooms;

/// <summary>An item that was posted within a span: runs it in a span of the room's turn.</summary>
/// <remarks>It stands in the item's place, so that an item has no field that only traced ones need.</remarks>
internal sealed class TracedJob(RoomInvoker? inner, ActivityContext parent) : RoomInvoker
{
    private readonly long _posted = Stopwatch.GetTimestamp();

    /// <summary>Wraps an item that is posted within a recorded span; returns any other as it is.</summary>
    internal static RoomItem Wrap(in RoomItem item) => PlayChatTracing.Recorded is { } span
        ? item with { Invoker = new TracedJob(item.Invoker, span.Context) }
        : item;

    internal override RoomInvoker? Inner => inner;

    internal override void Invoke(Room room, in RoomItem item)
    {
        Activity? before = Activity.Current;
        Activity? span = PlayChatTracing.Source.StartActivity("room turn", ActivityKind.Internal, parent);
        span?.SetTag("playchat.room.id", room.Id);
        span?.SetTag("playchat.room.queue_time", Stopwatch.GetElapsedTime(_posted).TotalSeconds);
        (int, int) sent = room.Outbox.Sent;
        try
        {
            ((IRoomHooks)room).Run(item with { Invoker = inner });
        }
        catch (Exception e)
        {
            span?.SetStatus(ActivityStatusCode.Error, e.GetType().Name);
            throw;
        }
        finally
        {
            if (span is not null)
            {
                span.Dispose();
                if (room.Outbox.Sent != sent) // otherwise there is nothing to deliver
                {
                    room.ContinueTrace(span.Context);
                }
            }

            Activity.Current = before;
        }
    }
}
