namespace PlayChat.Core.Rooms;

/// <summary>A room of a cluster as one node has it: joins and leaves go to the node that runs the room.</summary>
internal interface IRoomReplica
{
    /// <summary>Makes a session a member, in the turn of the room at its owner. Thread-safe.</summary>
    /// <param name="session">The session.</param>
    /// <param name="argument">The argument of the join, encoded.</param>
    /// <param name="password">The password, if there is one.</param>
    /// <param name="cancellationToken">Stops waiting; the session is then no member.</param>
    Task<(JoinStatus Status, string? Reason)> JoinAsync(
        Session session, byte[] argument, string? password, CancellationToken cancellationToken);

    /// <summary>Ends a membership at the member's request. Only in the room's turn.</summary>
    /// <returns><see langword="false"/> if the session is no member.</returns>
    bool Leave(Session session);
}
