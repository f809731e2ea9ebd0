namespace PlayChat.Storage;

/// <summary>Accounts, bans and the chat log in one database. Thread-safe.</summary>
/// <remarks>
/// <para>No call blocks its caller's thread. A cancellation token ends the wait for a connection; a command that has begun
/// runs to its end, so a cancelled call has either done all of its work or none.</para>
/// <para>Every call throws <see cref="StorageException"/> when the database cannot do the work,
/// <see cref="InvalidOperationException"/> before <see cref="InitializeAsync"/>, and <see cref="ObjectDisposedException"/>
/// after disposal. Disposal waits for the calls that are under way.</para>
/// </remarks>
public interface IChatStore : IChatLogSink, IAsyncDisposable
{
    /// <summary>Most records one read returns.</summary>
    const int MaxReadLimit = 1000;

    /// <summary>Where the data is, for the line a program prints at its start. Holds no credentials.</summary>
    string Location { get; }

    /// <summary>Counters of the store's operations and its waits for connections.</summary>
    StorageMetrics Metrics { get; }

    /// <summary>Creates the schema or brings it up to this program's version. Safe to run again, and by two programs at once.</summary>
    /// <exception cref="StorageException">The database does not open, is not a database, or is newer than the program.</exception>
    Task InitializeAsync(CancellationToken cancellationToken = default);

    /// <summary>Takes the database for one server, until <see cref="ReleaseAsync"/> or disposal. Rooms number their messages themselves,
    /// so two servers that
    /// write to one database would give the same numbers twice.</summary>
    /// <remarks>
    /// A killed process frees the database at once; a machine that failed, within half a minute. Accounts can be read and written
    /// without owning the database, and so can everything else by a store that has not called this. A SQLite file is then checked for
    /// damage, for 5 seconds at most: of a file that takes longer to read, the rest is not checked.
    /// </remarks>
    /// <param name="owner">What the refusal of another server says.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="StorageException"><see cref="StorageErrorKind.Owned"/>: another server has it; or the database failed,
    /// is read-only, or is damaged.</exception>
    /// <exception cref="InvalidOperationException">The store has claimed the database before.</exception>
    Task ClaimAsync(DatabaseOwner owner, CancellationToken cancellationToken = default);

    /// <summary>Frees the database for another server, after the last write. Does nothing when it is not claimed.</summary>
    Task ReleaseAsync();

    /// <summary>Completes when another server has taken the database, which can happen after the connection to a database server was lost.
    /// From then on every write of rooms and messages fails as <see cref="StorageErrorKind.Owned"/>.</summary>
    Task<StorageException> OwnershipLost { get; }

    /// <summary>What players say to each other alone, and which players they have blocked.</summary>
    IDirectStore Direct { get; }

    /// <summary>What players have reported to moderators.</summary>
    IReportStore Reports { get; }

    /// <summary>Finds an account by name, without regard to case (<see cref="AccountName"/>).</summary>
    /// <returns>Null when there is none, also for a name that no account can have.</returns>
    Task<Account?> FindAccountAsync(string name, CancellationToken cancellationToken = default);

    /// <summary>Creates an account unless the name is taken; of many callers at once exactly one creates it.</summary>
    /// <param name="name">The name as it will be shown.</param>
    /// <param name="passwordHash">What <see cref="Passwords.PasswordHasher"/> made; null for an account without password.</param>
    /// <param name="createdAt">Stored as UTC, cut to the microsecond.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <exception cref="ArgumentException"><see cref="AccountName"/> refuses the name.</exception>
    Task<CreateAccountResult> CreateAccountAsync(
        string name, string? passwordHash, DateTimeOffset createdAt, CancellationToken cancellationToken = default);

    /// <summary>Notes a login.</summary>
    /// <returns><see langword="false"/> when there is no such account.</returns>
    Task<bool> UpdateLastLoginAsync(long accountId, DateTimeOffset lastLoginAt, CancellationToken cancellationToken = default);

