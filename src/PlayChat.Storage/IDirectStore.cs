namespace PlayChat.Storage;

/// <summary>Stores what players say to each other alone, how far they have read it, and which players they have blocked.
/// Thread-safe.</summary>
/// <remarks>Every method throws <see cref="StorageException"/> when the database cannot do its part. Several servers may use one
/// database.</remarks>
public interface IDirectStore
{
    /// <summary>Adds messages in one transaction, and numbers those of each conversation without a gap.</summary>
    /// <param name="messages">In the order in which they were sent. The receiver must be an account.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>What became of each message, in their order.</returns>
    Task<IReadOnlyList<DirectOutcome>> AppendAsync(IReadOnlyList<DirectMessage> messages, CancellationToken cancellationToken = default);

    /// <summary>Lists the conversations of a player, the newest first.</summary>
    /// <param name="playerId">The player.</param>
    /// <param name="before">Lists those behind this one: when its last message was sent, and its other player. <see langword="null"/>
    /// begins with the newest.</param>
    /// <param name="minUnread">Lists those that have so many unread messages: 0 for all, 1 for those that have any.</param>
    /// <param name="limit">1 to <see cref="IChatStore.MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<DirectConversation>> ListConversationsAsync(
        long playerId,
        (DateTimeOffset LastAt, long PartnerId)? before,
        int minUnread,
        int limit,
        CancellationToken cancellationToken = default);

    /// <summary>Reads the newest messages of two players that lie before a number, oldest first.</summary>
    /// <param name="playerId">One of the players.</param>
    /// <param name="partnerId">The other one.</param>
    /// <param name="beforeNumber">Exclusive.</param>
    /// <param name="limit">1 to <see cref="IChatStore.MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<DirectMessage>> ReadBeforeAsync(
        long playerId, long partnerId, long beforeNumber, int limit, CancellationToken cancellationToken = default);

    /// <summary>Reads the oldest messages of two players that lie after a number.</summary>
    /// <inheritdoc cref="ReadBeforeAsync"/>
    /// <param name="playerId">One of the players.</param>
    /// <param name="partnerId">The other one.</param>
    /// <param name="afterNumber">Exclusive.</param>
    /// <param name="limit">1 to <see cref="IChatStore.MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<DirectMessage>> ReadAfterAsync(
        long playerId, long partnerId, long afterNumber, int limit, CancellationToken cancellationToken = default);

    /// <summary>Notes how far players have read, in one transaction. A mark never falls, and never passes the last message.</summary>
    Task SaveReadAsync(IReadOnlyCollection<DirectRead> marks, CancellationToken cancellationToken = default);

    /// <summary>Blocks a player for another one. Does nothing if it is blocked already.</summary>
    /// <param name="playerId">The player that blocks.</param>
    /// <param name="blocked">The player that is blocked.</param>
    /// <param name="limit">How many players it may have blocked.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns><see langword="false"/> when it has blocked so many already.</returns>
    Task<bool> BlockAsync(long playerId, BlockedPlayer blocked, int limit, CancellationToken cancellationToken = default);

    /// <summary>Ends a block. Does nothing if there is none.</summary>
    Task UnblockAsync(long playerId, long blockedId, CancellationToken cancellationToken = default);

    /// <summary>The players that a player has blocked, by rising id; <see cref="IChatStore.MaxReadLimit"/> at most.</summary>
    Task<IReadOnlyList<BlockedPlayer>> ListBlockedAsync(long playerId, CancellationToken cancellationToken = default);

    /// <summary>Whether a player has blocked another one.</summary>
    Task<bool> IsBlockedAsync(long playerId, long blockedId, CancellationToken cancellationToken = default);

    /// <summary>Empties what a player has said to others.</summary>
    /// <returns>How many messages it emptied.</returns>
    Task<int> EraseOfAsync(long playerId, CancellationToken cancellationToken = default);

    /// <summary>Deletes the oldest messages that were sent before a time, and conversations without any.</summary>
    /// <param name="before">Exclusive.</param>
    /// <param name="limit">How many messages at most: 1 to <see cref="IChatStore.MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>How many messages it deleted.</returns>
    Task<int> DeleteBeforeAsync(DateTimeOffset before, int limit, CancellationToken cancellationToken = default);
}
