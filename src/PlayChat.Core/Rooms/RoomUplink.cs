namespace PlayChat.Core.Rooms;

/// <summary>Takes what a room sends in place of its members' connections. Only the room's turn uses it, at the end of a turn through
/// <see cref="Flush"/>.</summary>
internal abstract class RoomUplink
{
    /// <summary>Whether there is something to flush.</summary>
    internal abstract bool HasFrames { get; }

    /// <summary>Returns whether the next turn has to wait.</summary>
    internal abstract bool MustHold();

    /// <summary>Begins a frame.</summary>
    /// <returns>The memory for its body; valid until the frame is ended.</returns>
    internal abstract Span<byte> Begin(FrameHeader header, int bodyBytes);

    /// <summary>Ends a frame for every member, or for every member but one.</summary>
    /// <returns>Its encoded bytes.</returns>
    internal abstract int EndBroadcast(ReadOnlySpan<byte> body, Delivery delivery, Session? except);

    /// <summary>Ends a frame for some sessions, members or not.</summary>
    /// <returns>Its encoded bytes.</returns>
    internal abstract int EndDirect(ReadOnlySpan<Session> to, ReadOnlySpan<byte> body, Delivery delivery);

    internal abstract void Flush();
}
