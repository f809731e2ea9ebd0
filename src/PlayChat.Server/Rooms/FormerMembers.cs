using PlayChat.Storage;

namespace PlayChat.Server.Rooms;

/// <summary>
/// The message ids of players that left a room lately, or spoke in it before the server restarted. For the room's turn alone.
/// </summary>
/// <remarks>
/// A player that logs in again, or that a resume removed, joins again and repeats its unanswered messages. So does a player that returns
/// after a restart of the server.
/// </remarks>
internal sealed class FormerMembers
{
    private const int MaxPlayers = 256;

    private readonly List<(long PlayerId, RecentMessages Recent)> _left = []; // each once, by the time of leaving

    /// <summary>Keeps the ids of a member. When there are too many, those of the player that left first are dropped.</summary>
    public void Add(ChatMember member) => Add(member.Shown.PlayerId, member.Recent);

    /// <summary>Keeps the ids of messages that are in the store.</summary>
    /// <param name="messages">Oldest first.</param>
    /// <param name="capacity">How many are kept of each player.</param>
    public void Restore(IEnumerable<ChatRecord> messages, int capacity)
    {
        // The players in the order of their last messages, so that those that spoke last are kept.
        foreach (ChatRecord[] said in messages
            .Where(static message => message.ClientMessageId != 0)
            .GroupBy(static message => message.PlayerId, static (_, ofPlayer) => ofPlayer.ToArray())
            .OrderBy(static ofPlayer => ofPlayer[^1].Sequence))
        {
            var recent = new RecentMessages(capacity);
            Array.ForEach(said, message => recent.Add(message.ClientMessageId, message.Sequence));
            Add(said[0].PlayerId, recent);
        }
    }

    private void Add(long playerId, RecentMessages recent)
    {
        if (recent.IsEmpty)
        {
            return;
        }

        if (_left.Count == MaxPlayers)
        {
            _left.RemoveAt(0);
        }

        _left.Add((playerId, recent));
    }

    /// <summary>Finds the ids of a player that is not a member.</summary>
    /// <returns><see langword="null"/> when there is nothing.</returns>
    public RecentMessages? Find(long playerId) => _left.Find(left => left.PlayerId == playerId).Recent;

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
