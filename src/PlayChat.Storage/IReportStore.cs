namespace PlayChat.Storage;

/// <summary>What players have reported to moderators. Its calls fail as those of <see cref="IChatStore"/> do.</summary>
public interface IReportStore
{
    /// <summary>Adds a report, unless its reporter has reported the message before.</summary>
    /// <param name="report">The report; the message is among its lines.</param>
    /// <param name="maxReports">The most of a room. The oldest resolved one makes place for another.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>The id of this report or the earlier one; <see langword="null"/> when the room has too many that are open.</returns>
    Task<(long Id, bool IsNew)?> AddAsync(MessageReport report, int maxReports, CancellationToken cancellationToken = default);

    /// <summary>The open reports by rising id, a page at a time.</summary>
    /// <param name="roomId">The room; 0 for all.</param>
    /// <param name="afterId">Exclusive.</param>
    /// <param name="limit">1 to <see cref="IChatStore.MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<MessageReport>> ListOpenAsync(
        long roomId, long afterId, int limit, CancellationToken cancellationToken = default);

    /// <summary>The reports that a player has made, open or not, by rising id and without their lines.</summary>
    Task<IReadOnlyList<MessageReport>> ListOfAsync(
        long reporterId, long afterId, int limit, CancellationToken cancellationToken = default);

    /// <summary>Closes an open report.</summary>
    /// <param name="roomId">The room; 0 for any.</param>
    /// <param name="id">The report.</param>
    /// <param name="playerId">The moderator; 0 for an operator.</param>
    /// <param name="note">What the moderator notes; may be empty.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns><see langword="false"/> when there is no such open report.</returns>
    Task<bool> ResolveAsync(long roomId, long id, long playerId, string note, CancellationToken cancellationToken = default);

    /// <summary>Empties the copies of what a player has said, and the reasons and notes that it wrote.</summary>
    Task EraseOfAsync(long playerId, CancellationToken cancellationToken = default);

    /// <summary>Deletes the reports of messages that are older than a time, and the copies that are.</summary>
    Task DeleteBeforeAsync(DateTimeOffset before, CancellationToken cancellationToken = default);
}
