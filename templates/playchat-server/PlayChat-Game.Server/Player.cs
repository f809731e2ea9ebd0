namespace PlayChat_Game.Server;

/// <summary>What a member is to the lobby. For the room's turn alone.</summary>
internal sealed class Player(Session session, string name, IReadOnlyList<string> others) : RoomMember(session)
{
    public string Name { get; } = name;

    /// <summary>The players that were in the lobby before this one.</summary>
    public IReadOnlyList<string> Others { get; } = others;
}
