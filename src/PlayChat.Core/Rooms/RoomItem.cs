namespace PlayChat.Core.Rooms;

/// <summary>One piece of work in a room's queue: a job with its two arguments, a received message, or a frame for <c>OnFrame</c>.</summary>
/// <param name="Invoker">Knows the types of the job or handles the message; <see langword="null"/> for a frame.</param>
/// <param name="Job">The delegate of a job.</param>
/// <param name="First">The job's first argument, the message's connection, or the frame's sender.</param>
/// <param name="Second">The job's second argument, or the message.</param>
/// <param name="Body">The frame's body, held by the item.</param>
/// <param name="Header">The header of the frame, or of the message.</param>
/// <param name="PostedAt">The time when it was posted, in ticks of the server's clock.</param>
internal readonly record struct RoomItem(
    RoomInvoker? Invoker, Delegate? Job, object? First, object? Second, Segment? Body, FrameHeader Header, long PostedAt)
{
    /// <summary>Its share of <see cref="RoomOptions.QueueBytes"/>.</summary>
    internal int Bytes => Body?.Written ?? 0;

    /// <summary>Copies a frame.</summary>
    internal static RoomItem OfFrame(Session from, in Frame frame, SegmentPool pool, long postedAt)
    {
        ArgumentNullException.ThrowIfNull(from);
        Segment body = pool.RentSegment(Math.Max(1, frame.BodyBytes));
        frame.CopyTo(body.Array);
        body.Written = frame.BodyBytes;
        return new RoomItem(null, null, from, null, body, frame.Header, postedAt);
    }
}
