namespace PlayChat.Storage.Sql;

/// <summary>The base of all stores. A provider supplies the connections, the SQL dialect and the insertion of a batch.</summary>
public abstract class DatabaseStore : IChatStore
{
    private readonly StoreSql _sql;
    private readonly StatementRunner _runner;
    private DatabaseOwnership? _ownership;

    private protected DatabaseStore(StoreSql sql)
    {
        _sql = sql;
        Fence = new OwnerFence(sql.LockOwnerId, OwnedBy);
        _runner = new StatementRunner(this, Fence);
        Direct = new DirectTables(sql, _runner, Fence);
        Reports = new ReportTables(sql, _runner, Fence, IsDuplicate);
        StoredTime.Register();
    }

    /// <inheritdoc/>
    public abstract string Name { get; }

    /// <inheritdoc/>
    public abstract string Location { get; }

    /// <inheritdoc/>
    public StorageMetrics Metrics { get; } = new();

    /// <inheritdoc/>
    public IDirectStore Direct { get; }

    /// <inheritdoc/>
    public IReportStore Reports { get; }

    /// <inheritdoc/>
    public Task<StorageException> OwnershipLost => Fence.Lost;

    /// <summary>Checks that the database is still this store's, in each transaction that writes rooms or messages.</summary>
    private protected OwnerFence Fence { get; }

