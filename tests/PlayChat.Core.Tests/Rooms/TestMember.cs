using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A member of a <see cref="MemberRoom"/>.</summary>
internal sealed class TestMember(Session session, object? argument) : RoomMember(session)
{
    internal object? Argument { get; } = argument;
}
