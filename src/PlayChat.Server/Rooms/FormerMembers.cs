namespace PlayChat.Server.Rooms;

/// <summary>The message ids of players that left a room lately. For the room's turn alone.</summary>
/// <remarks>A player that logs in again, or that a resume removed, joins again and repeats its unanswered messages.</remarks>
internal sealed class FormerMembers
{
    private const int MaxPlayers = 256;

    private readonly List<(long PlayerId, RecentMessages Recent)> _left = []; // each once, by the time of leaving

    /// <summary>Keeps the ids of a member. When there are too many, those of the player that left first are dropped.</summary>
    public void Add(ChatMember member)
    {
        if (member.Recent.IsEmpty)
        {
            return;
        }

        if (_left.Count == MaxPlayers)
        {
            _left.RemoveAt(0);
        }

        _left.Add((member.Shown.PlayerId, member.Recent));
    }

    /// <summary>Takes the ids of a player that joins.</summary>
    /// <returns><see langword="null"/> when there is nothing.</returns>
    public RecentMessages? Take(long playerId)
    {
        int index = _left.FindIndex(left => left.PlayerId == playerId);
        if (index < 0)
        {
            return null;
        }

        RecentMessages recent = _left[index].Recent;
        _left.RemoveAt(index);
        return recent;
    }
}
