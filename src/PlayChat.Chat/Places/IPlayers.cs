namespace PlayChat.Chat.Places;

/// <summary>
/// Reaches players on all servers: with notices of an operator, with the end of a session, and with direct messages. Thread-safe.
/// </summary>
/// <remarks>
/// Every call throws <see cref="ClusterDirectoryException"/> when the other nodes of a cluster are unreachable. Cancelling a call may leave
/// it done.
/// </remarks>
internal interface IPlayers
{
    /// <summary>Whether there may be players on other nodes.</summary>
    bool AreElsewhere { get; }

    /// <summary>Tells something to the members of a room, or to all players, where the room is 0.</summary>
    /// <returns>The number of sessions of this server that were told.</returns>
    Task<int> TellAsync(long roomId, string message, CancellationToken cancellationToken);

    /// <summary>Whether a room has members on other nodes.</summary>
    Task<bool> HasMembersElsewhereAsync(long roomId, CancellationToken cancellationToken);

    /// <summary>Tells something to the devices that a player has on other nodes.</summary>
    /// <returns>Their nodes.</returns>
    Task<IReadOnlyList<int>> TellElsewhereAsync(long userId, string message, CancellationToken cancellationToken);

    /// <summary>Closes the sessions that a player has on other nodes.</summary>
    /// <param name="userId">The player.</param>
    /// <param name="loginTokenId">Only those that stay logged in by this login token; 0 for all.</param>
    /// <param name="message">What the player is told; empty for the usual sentence.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Their nodes; with a login token, the nodes that were asked.</returns>
    Task<IReadOnlyList<int>> CloseElsewhereAsync(long userId, long loginTokenId, string message, CancellationToken cancellationToken);

    /// <summary>Gives a player a direct message. It is dropped if the player is away or behind.</summary>
    /// <returns><see langword="false"/> when the player has no session, or does not read.</returns>
    ValueTask<bool> SayAsync(long userId, SDirectChatNtf message, CancellationToken cancellationToken);

    /// <summary>Tells the other devices of a player what it has sent. They may miss it, and read it with the conversation.</summary>
    ValueTask TellSentAsync(Session device, SDirectSentNtf message, CancellationToken cancellationToken);
}
