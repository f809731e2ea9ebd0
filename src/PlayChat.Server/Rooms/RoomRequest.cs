using PlayChat.Core.Dispatch;
using PlayChat.Core.Sessions;

namespace PlayChat.Server.Rooms;

/// <summary>Who asked a room for something, and which answer is waited for.</summary>
internal sealed class RoomRequest(PacketContext context)
{
    public Session Session => context.Session;

    public ushort PacketId => context.PacketId;

    public ushort RequestId => context.RequestId;

    /// <summary>Whether it has its answer. For the room's turn alone.</summary>
    public bool IsAnswered { get; set; }
}