    /// <summary>Sets, replaces or (null) removes an account's password hash, and makes its resume tokens and login tokens void.</summary>
    /// <returns><see langword="false"/> when there is no such account.</returns>
    Task<bool> UpdatePasswordHashAsync(long accountId, string? passwordHash, CancellationToken cancellationToken = default);

    /// <summary>Replaces an account's password hash if it is still <paramref name="oldHash"/>. Use it to rehash the same password: if the
    /// player has changed the password meanwhile, the call changes nothing.</summary>
    /// <param name="accountId">The account.</param>
    /// <param name="oldHash">The hash that the account must still have.</param>
    /// <param name="newHash">The hash that replaces it.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns><see langword="false"/> when there is no such account, or it has another hash.</returns>
    Task<bool> ReplacePasswordHashAsync(long accountId, string oldHash, string newHash, CancellationToken cancellationToken = default);

    /// <summary>Bars an account from logging in and makes its resume tokens and login tokens void, or lets it in again.</summary>
    /// <returns><see langword="false"/> when there is no such account.</returns>
    Task<bool> SetAccountDisabledAsync(long accountId, bool disabled, CancellationToken cancellationToken = default);

    /// <summary>Deletes an account, its tokens, memberships, conversations and blocks. What the player said stays, with its name;
    /// its id is not given again. <see cref="EraseChatOfAsync"/> and <see cref="IDirectStore.EraseOfAsync"/> empty what it said.</summary>
    /// <returns><see langword="false"/> when there is no such account.</returns>
    Task<bool> DeleteAccountAsync(long accountId, CancellationToken cancellationToken = default);

