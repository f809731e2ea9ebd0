namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The joins of a node's sessions that wait for the owner of a room, one for each session. Only the room's turn uses it.</summary>
internal sealed class ReplicaJoins
{
    private readonly Dictionary<long, PendingJoin> _joins = []; // by session id

    internal IEnumerable<PendingJoin> All => _joins.Values;

    internal PendingJoin? Find(long sessionId, long number) => _joins.GetValueOrDefault(sessionId) is { } join && join.Number == number
        ? join
        : null;

    /// <returns><see langword="false"/> if a join of the session waits already.</returns>
    internal bool TryAdd(PendingJoin join) => _joins.TryAdd(join.Session.Id, join);

    /// <returns><see langword="false"/> if the join was answered.</returns>
    internal bool Remove(PendingJoin join) => Find(join.Session.Id, join.Number) is not null && _joins.Remove(join.Session.Id);

    /// <summary>Answers a join, if it waits.</summary>
    internal void End(long sessionId, long number, JoinStatus result, string? reason)
    {
        if (Find(sessionId, number) is { } join && _joins.Remove(sessionId))
        {
            join.Answer.TrySetResult((result, reason is { Length: > 0 } ? reason : null));
        }
    }

    internal void EndAll(JoinStatus result, string? reason)
    {
        foreach (PendingJoin join in _joins.Values.ToArray())
        {
            End(join.Session.Id, join.Number, result, reason);
        }
    }
}
