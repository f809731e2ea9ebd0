namespace PlayChat.Core.Rooms;

/// <summary>The replay buffers of a room's members that are away.</summary>
/// <remarks>
/// <para>Invariant: a room has such an object, and a member has a buffer in it, only while the member is away and the server keeps
/// frames (<see cref="SessionOptions.ReplayBytes"/>). A room whose members are all connected only checks a null field.</para>
/// <para>Only the room's turn uses it.</para>
/// </remarks>
internal sealed class RoomReplays
{
    private readonly Dictionary<Session, ReplayBuffer> _buffers = [];

    internal bool IsEmpty => _buffers.Count == 0;

    /// <summary>Begins to keep the frames of a member.</summary>
    internal void Begin(Session member, int maxBytes) => _buffers[member] = new ReplayBuffer(maxBytes);

    internal bool TryFind(Session member, [MaybeNullWhen(false)] out ReplayBuffer buffer) => _buffers.TryGetValue(member, out buffer);

    /// <summary>Stops keeping the frames of a member. The caller replays or drops them.</summary>
    internal ReplayBuffer? End(Session member) => _buffers.Remove(member, out ReplayBuffer? buffer) ? buffer : null;
}