    /// <summary>The accounts by rising id, a page at a time.</summary>
    /// <param name="afterId">Exclusive; 0 begins with the first account.</param>
    /// <param name="limit">1 to <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<Account>> ListAccountsAsync(
        long afterId = 0, int limit = MaxReadLimit, CancellationToken cancellationToken = default);

    /// <summary>Saves the hashes of a session's resume tokens. <see cref="ResumeTokenHashes.AreAll"/> says what they replace.</summary>
    /// <exception cref="StorageException">The database failed, or there is no such account.</exception>
    Task SaveResumeTokensAsync(ResumeTokenHashes tokens, CancellationToken cancellationToken = default);

    /// <summary>Finds the tokens whose newest or used hash is <paramref name="hash"/>.</summary>
    /// <returns>
    /// <see langword="null"/> when there are none, or their <see cref="ResumeTokenHashes.TokenVersion"/> is not the account's. They may
    /// have expired.
    /// </returns>
    Task<ResumeTokenHashes?> FindResumeTokensAsync(string hash, CancellationToken cancellationToken = default);

    /// <summary>Removes the tokens whose newest hash is <paramref name="newest"/>. Does nothing if there are none.</summary>
    Task RemoveResumeTokensAsync(string newest, CancellationToken cancellationToken = default);

    /// <summary>Adds the hashes of a device's first login token.</summary>
    /// <param name="token">The token.</param>
    /// <param name="limit">The most that the player may have, 2 or more: those used longest ago are removed.</param>
    /// <param name="usedAfter">Those of all players that were last used before are removed.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <exception cref="StorageException">The database failed, or there is no such account.</exception>
    Task AddLoginTokenAsync(
        LoginTokenHashes token, int limit, DateTimeOffset usedAfter, CancellationToken cancellationToken = default);

    /// <summary>Finds a login token by its id.</summary>
    /// <returns>
    /// <see langword="null"/> when there is none, or its <see cref="LoginTokenHashes.TokenVersion"/> is not the account's.
    /// </returns>
    Task<LoginTokenHashes?> FindLoginTokenAsync(long id, CancellationToken cancellationToken = default);

    /// <summary>The login tokens of a player that are not void, the one used last first.</summary>
    Task<IReadOnlyList<LoginTokenHashes>> ListLoginTokensAsync(long playerId, CancellationToken cancellationToken = default);

    /// <summary>Replaces the newest login token of a device by the next one. The one that was shown stays as
    /// <see cref="LoginTokenHashes.Used"/>.</summary>
    /// <returns><see langword="false"/>, and nothing has changed, if the hash that was shown is neither the newest nor the used
    /// one.</returns>
    Task<bool> ReplaceLoginTokenAsync(
        long id, string shown, string next, DateTimeOffset usedAt, string clientVersion, CancellationToken cancellationToken = default);

    /// <summary>Removes a login token of a player, and the resume tokens of its device. Does nothing if there is none.</summary>
    Task RemoveLoginTokenAsync(long playerId, long id, CancellationToken cancellationToken = default);

    /// <summary>Saves a ban; it replaces an earlier one of the same name or network.</summary>
    Task SaveBanAsync(Ban ban, CancellationToken cancellationToken = default);

    /// <summary>Removes a ban.</summary>
    /// <returns><see langword="false"/> when there is none.</returns>
    Task<bool> RemoveBanAsync(BanSubject subject, CancellationToken cancellationToken = default);

    /// <summary>All bans, expired ones included, in the order in which their subjects were banned first.</summary>
    Task<IReadOnlyList<Ban>> ListBansAsync(CancellationToken cancellationToken = default);

    /// <summary>Removes the bans that have no effect any more.</summary>
    /// <param name="now">See <see cref="Ban.HasExpired"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>How many there were.</returns>
    Task<int> RemoveExpiredBansAsync(DateTimeOffset now, CancellationToken cancellationToken = default);

    /// <summary>Adds records to the chat log in one transaction: all of them or none.</summary>
    /// <param name="records">Not kept after the call. A record whose room and sequence are stored already is skipped, unless it has
    /// <see cref="ChatRecord.EditedAt"/>: then the stored one gets its text, unless that one is deleted or was changed later.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>How many were not skipped.</returns>
    Task<int> AppendChatAsync(IReadOnlyList<ChatRecord> records, CancellationToken cancellationToken = default);

    /// <summary>Reads the newest records of a room that lie before a sequence, oldest first.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="beforeSequence">Exclusive; <see cref="long.MaxValue"/> reads the room's last records.</param>
    /// <param name="limit">1 to <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<ChatRecord>> ReadChatBeforeAsync(
        long roomId, long beforeSequence, int limit, CancellationToken cancellationToken = default);

    /// <summary>Reads the oldest records of a room that lie after a sequence, oldest first.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="afterSequence">Exclusive; 0 reads from the room's beginning.</param>
    /// <param name="limit">1 to <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<ChatRecord>> ReadChatAfterAsync(
        long roomId, long afterSequence, int limit, CancellationToken cancellationToken = default);

    /// <summary>Deletes the oldest records of a room that are older than a time, a batch at a time. The room's position stays.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="before">Records of this time and later stay.</param>
    /// <param name="limit">Most records that one call deletes: 1 to <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>How many were deleted; less than <paramref name="limit"/> when there are no more.</returns>
    Task<int> DeleteChatBeforeAsync(long roomId, DateTimeOffset before, int limit, CancellationToken cancellationToken = default);

    /// <summary>Reads as <see cref="ReadChatAfterAsync"/> does, but the records of one player alone. Reads through the whole room, because
    /// no index has the players.</summary>
    Task<IReadOnlyList<ChatRecord>> ReadChatOfAsync(
        long roomId, long playerId, long afterSequence, int limit, CancellationToken cancellationToken = default);

    /// <summary>Empties the texts of all records of one player in a room. The records stay, with the player's name.</summary>
    /// <returns>How many texts it emptied; those of deleted messages are empty already.</returns>
    Task<int> EraseChatOfAsync(long roomId, long playerId, CancellationToken cancellationToken = default);

    /// <summary>Notes a room, so that it is known again after a restart although it has no messages.</summary>
    /// <param name="roomId">The room's id, 1 or more. A room that is known already gets the new name and attributes; how far its log
    /// reaches, and when it was created, stays.</param>
    /// <param name="roomName">The name as it will be shown.</param>
    /// <param name="createdAt">Stored as UTC, cut to the microsecond.</param>
    /// <param name="attributes">What else the application keeps of the room, in a form of its own; null, the default, for nothing.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task SaveRoomAsync(
        long roomId,
        string roomName,
        DateTimeOffset createdAt,
        string? attributes = null,
        CancellationToken cancellationToken = default);

    /// <summary>Notes what became of a room, and how far it had come.</summary>
    /// <param name="roomId">The room's id.</param>
    /// <param name="state">What became of it.</param>
    /// <param name="lastSequence">Raises <see cref="RoomPosition.LastSequence"/>; a lower one leaves it.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns><see langword="false"/> when there is no such room.</returns>
    Task<bool> SetRoomStateAsync(long roomId, RoomState state, long lastSequence, CancellationToken cancellationToken = default);

    /// <summary>The highest room id that is saved or in the log, 0 when there is none.</summary>
    /// <remarks>New rooms must begin above it: a reused id would repeat stored keys, and its records would be skipped.</remarks>
    Task<long> GetLastRoomIdAsync(CancellationToken cancellationToken = default);

    /// <summary>Returns a room and the end of its log; null if the room was not saved and has no messages.</summary>
    Task<RoomPosition?> GetRoomPositionAsync(long roomId, CancellationToken cancellationToken = default);

    /// <summary>Finds rooms by their ids, in one query.</summary>
    /// <param name="roomIds">At most <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>Those that were saved or have messages, by rising id.</returns>
    Task<IReadOnlyList<RoomPosition>> FindRoomsAsync(IReadOnlyCollection<long> roomIds, CancellationToken cancellationToken = default);

    /// <summary>The rooms and where their logs end, by rising room id, a page at a time.</summary>
    /// <param name="afterRoomId">Exclusive; 0 begins with the first room.</param>
    /// <param name="limit">1 to <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<RoomPosition>> GetRoomPositionsAsync(
        long afterRoomId = 0, int limit = MaxReadLimit, CancellationToken cancellationToken = default);

    /// <summary>Keeps the name of a room that lasts for it alone, and counts the room for its creator, for all nodes of a
    /// cluster.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="key">What no two rooms may share: at most 128 characters, compared as they are.</param>
    /// <param name="creatorId">The player that makes the room.</param>
    /// <param name="maxRooms">How many rooms a player may have.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>The room that has the key, which may be another one; null when the player has as many rooms as it may.</returns>
    Task<long?> ClaimRoomAsync(long roomId, string key, long creatorId, int maxRooms, CancellationToken cancellationToken = default);

    /// <summary>Frees what <see cref="ClaimRoomAsync"/> keeps for a room. Does nothing if that is nothing.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task ReleaseRoomAsync(long roomId, CancellationToken cancellationToken = default);

    /// <summary>Saves what is kept of players in rooms that last, in one transaction. Of a player that is kept already it leaves what the
    /// player has read.</summary>
    /// <param name="memberships">One for each room and player.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task SaveMembershipsAsync(IReadOnlyCollection<RoomMembership> memberships, CancellationToken cancellationToken = default);

    /// <summary>Saves what players have read, in one transaction. Skips a player that is not kept.</summary>
    /// <param name="memberships">One for each room and player. A lower <see cref="RoomMembership.ReadSequence"/> changes
    /// nothing.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task SaveReadMarksAsync(IReadOnlyCollection<RoomMembership> memberships, CancellationToken cancellationToken = default);

    /// <summary>Adds mentions to those of players, in one transaction.</summary>
    /// <param name="mentions">The mentions. One does not count if its player has read the message, has blocked the sender, or has
    /// <see cref="MaxReadLimit"/> mentions in the room already.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task AddMentionsAsync(IReadOnlyCollection<RoomMention> mentions, CancellationToken cancellationToken = default);

    /// <summary>Removes what is kept of a player in a room, or of all of them. Does nothing if that is nothing.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="playerId">The player; 0, the default, for all players.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task RemoveMembershipsAsync(long roomId, long playerId = 0, CancellationToken cancellationToken = default);

    /// <summary>What is kept of the players of a room, its bans included, by rising player id, a page at a time.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="afterPlayerId">Exclusive; 0 begins with the first player.</param>
    /// <param name="limit">1 to <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<RoomMembership>> ListMembershipsAsync(
        long roomId, long afterPlayerId = 0, int limit = MaxReadLimit, CancellationToken cancellationToken = default);

    /// <summary>The rooms that a player is a member of, by rising room id.</summary>
    /// <param name="playerId">The player's account.</param>
    /// <param name="limit">1 to <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<RoomMembership>> ListMembershipsOfAsync(
        long playerId, int limit = MaxReadLimit, CancellationToken cancellationToken = default);

    /// <summary>Counts what other players have said in a room after a sequence.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="afterSequence">Exclusive.</param>
    /// <param name="exceptPlayerId">The player whose messages do not count. Those of the system do not count either.</param>
    /// <param name="limit">Where counting ends: 1 to <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<int> CountChatAfterAsync(
        long roomId, long afterSequence, long exceptPlayerId, int limit, CancellationToken cancellationToken = default);

    /// <summary>Searches rooms for what players have said, newest first. Takes two seconds at most.</summary>
    /// <param name="roomIds">The rooms, at most <see cref="MaxReadLimit"/>.</param>
    /// <param name="words">A text. Every word of it must be in a message, whatever its case; all but letters and digits is ignored, and
    /// so is what follows the tenth word. SQL Server also finds words that contain it.</param>
    /// <param name="before">Only messages before this one; <see langword="null"/> begins with the newest.</param>
    /// <param name="limit">1 to <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <exception cref="StorageException">The database failed, or took too long.</exception>
    Task<IReadOnlyList<ChatRecord>> SearchChatAsync(
        IReadOnlyCollection<long> roomIds,
        string words,
        (long RoomId, long Sequence)? before,
        int limit,
        CancellationToken cancellationToken = default);

    /// <summary>Adds a player's reaction to a message, which need not be stored yet.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="sequence">The message.</param>
    /// <param name="playerId">The player.</param>
    /// <param name="emoji">One emoji.</param>
    /// <param name="maxEmojis">How many different ones the message may have. Servers that share a database and add at once may exceed
    /// it.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>Whether it is new; <see langword="null"/> when the message has as many different ones.</returns>
    Task<bool?> AddReactionAsync(
        long roomId, long sequence, long playerId, string emoji, int maxEmojis, CancellationToken cancellationToken = default);

    /// <summary>Takes a player's reaction back.</summary>
    /// <returns>Whether there was one.</returns>
    Task<bool> RemoveReactionAsync(
        long roomId, long sequence, long playerId, string emoji, CancellationToken cancellationToken = default);

    /// <summary>What players have reacted with to the messages of a room from one sequence to another.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="firstSequence">Inclusive.</param>
    /// <param name="lastSequence">Inclusive.</param>
    /// <param name="readerId">The player for <see cref="MessageReaction.IsOwn"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <returns>By rising sequence, and of one message in the order in which each emoji came first.</returns>
    Task<IReadOnlyList<MessageReaction>> ReadReactionsAsync(
        long roomId, long firstSequence, long lastSequence, long readerId, CancellationToken cancellationToken = default);

    /// <summary>What one player has reacted with to the messages of a room, by rising sequence.</summary>
    /// <remarks>Reads through all reactions of the room, because no index has the players.</remarks>
    /// <param name="roomId">The room.</param>
    /// <param name="playerId">The player.</param>
    /// <param name="after">Exclusive: the last reaction of the page before; the default begins.</param>
    /// <param name="limit">1 to <see cref="MaxReadLimit"/>.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    Task<IReadOnlyList<(long Sequence, string Emoji, DateTimeOffset At)>> ReadReactionsOfAsync(
        long roomId, long playerId, (long Sequence, string Emoji) after, int limit, CancellationToken cancellationToken = default);

    /// <inheritdoc/>
    Task<int> IChatLogSink.WriteBatchAsync(IReadOnlyList<ChatRecord> batch, CancellationToken cancellationToken) =>
        AppendChatAsync(batch, cancellationToken);
}
