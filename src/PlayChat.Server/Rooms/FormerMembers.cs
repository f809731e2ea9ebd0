namespace PlayChat.Server.Rooms;

/// <summary>What a room has had lately from players who have left it. For the room's turn alone.</summary>
/// <remarks>A player who logs in anew, or was let go by a resume, joins again and repeats what was not answered.</remarks>
internal sealed class FormerMembers
{
    private const int MaxPlayers = 256;

    private readonly List<(long PlayerId, RecentMessages Recent)> _left = []; // each once, by the time of leaving

    /// <summary>Keeps it; that of the one who has been gone for longest may go.</summary>
    public void Add(RoomMember member)
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

    /// <summary>Hands it out to a player who joins.</summary>
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