    /// <inheritdoc/>
    public async Task InitializeAsync(CancellationToken cancellationToken = default)
    {
        if (!AccountName.CanFold)
        {
            throw new StorageException(
                StorageErrorKind.InvalidOption,
                "This process runs without ICU (invariant globalization), so it cannot compare names: install ICU (libicu), and remove "
                    + "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT from its environment.");
        }

        Prepare();
        await _runner.InitializeAsync(MigrateAsync, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task ClaimAsync(DatabaseOwner owner, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(owner);
        _runner.ThrowIfNotInitialized();
        if (_ownership is not null)
        {
            throw new InvalidOperationException("The database is claimed already.");
        }

        _ownership = new DatabaseOwnership(CreateOwnerLock(), Fence, _runner, _sql, OwnedBy);
        await _ownership.ClaimAsync(owner, cancellationToken).ConfigureAwait(false);
        try
        {
            await _runner.RunAsync(StoreOperation.Migrate, CheckAsync, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await ReleaseAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    public async Task ReleaseAsync()
    {
        if (Interlocked.Exchange(ref _ownership, null) is { } ownership)
        {
            await ownership.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public Task<Account?> FindAccountAsync(string name, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(name);
        _runner.ThrowIfNotInitialized();
        return AccountName.TryGetKey(name, out string? nameKey)
            ? _runner.RunAsync(StoreOperation.ReadAccount, connection => FindAccountAsync(connection, nameKey), cancellationToken)
            : Task.FromResult<Account?>(null);
    }

    /// <inheritdoc/>
    public Task<CreateAccountResult> CreateAccountAsync(
        string name, string? passwordHash, DateTimeOffset createdAt, CancellationToken cancellationToken = default)
    {
        string nameKey = AccountName.GetKey(name);
        return _runner.RunAsync(
            StoreOperation.WriteAccount,
            async connection =>
            {
                while (true)
                {
                    int created = await InsertAccountAsync(
                        connection, new { name, nameKey, passwordHash, createdAt = new StoredTime(createdAt) }).ConfigureAwait(false);
                    if (await FindAccountAsync(connection, nameKey).ConfigureAwait(false) is { } account)
                    {
                        return new CreateAccountResult(created == 1 ? CreateAccountStatus.Created : CreateAccountStatus.NameTaken, account);
                    }

                    // The account in the way was deleted between the two statements, so the name is free now.
                }
            },
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<bool> UpdateLastLoginAsync(long accountId, DateTimeOffset lastLoginAt, CancellationToken cancellationToken = default) =>
        UpdateAccountAsync(_sql.UpdateLastLogin, new { accountId, lastLoginAt = new StoredTime(lastLoginAt) }, cancellationToken);

    /// <inheritdoc/>
    public Task<bool> UpdatePasswordHashAsync(long accountId, string? passwordHash, CancellationToken cancellationToken = default) =>
        UpdateAndRevokeAsync(_sql.UpdatePasswordHash, new { accountId, passwordHash }, accountId, cancellationToken);

    /// <inheritdoc/>
    public Task<bool> ReplacePasswordHashAsync(
        long accountId, string oldHash, string newHash, CancellationToken cancellationToken = default) =>
        UpdateAccountAsync(_sql.ReplacePasswordHash, new { accountId, oldHash, newHash }, cancellationToken);

    /// <inheritdoc/>
    public Task<bool> SetAccountDisabledAsync(long accountId, bool disabled, CancellationToken cancellationToken = default) =>
        disabled
            ? UpdateAndRevokeAsync(_sql.DisableAccount, new { accountId, disabled }, accountId, cancellationToken)
            : UpdateAccountAsync(_sql.EnableAccount, new { accountId, disabled }, cancellationToken);

    /// <inheritdoc/>
    public Task<bool> DeleteAccountAsync(long accountId, CancellationToken cancellationToken = default) =>
        UpdateAndRevokeAsync(_sql.DeleteAccount, new { accountId }, accountId, cancellationToken, _sql.RemovePlayersRecords);

    /// <inheritdoc/>
    public Task<IReadOnlyList<Account>> ListAccountsAsync(
        long afterId = 0, int limit = IChatStore.MaxReadLimit, CancellationToken cancellationToken = default) =>
        _runner.ListAsync<AccountRow, Account>(
            StoreOperation.ReadAccount, _sql.ListAccounts, limit, new { afterId, limit }, static row => row.ToAccount(), cancellationToken);

    /// <inheritdoc/>
    public Task SaveResumeTokensAsync(ResumeTokenHashes tokens, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(tokens);
        (long playerId, _, string newest, string? used, bool closeIsLeave, DateTimeOffset expiresAt, int tokenVersion) = tokens;
        var values = new
        {
            playerId,
            newest,
            used,
            closeIsLeave,
            expiresAt = new StoredTime(expiresAt),
            tokenVersion,
            now = new StoredTime(TimeProvider.System.GetUtcNow()),
            all = tokens.AreAll ? 1 : 0,
            loginTokenId = tokens.LoginTokenId,
        };
        return _runner.ExecuteAsync(StoreOperation.WriteAccount, _sql.SaveResumeTokens, values, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<ResumeTokenHashes?> FindResumeTokensAsync(string hash, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(hash);
        return _runner.FindAsync<ResumeTokenRow, ResumeTokenHashes>(
            StoreOperation.ReadAccount, _sql.FindResumeTokens, new { hash }, static row => row.ToHashes(), cancellationToken);
    }

    /// <inheritdoc/>
    public Task RemoveResumeTokensAsync(string newest, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(newest);
        return _runner.ExecuteAsync(StoreOperation.WriteAccount, _sql.RemoveResumeTokens, new { newest }, cancellationToken);
    }

    /// <inheritdoc/>
    public Task AddLoginTokenAsync(
        LoginTokenHashes token, int limit, DateTimeOffset usedAfter, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(token);
        var values = new
        {
            id = token.Id,
            playerId = token.PlayerId,
            newest = token.Newest,
            tokenVersion = token.TokenVersion,
            createdAt = new StoredTime(token.CreatedAt),
            usedAt = new StoredTime(token.UsedAt),
            clientVersion = StorableText.From(token.ClientVersion),
            usedAfter = new StoredTime(usedAfter),
            limit = limit - 1, // and this one
        };
        return _runner.ExecuteAsync(StoreOperation.WriteAccount, _sql.AddLoginToken, values, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<LoginTokenHashes?> FindLoginTokenAsync(long id, CancellationToken cancellationToken = default) =>
        _runner.FindAsync<LoginTokenRow, LoginTokenHashes>(
            StoreOperation.ReadAccount, _sql.FindLoginToken, new { id }, static row => row.ToHashes(), cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<LoginTokenHashes>> ListLoginTokensAsync(long playerId, CancellationToken cancellationToken = default) =>
        _runner.QueryAsync<LoginTokenRow, LoginTokenHashes>(
            StoreOperation.ReadAccount, _sql.ListLoginTokens, new { playerId }, static row => row.ToHashes(), cancellationToken);

    /// <inheritdoc/>
    public Task<bool> ReplaceLoginTokenAsync(
        long id, string shown, string next, DateTimeOffset usedAt, string clientVersion, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(shown);
        ArgumentNullException.ThrowIfNull(next);
        ArgumentNullException.ThrowIfNull(clientVersion);
        var values = new { id, shown, next, usedAt = new StoredTime(usedAt), clientVersion = StorableText.From(clientVersion) };
        return UpdateAccountAsync(_sql.ReplaceLoginToken, values, cancellationToken);
    }

    /// <inheritdoc/>
    public Task RemoveLoginTokenAsync(long playerId, long id, CancellationToken cancellationToken = default) =>
        _runner.ExecuteAsync(StoreOperation.WriteAccount, _sql.RemoveLoginToken, new { playerId, id }, cancellationToken);

    /// <inheritdoc/>
    public Task SaveBanAsync(Ban ban, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(ban);
        var values = new
        {
            kind = (int)ban.Subject.Kind,
            subject = ban.Subject.Text,
            subjectKey = ban.Subject.Key,
            reason = StorableText.From(ban.Reason),
            createdAt = new StoredTime(ban.CreatedAt),
            expiresAt = Stored(ban.ExpiresAt),
        };
        return _runner.ExecuteAsync(StoreOperation.WriteAccount, _sql.SaveBan, values, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<bool> RemoveBanAsync(BanSubject subject, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(subject);
        return UpdateAccountAsync(_sql.RemoveBan, new { kind = (int)subject.Kind, subjectKey = subject.Key }, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<Ban>> ListBansAsync(CancellationToken cancellationToken = default) =>
        _runner.QueryAsync<BanRow, Ban>(StoreOperation.ReadAccount, _sql.ListBans, null, static row => row.ToBan(), cancellationToken);

    /// <inheritdoc/>
    public Task<int> RemoveExpiredBansAsync(DateTimeOffset now, CancellationToken cancellationToken = default) =>
        _runner.ExecuteAsync(StoreOperation.WriteAccount, _sql.RemoveExpiredBans, new { now = new StoredTime(now) }, cancellationToken);

    /// <inheritdoc/>
    public async Task<int> AppendChatAsync(IReadOnlyList<ChatRecord> records, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(records);
        _runner.ThrowIfNotInitialized();
        if (records.Count == 0)
        {
            return 0;
        }

        IReadOnlyList<ChatRecord> merged = ChatEdits.Merge(records);
        int stored = await _runner.RunAsync(StoreOperation.AppendChat, connection => AppendAsync(connection, merged), cancellationToken)
            .ConfigureAwait(false);
        Metrics.RecordRows(stored);
        return stored;
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<ChatRecord>> ReadChatBeforeAsync(
        long roomId, long beforeSequence, int limit, CancellationToken cancellationToken = default)
    {
        IReadOnlyList<ChatRecord> newestFirst = await ReadChatAsync(
            _sql.ReadChatBefore, limit, new { roomId, bound = beforeSequence, limit }, cancellationToken).ConfigureAwait(false);
        return newestFirst.Reverse().ToArray();
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<ChatRecord>> ReadChatAfterAsync(
        long roomId, long afterSequence, int limit, CancellationToken cancellationToken = default) =>
        ReadChatAsync(_sql.ReadChatAfter, limit, new { roomId, bound = afterSequence, limit }, cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<ChatRecord>> ReadChatOfAsync(
        long roomId, long playerId, long afterSequence, int limit, CancellationToken cancellationToken = default) =>
        ReadChatAsync(_sql.ReadChatOf, limit, new { roomId, playerId, bound = afterSequence, limit }, cancellationToken);

    /// <inheritdoc/>
    public Task<int> EraseChatOfAsync(long roomId, long playerId, CancellationToken cancellationToken = default) =>
        DeleteChatAsync(_sql.EraseChatOf, _sql.RemoveReactionsOf, new { roomId, playerId }, cancellationToken);

    /// <inheritdoc/>
    public Task<int> DeleteChatBeforeAsync(
        long roomId, DateTimeOffset before, int limit, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, IChatStore.MaxReadLimit);
        var values = new { roomId, before = new StoredTime(before), limit };
        return DeleteChatAsync(_sql.DeleteOldChat, _sql.RemoveOldReactions, values, cancellationToken);
    }

    /// <inheritdoc/>
    public Task SaveRoomAsync(
        long roomId,
        string roomName,
        DateTimeOffset createdAt,
        string? attributes = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(roomId, 1);
        ArgumentNullException.ThrowIfNull(roomName);
        var room = new
        {
            roomId,
            roomName = StorableText.From(roomName),
            createdAt = new StoredTime(createdAt),
            attributes = attributes is null ? null : StorableText.From(attributes),
        };
        return _runner.ExecuteFencedAsync(StoreOperation.WriteRoom, _sql.SaveRoom, room, cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<bool> SetRoomStateAsync(
        long roomId, RoomState state, long lastSequence, CancellationToken cancellationToken = default) =>
        await _runner.ExecuteFencedAsync(
            StoreOperation.WriteRoom, _sql.SetRoomState, new { roomId, state = (int)state, lastSequence }, cancellationToken)
            .ConfigureAwait(false) == 1;

    /// <inheritdoc/>
    public Task<long> GetLastRoomIdAsync(CancellationToken cancellationToken = default) =>
        _runner.RunAsync(StoreOperation.ReadRoom, connection => connection.ExecuteScalarAsync<long>(_sql.LastRoomId), cancellationToken);

    /// <inheritdoc/>
    public Task<RoomPosition?> GetRoomPositionAsync(long roomId, CancellationToken cancellationToken = default) =>
        _runner.FindAsync<RoomRow, RoomPosition>(
            StoreOperation.ReadRoom, _sql.RoomPosition, new { roomId }, static row => row.ToPosition(), cancellationToken);

    /// <inheritdoc/>
    public async Task<IReadOnlyList<RoomPosition>> FindRoomsAsync(
        IReadOnlyCollection<long> roomIds, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(roomIds);
        var values = new { roomIds = roomIds.ToArray() };
        return roomIds.Count == 0
            ? []
            : await _runner.ListAsync<RoomRow, RoomPosition>(
                StoreOperation.ReadRoom, _sql.Rooms, roomIds.Count, values, static row => row.ToPosition(), cancellationToken)
                .ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<RoomPosition>> GetRoomPositionsAsync(
        long afterRoomId = 0, int limit = IChatStore.MaxReadLimit, CancellationToken cancellationToken = default) =>
        _runner.ListAsync<RoomRow, RoomPosition>(
            StoreOperation.ReadRoom,
            _sql.RoomPositions,
            limit,
            new { afterRoomId, limit },
            static row => row.ToPosition(),
            cancellationToken);

    /// <inheritdoc/>
    public async Task<long?> ClaimRoomAsync(
        long roomId, string key, long creatorId, int maxRooms, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        var values = new { roomId, key, creatorId, maxRooms };
        await TryInsertAsync(_sql.ClaimRoom, values, cancellationToken).ConfigureAwait(false);
        return await _runner.RunAsync(
            StoreOperation.ReadRoom, connection => connection.ExecuteScalarAsync<long?>(_sql.FindClaim, new { key }), cancellationToken)
            .ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task ReleaseRoomAsync(long roomId, CancellationToken cancellationToken = default) =>
        _runner.ExecuteFencedAsync(StoreOperation.WriteRoom, _sql.ReleaseRoom, new { roomId }, cancellationToken);

    /// <inheritdoc/>
    public Task SaveMembershipsAsync(IReadOnlyCollection<RoomMembership> memberships, CancellationToken cancellationToken = default) =>
        SaveMembershipsAsync(_sql.SaveMembership, memberships, cancellationToken);

    /// <inheritdoc/>
    public Task SaveReadMarksAsync(IReadOnlyCollection<RoomMembership> memberships, CancellationToken cancellationToken = default) =>
        SaveMembershipsAsync(_sql.SaveReadMark, memberships, cancellationToken);

    /// <inheritdoc/>
    public Task AddMentionsAsync(IReadOnlyCollection<RoomMention> mentions, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(mentions);
        var rows = mentions.Select(static one => new
        {
            roomId = one.RoomId,
            playerId = one.PlayerId,
            sequence = one.Sequence,
            senderId = one.SenderId,
            limit = IChatStore.MaxReadLimit,
        }).ToArray();
        return rows.Length == 0
            ? Task.CompletedTask
            : _runner.ExecuteFencedAsync(StoreOperation.WriteRoom, _sql.AddMention, rows, cancellationToken);
    }

    private Task SaveMembershipsAsync(
        string sql, IReadOnlyCollection<RoomMembership> memberships, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(memberships);
        // In one order: two servers that write the same rows in different orders would wait for each other.
        var rows = memberships.OrderBy(static one => (one.RoomId, one.PlayerId)).Select(static membership => new
        {
            roomId = membership.RoomId,
            playerId = membership.PlayerId,
            playerName = StorableText.From(membership.PlayerName),
            role = (int)membership.Role,
            readSequence = membership.ReadSequence,
            mutedUntil = Stored(membership.MutedUntil),
            bannedUntil = Stored(membership.BannedUntil),
        }).ToArray();
        return rows.Length == 0
            ? Task.CompletedTask
            : _runner.ExecuteFencedAsync(StoreOperation.WriteRoom, sql, rows, cancellationToken);
    }

    /// <inheritdoc/>
    public Task RemoveMembershipsAsync(long roomId, long playerId = 0, CancellationToken cancellationToken = default) =>
        _runner.ExecuteFencedAsync(StoreOperation.WriteRoom, _sql.RemoveMemberships, new { roomId, playerId }, cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<RoomMembership>> ListMembershipsAsync(
        long roomId, long afterPlayerId = 0, int limit = IChatStore.MaxReadLimit, CancellationToken cancellationToken = default) =>
        ListMembershipsAsync(_sql.ListMemberships, limit, new { roomId, afterPlayerId, limit }, cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<RoomMembership>> ListMembershipsOfAsync(
        long playerId, int limit = IChatStore.MaxReadLimit, CancellationToken cancellationToken = default) =>
        ListMembershipsAsync(_sql.ListMembershipsOf, limit, new { playerId, limit }, cancellationToken);

    /// <inheritdoc/>
    public Task<int> CountChatAfterAsync(
        long roomId, long afterSequence, long exceptPlayerId, int limit, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, IChatStore.MaxReadLimit);
        var values = new { roomId, afterSequence, exceptPlayerId, limit };
        return _runner.RunAsync(
            StoreOperation.ReadChat, connection => connection.ExecuteScalarAsync<int>(_sql.CountChatAfter, values), cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<ChatRecord>> SearchChatAsync(
        IReadOnlyCollection<long> roomIds,
        string words,
        (long RoomId, long Sequence)? before,
        int limit,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(roomIds);
        ArgumentNullException.ThrowIfNull(words);
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, IChatStore.MaxReadLimit);
        IReadOnlyList<string> wanted = SearchWords.Of(words);
        if (roomIds.Count == 0 || wanted.Count == 0)
        {
            return [];
        }

        (long beforeRoomId, long beforeSequence) = before ?? default;
        long[] rooms = [.. roomIds];
        string spaced = string.Join(' ', wanted);
        var values = new { roomIds = rooms, words = spaced, query = SearchQuery(rooms, wanted), beforeRoomId, beforeSequence, limit };
        return await _runner.RunAsync<IReadOnlyList<ChatRecord>>(
            StoreOperation.ReadChat,
            async connection => (await SearchAsync(
                connection, new CommandDefinition(_sql.SearchChat, values, commandTimeout: (int)SearchTime.TotalSeconds))
                .ConfigureAwait(false)).Select(static row => row.ToRecord()).ToArray(),
            cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<bool?> AddReactionAsync(
        long roomId, long sequence, long playerId, string emoji, int maxEmojis, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(emoji);
        var values = new { roomId, sequence, playerId, emoji, maxEmojis, now = new StoredTime(DateTimeOffset.UtcNow) };
        bool isNew = await TryInsertAsync(_sql.AddReaction, values, cancellationToken).ConfigureAwait(false);
        return isNew ? true
            : await _runner.RunAsync(
                StoreOperation.ReadRoom, connection => connection.ExecuteScalarAsync<int>(_sql.HasReaction, values), cancellationToken)
                .ConfigureAwait(false) > 0 ? false
            : null;
    }

    /// <inheritdoc/>
    public async Task<bool> RemoveReactionAsync(
        long roomId, long sequence, long playerId, string emoji, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(emoji);
        return await _runner.ExecuteFencedAsync(
            StoreOperation.WriteRoom, _sql.RemoveReaction, new { roomId, sequence, playerId, emoji }, cancellationToken)
            .ConfigureAwait(false) == 1;
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<MessageReaction>> ReadReactionsAsync(
        long roomId, long firstSequence, long lastSequence, long readerId, CancellationToken cancellationToken = default) =>
        _runner.QueryAsync<ReactionRow, MessageReaction>(
            StoreOperation.ReadChat,
            _sql.ReadReactions,
            new { roomId, first = firstSequence, last = lastSequence, readerId },
            static row => new MessageReaction(row.Sequence, row.Emoji, row.Count, row.Own != 0),
            cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<(long Sequence, string Emoji, DateTimeOffset At)>> ReadReactionsOfAsync(
        long roomId, long playerId, (long Sequence, string Emoji) after, int limit, CancellationToken cancellationToken = default) =>
        _runner.ListAsync<ReactionRow, (long, string, DateTimeOffset)>(
            StoreOperation.ReadChat,
            _sql.ReadReactionsOf,
            limit,
            new { roomId, playerId, sequence = after.Sequence, emoji = after.Emoji ?? "", limit },
            static row => (row.Sequence, row.Emoji, row.ReactedAt.Value),
            cancellationToken);

    /// <summary>Waits for the calls that are under way, at most 5 seconds for a database server, and closes every connection. Safe to call
    /// again.</summary>
    public async ValueTask DisposeAsync()
    {
        await ReleaseAsync().ConfigureAwait(false);
        await CloseAsync().ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    private protected static TimeSpan SearchTime { get; } = TimeSpan.FromSeconds(2);

    /// <summary>What the statement of a search gets as <c>@query</c>, in the syntax of the provider's index.</summary>
    /// <param name="rooms">One at least.</param>
    /// <param name="words">One at least, of letters and digits.</param>
    private protected virtual string SearchQuery(IEnumerable<long> rooms, IEnumerable<string> words) => "";

    /// <summary>Runs a search, for <see cref="SearchTime"/> at most.</summary>
    private protected virtual Task<IEnumerable<ChatRow>> SearchAsync(DbConnection connection, CommandDefinition search) =>
        connection.QueryAsync<ChatRow>(search);

    /// <summary>Does what must be done before the first connection.</summary>
    private protected virtual void Prepare()
    {
    }

    private protected abstract Task MigrateAsync(DbConnection connection);

    /// <summary>Looks for damage that the database would otherwise show when the damaged part is used.</summary>
    /// <exception cref="StorageException">The database is damaged.</exception>
    private protected virtual Task CheckAsync(DbConnection connection) => Task.CompletedTask;

    /// <summary>Writes a batch, not empty and merged (<see cref="ChatEdits"/>), in one transaction.</summary>
    /// <returns>How many records were new or changed one that was there.</returns>
    private protected abstract Task<int> AppendAsync(DbConnection connection, IReadOnlyList<ChatRecord> records);

    /// <summary>Gives the work a connection.</summary>
    /// <param name="work">Runs once, or again from its beginning where the provider tries again.</param>
    /// <param name="isWrite">Whether it changes anything.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <exception cref="StorageException">Whatever the driver reports.</exception>
    internal abstract Task<T> ConnectAsync<T>(Func<DbConnection, Task<T>> work, bool isWrite, CancellationToken cancellationToken);

    /// <inheritdoc cref="DisposeAsync"/>
    private protected abstract ValueTask CloseAsync();

    /// <summary>Makes the lock that lets one server at a time own the database.</summary>
    private protected abstract IOwnerLock CreateOwnerLock();

    /// <summary>Makes the exception for a database that another server owns.</summary>
    private protected abstract StorageException OwnedBy(DatabaseOwner? owner);

    /// <summary>Whether the error says that a row with this key is there already.</summary>
    private protected virtual bool IsDuplicate(DbException exception) => false;

    private static StoredTime? Stored(DateTimeOffset? time) => time is { } known ? new StoredTime(known) : null;

    private async Task<int> InsertAccountAsync(DbConnection connection, object account)
    {
        try
        {
            return await connection.ExecuteAsync(_sql.InsertAccount, account).ConfigureAwait(false);
        }
        catch (DbException exception) when (IsDuplicate(exception))
        {
            return 0; // another caller inserted the same name first
        }
    }

    private async Task<Account?> FindAccountAsync(DbConnection connection, string nameKey)
    {
        AccountRow? row = await connection.QuerySingleOrDefaultAsync<AccountRow>(_sql.FindAccount, new { nameKey }).ConfigureAwait(false);
        return row?.ToAccount();
    }

    private async Task<bool> UpdateAccountAsync(string sql, object values, CancellationToken cancellationToken) =>
        await _runner.ExecuteAsync(StoreOperation.WriteAccount, sql, values, cancellationToken).ConfigureAwait(false) == 1;

    /// <summary>Changes an account so that its tokens are void, or deletes it, and removes its tokens.</summary>
    /// <returns>Whether there is such an account.</returns>
    private Task<bool> UpdateAndRevokeAsync(
        string sql, object values, long accountId, CancellationToken cancellationToken, string? removal = null) =>
        _runner.RunAsync(
            StoreOperation.WriteAccount,
            connection => Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
            {
                // The tokens first: they refer to the account.
                await connection.ExecuteAsync(_sql.RemovePlayersTokens, new { accountId }, transaction).ConfigureAwait(false);
                if (removal is not null)
                {
                    await connection.ExecuteAsync(removal, new { accountId }, transaction).ConfigureAwait(false);
                }

                return await connection.ExecuteAsync(sql, values, transaction).ConfigureAwait(false) == 1;
            }),
            cancellationToken);

    /// <returns><see langword="false"/> also when another connection inserts a row with the same key at once.</returns>
    private Task<bool> TryInsertAsync(string sql, object values, CancellationToken cancellationToken) => _runner.RunAsync(
        StoreOperation.WriteRoom,
        async connection =>
        {
            try
            {
                return await Fence.ExecuteAsync(connection, sql, values).ConfigureAwait(false) == 1;
            }
            catch (DbException exception) when (IsDuplicate(exception))
            {
                return false;
            }
        },
        cancellationToken);

    private Task<int> DeleteChatAsync(string deletion, string deletionOfReactions, object values, CancellationToken cancellationToken) =>
        _runner.RunAsync(
            StoreOperation.DeleteChat,
            async connection =>
            {
                int deleted = await Fence.ExecuteAsync(connection, deletion, values).ConfigureAwait(false);
                await Fence.ExecuteAsync(connection, deletionOfReactions, values).ConfigureAwait(false);
                return deleted;
            },
            cancellationToken);

    private Task<IReadOnlyList<ChatRecord>> ReadChatAsync(string sql, int limit, object values, CancellationToken cancellationToken) =>
        _runner.ListAsync<ChatRow, ChatRecord>(
            StoreOperation.ReadChat, sql, limit, values, static row => row.ToRecord(), cancellationToken);

    private Task<IReadOnlyList<RoomMembership>> ListMembershipsAsync(
        string sql, int limit, object values, CancellationToken cancellationToken) =>
        _runner.ListAsync<RoomMemberRow, RoomMembership>(
            StoreOperation.ReadRoom, sql, limit, values, static row => row.ToMembership(), cancellationToken);
}
