namespace PlayChat.Storage.Sql;

/// <summary>The tables direct_message, direct_conversation and blocked_player.</summary>
/// <remarks>A conversation has a row for each of its players, which count its messages. Transactions lock these rows in one order, so
/// servers that share a database don't end each other's.</remarks>
internal sealed class DirectTables(StoreSql sql, StatementRunner runner, OwnerFence fence) : IDirectStore
{
    public Task<IReadOnlyList<DirectOutcome>> AppendAsync(
        IReadOnlyList<DirectMessage> messages, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(messages);
        int[] order = [.. Enumerable.Range(0, messages.Count).OrderBy(i => Low(messages[i])).ThenBy(i => High(messages[i]))];
        DirectOutcome[]? tried = null; // by an earlier try of this call that reached its commit, whose answer was lost
        return runner.RunAsync<IReadOnlyList<DirectOutcome>>(
            StoreOperation.AppendChat,
            connection => Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
            {
                await fence.CheckAsync(connection, transaction).ConfigureAwait(false);
                var outcomes = new DirectOutcome[messages.Count];
                foreach (int i in order)
                {
                    outcomes[i] = await AppendAsync(connection, transaction, messages[i], tried?[i]).ConfigureAwait(false);
                }

                return (IReadOnlyList<DirectOutcome>)(tried = outcomes);
            }),
            cancellationToken);
    }

    public Task<IReadOnlyList<DirectConversation>> ListConversationsAsync(
        long playerId,
        (DateTimeOffset LastAt, long PartnerId)? before,
        int minUnread,
        int limit,
        CancellationToken cancellationToken = default)
    {
        (DateTimeOffset lastAt, long partnerId) = before ?? (DateTimeOffset.MaxValue, long.MaxValue);
        return runner.ListAsync<ConversationRow, DirectConversation>(
            StoreOperation.ReadChat,
            sql.ListConversations,
            limit,
            new { playerId, before = new StoredTime(lastAt), beforeId = partnerId, minUnread, limit },
            row => row.ToConversation(playerId),
            cancellationToken);
    }

    public async Task<IReadOnlyList<DirectMessage>> ReadBeforeAsync(
        long playerId, long partnerId, long beforeNumber, int limit, CancellationToken cancellationToken = default) =>
        [.. (await ReadAsync(sql.ReadDirectBefore, playerId, partnerId, beforeNumber, limit, cancellationToken)
            .ConfigureAwait(false)).Reverse()];

    public Task<IReadOnlyList<DirectMessage>> ReadAfterAsync(
        long playerId, long partnerId, long afterNumber, int limit, CancellationToken cancellationToken = default) =>
        ReadAsync(sql.ReadDirectAfter, playerId, partnerId, afterNumber, limit, cancellationToken);

    public Task SaveReadAsync(IReadOnlyCollection<DirectRead> marks, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(marks);
        var rows = marks.Select(static mark => new { playerId = mark.PlayerId, partnerId = mark.PartnerId, number = mark.Number })
            .OrderBy(static row => Math.Min(row.playerId, row.partnerId))
            .ThenBy(static row => Math.Max(row.playerId, row.partnerId))
            .ThenBy(static row => row.playerId)
            .ToArray();
        return rows.Length == 0 ? Task.CompletedTask : WriteAsync(sql.SaveDirectRead, rows, cancellationToken);
    }

    public async Task<bool> BlockAsync(
        long playerId, BlockedPlayer blocked, int limit, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(blocked);
        var values = new
        {
            playerId,
            blockedId = blocked.Id,
            blockedName = StorableText.From(blocked.Name),
            blockedAt = new StoredTime(blocked.At),
            limit,
        };
        return await WriteAsync(sql.BlockPlayer, values, cancellationToken).ConfigureAwait(false) == 1
            || await IsBlockedAsync(playerId, blocked.Id, cancellationToken).ConfigureAwait(false);
    }

    public Task UnblockAsync(long playerId, long blockedId, CancellationToken cancellationToken = default) =>
        WriteAsync(sql.UnblockPlayer, new { playerId, blockedId }, cancellationToken);

    public Task<IReadOnlyList<BlockedPlayer>> ListBlockedAsync(long playerId, CancellationToken cancellationToken = default) =>
        runner.QueryAsync<BlockedRow, BlockedPlayer>(
            StoreOperation.ReadChat,
            sql.ListBlocked,
            new { playerId, limit = IChatStore.MaxReadLimit },
            static row => new BlockedPlayer(row.Id, row.Name, row.BlockedAt.Value),
            cancellationToken);

    public Task<bool> IsBlockedAsync(long playerId, long blockedId, CancellationToken cancellationToken = default) =>
        runner.RunAsync(
            StoreOperation.ReadChat,
            async connection => await connection.ExecuteScalarAsync<int>(sql.CountBlocks, new { playerId, blockedId })
                .ConfigureAwait(false) > 0,
            cancellationToken);

    public Task<int> EraseOfAsync(long playerId, CancellationToken cancellationToken = default) =>
        runner.ExecuteFencedAsync(StoreOperation.DeleteChat, sql.EraseDirectOf, new { playerId }, cancellationToken);

    public async Task<int> DeleteBeforeAsync(DateTimeOffset before, int limit, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, IChatStore.MaxReadLimit);
        var values = new { before = new StoredTime(before), limit };
        int deleted = await runner.ExecuteFencedAsync(StoreOperation.DeleteChat, sql.DeleteOldDirect, values, cancellationToken)
            .ConfigureAwait(false);
        if (deleted < limit)
        {
            await runner.ExecuteFencedAsync(StoreOperation.DeleteChat, sql.DeleteOldConversations, values, cancellationToken)
                .ConfigureAwait(false);
        }

        return deleted;
    }

    private async Task<DirectOutcome> AppendAsync(
        DbConnection connection, DbTransaction transaction, DirectMessage message, DirectOutcome? tried)
    {
        var values = new
        {
            fromId = message.FromId,
            toId = message.ToId,
            lowId = Low(message),
            highId = High(message),
            fromName = StorableText.From(message.FromName),
            text = StorableText.From(message.Text),
            sentAt = new StoredTime(message.SentAt),
            clientMessageId = ChatRow.StoredId(message.ClientMessageId),
        };
        // The rows of the conversation are locked from here on: no other server stores the same message meanwhile.
        FactsRow? facts = await connection.QuerySingleOrDefaultAsync<FactsRow>(sql.OpenConversation, values, transaction)
            .ConfigureAwait(false);
        if (tried is { Status: DirectStatus.Stored } stored)
        {
            // The earlier try has ended, or this one would wait for its locks. If it was committed, the message is at its number.
            MessageRow? found = await connection.QuerySingleOrDefaultAsync<MessageRow>(
                sql.ReadDirectAfter, new { values.lowId, values.highId, bound = stored.Number - 1, limit = 1 }, transaction)
                .ConfigureAwait(false);
            if (found is not null && (found.Number, found.FromId, found.SentAt, found.ClientMessageId)
                == (stored.Number, values.fromId, values.sentAt, values.clientMessageId))
            {
                return stored;
            }
        }

        return facts is null ? new DirectOutcome(DirectStatus.Unknown)
            : facts.Refused > 0 ? new DirectOutcome(DirectStatus.Refused)
            : facts.Blocked > 0 ? new DirectOutcome(DirectStatus.Blocked)
            : facts.Known is { } known ? new DirectOutcome(DirectStatus.Duplicate, known)
            : new DirectOutcome(
                DirectStatus.Stored,
                await connection.ExecuteScalarAsync<long>(sql.AppendDirect, values, transaction).ConfigureAwait(false));
    }

    private Task<IReadOnlyList<DirectMessage>> ReadAsync(
        string statement, long playerId, long partnerId, long bound, int limit, CancellationToken cancellationToken) =>
        runner.ListAsync<MessageRow, DirectMessage>(
            StoreOperation.ReadChat,
            statement,
            limit,
            new { lowId = Math.Min(playerId, partnerId), highId = Math.Max(playerId, partnerId), bound, limit },
            row => row.ToMessage(row.FromId == playerId ? partnerId : playerId),
            cancellationToken);

    private Task<int> WriteAsync(string statement, object values, CancellationToken cancellationToken) =>
        runner.ExecuteFencedAsync(StoreOperation.WriteRoom, statement, values, cancellationToken);

    private static long Low(DirectMessage message) => Math.Min(message.FromId, message.ToId);

    private static long High(DirectMessage message) => Math.Max(message.FromId, message.ToId);

    [method: ExplicitConstructor]
    private sealed record FactsRow(long Refused, long Blocked, long? Known);

    [method: ExplicitConstructor]
    private record MessageRow(long Number, long FromId, string? Text, StoredTime SentAt, long? ClientMessageId)
    {
        public DirectMessage ToMessage(long toId) => new(
            FromId, toId, Text ?? "", SentAt.Value, ClientMessageId: unchecked((ulong)(ClientMessageId ?? 0)), Number: Number);
    }

    [method: ExplicitConstructor]
    private sealed record ConversationRow(
        long PartnerId, string PartnerName, long ReadNumber, long Number, long FromId, string? Text, StoredTime SentAt,
        long? ClientMessageId)
        : MessageRow(Number, FromId, Text, SentAt, ClientMessageId)
    {
        public DirectConversation ToConversation(long playerId) =>
            new(PartnerId, PartnerName, ReadNumber, ToMessage(FromId == playerId ? PartnerId : playerId));
    }

    [method: ExplicitConstructor]
    private sealed record BlockedRow(long Id, string Name, StoredTime BlockedAt);
}
