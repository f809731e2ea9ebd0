namespace PlayChat.Players;

/// <summary>What players own, in one database: documents, transactions over several players, and scores. Thread-safe.</summary>
/// <remarks>
/// <para>No call blocks its caller's thread. A cancellation token ends the wait for a connection; a command that has begun runs to its
/// end.</para>
/// <para>Every call throws <see cref="StorageException"/> when the database cannot do the work, <see cref="InvalidOperationException"/>
/// before <see cref="InitializeAsync"/>, and <see cref="ObjectDisposedException"/> after disposal, which waits for the calls under
/// way. Names that break the rules of <see cref="DocumentKey"/> are an <see cref="ArgumentException"/>.</para>
/// </remarks>
public interface IPlayerStore : IAsyncDisposable
{
    /// <summary>Most writes of one transaction.</summary>
    const int MaxWrites = 100;

    /// <summary>Most documents or scores that one read returns.</summary>
    const int MaxReadLimit = 1000;

    /// <summary>Most scores that a player has on one board; the lowest beyond it are deleted.</summary>
    const int MaxScoresPerPlayer = 100;

    /// <summary>The largest content of a document, in bytes.</summary>
    int MaxValueBytes { get; }

    /// <summary>Creates the tables or brings them up to date. Safe to run again, and by several processes at once. The tables may share
    /// the database of the chat server.</summary>
    /// <exception cref="StorageException">The database does not open, is another program's, or is newer than this program.</exception>
    Task InitializeAsync(CancellationToken cancellationToken = default);

    /// <summary>Reads a document.</summary>
    /// <param name="key">The document.</param>
    /// <param name="asOwner">Whether to read it for its owner, so only if it is <see cref="PlayerDocument.IsOwnerReadable"/>. Take the
    /// owner from the session, never from a packet. Default: for the server.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>Null if there is no such document, or its owner may not read it.</returns>
    Task<PlayerDocument?> ReadAsync(DocumentKey key, bool asOwner = false, CancellationToken cancellationToken = default);

    /// <summary>Lists the documents of a collection by rising key, a page at a time.</summary>
    /// <param name="player">The owner.</param>
    /// <param name="collection">The collection.</param>
    /// <param name="prefix">With what the keys begin. Default: all keys.</param>
    /// <param name="after">The last key of the previous page. Default: begins with the first.</param>
    /// <param name="limit">Most documents of the page: 1 to <see cref="MaxReadLimit"/>. Default 100.</param>
    /// <param name="asOwner">Whether to leave out what the owner may not read. Default: for the server.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>Fewer than <paramref name="limit"/> on the last page.</returns>
    Task<IReadOnlyList<PlayerDocument>> ListAsync(
        string player,
        string collection,
        string prefix = "",
        string after = "",
        int limit = 100,
        bool asOwner = false,
        CancellationToken cancellationToken = default);

    /// <summary>Does all writes in one transaction, or none if the condition of one does not hold.</summary>
    /// <param name="writes">1 to <see cref="MaxWrites"/> writes of different documents, of any players. Not kept after the call.</param>
    /// <param name="key">If a transaction with this key has happened, the call does nothing and returns the result of that one. A
    /// transaction that ended with a conflict or an exception left no key.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <exception cref="StorageException">The database failed. As <see cref="StorageErrorKind.Unavailable"/> the transaction has happened
    /// wholly or not at all: repeat it with its <paramref name="key"/>, or read the documents again.</exception>
    Task<TransactionResult> ExecuteAsync(
        IReadOnlyList<PlayerWrite> writes, TransactionKey? key = null, CancellationToken cancellationToken = default);

    /// <summary>Finds the result of a transaction that has happened. Look before you refuse a repeated purchase for lack of money: the
    /// first call may have spent it.</summary>
    /// <returns>Null if no transaction with this key has happened, or the key is forgotten.</returns>
    Task<TransactionResult?> FindResultAsync(TransactionKey key, CancellationToken cancellationToken = default);

    /// <summary>Adds a score to a board. If the player has a score of the same run there, the higher one stays, so a call may be
    /// repeated.</summary>
    Task AppendScoreAsync(PlayerScore score, CancellationToken cancellationToken = default);

    /// <summary>Lists the best scores of a board: the higher first, of equal scores the earlier.</summary>
    /// <param name="board">The board.</param>
    /// <param name="limit">Most scores of the page: 1 to <see cref="MaxReadLimit"/>. Default 100.</param>
    /// <param name="skip">How many scores the previous pages had. Default 0. A score that is added meanwhile shifts the pages.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>Fewer than <paramref name="limit"/> on the last page.</returns>
    Task<IReadOnlyList<RankedScore>> ListTopAsync(
        string board, int limit = 100, int skip = 0, CancellationToken cancellationToken = default);

    /// <summary>Reads everything about one player. What other players' documents say about it is not included.</summary>
    Task<PlayerExport> ExportAsync(string player, CancellationToken cancellationToken = default);

    /// <summary>Deletes everything about one player in one transaction. A later write creates documents again, so flush or stop the
    /// writers of the player first.</summary>
    /// <returns>How many documents, scores and transaction keys were deleted.</returns>
    Task<int> EraseAsync(string player, CancellationToken cancellationToken = default);
}
