using PlayChat.Core.Buffers;
using PlayChat.Core.Framing;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>One piece of work in a room's queue: a job with its two arguments, or a frame for <c>OnFrame</c>.</summary>
/// <param name="Invoker">Knows the types of the job; <see langword="null"/> for a frame.</param>
/// <param name="Job">The delegate.</param>
/// <param name="First">Its first argument, or the frame's sender.</param>
/// <param name="Second">Its second argument.</param>
/// <param name="Body">The frame's body, held by the item.</param>
/// <param name="Header">The frame's header.</param>
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
