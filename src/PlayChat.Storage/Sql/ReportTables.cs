namespace PlayChat.Storage.Sql;

/// <summary>The tables room_report and report_line.</summary>
internal sealed class ReportTables(StoreSql sql, StatementRunner runner, OwnerFence fence, Func<DbException, bool> isDuplicate)
    : IReportStore
{
    public Task<(long Id, bool IsNew)?> AddAsync(MessageReport report, int maxReports, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(report);
        return runner.RunAsync(
            StoreOperation.WriteRoom,
            async connection =>
            {
                try
                {
                    return await AddAsync(connection, report, maxReports).ConfigureAwait(false);
                }
                catch (DbException exception) when (isDuplicate(exception))
                {
                    return await AddAsync(connection, report, maxReports).ConfigureAwait(false); // another device was first: found now
                }
            },
            cancellationToken);
    }

    public Task<IReadOnlyList<MessageReport>> ListOpenAsync(
        long roomId, long afterId, int limit, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, IChatStore.MaxReadLimit);
        return runner.RunAsync<IReadOnlyList<MessageReport>>(
            StoreOperation.ReadChat,
            async connection =>
            {
                ReportRow[] rows = [.. await connection.QueryAsync<ReportRow>(sql.ListReports, new { roomId, afterId, limit })
                    .ConfigureAwait(false)];
                var range = new { roomId, first = rows.FirstOrDefault()?.Id ?? 0, last = rows.LastOrDefault()?.Id ?? 0 };
                ILookup<long, ChatRecord> lines = (await connection.QueryAsync<LineRow>(sql.ListReportLines, range).ConfigureAwait(false))
                    .ToLookup(static row => row.ReportId, static row => row.ToRecord());
                return rows.Select(row => row.ToReport([.. lines[row.Id]])).ToArray();
            },
            cancellationToken);
    }

    public Task<IReadOnlyList<MessageReport>> ListOfAsync(
        long reporterId, long afterId, int limit, CancellationToken cancellationToken = default) =>
        runner.ListAsync<ReportRow, MessageReport>(
            StoreOperation.ReadChat,
            sql.ListReportsOf,
            limit,
            new { reporterId, afterId, limit },
            static row => row.ToReport([]),
            cancellationToken);

    public async Task<bool> ResolveAsync(
        long roomId, long id, long playerId, string note, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(note);
        var values = new { roomId, id, playerId, note = StorableText.From(note), now = new StoredTime(DateTimeOffset.UtcNow) };
        return await runner.ExecuteFencedAsync(StoreOperation.WriteRoom, sql.ResolveReport, values, cancellationToken)
            .ConfigureAwait(false) == 1;
    }

    public Task EraseOfAsync(long playerId, CancellationToken cancellationToken = default) =>
        runner.ExecuteFencedAsync(StoreOperation.DeleteChat, sql.EraseReportsOf, new { playerId }, cancellationToken);

    public Task DeleteBeforeAsync(DateTimeOffset before, CancellationToken cancellationToken = default) =>
        runner.ExecuteFencedAsync(
            StoreOperation.DeleteChat, sql.DeleteOldReports, new { before = new StoredTime(before) }, cancellationToken);

    private Task<(long Id, bool IsNew)?> AddAsync(DbConnection connection, MessageReport report, int maxReports) =>
        Transactions.RunAsync<DbTransaction, (long Id, bool IsNew)?>(connection.BeginTransactionAsync(), async transaction =>
        {
            await fence.CheckAsync(connection, transaction).ConfigureAwait(false);
            var values = new
            {
                roomId = report.RoomId,
                roomName = StorableText.From(report.RoomName),
                sequence = report.Sequence,
                reporterId = report.ReporterId,
                reporterName = StorableText.From(report.ReporterName),
                reason = StorableText.From(report.Reason),
                reportedAt = new StoredTime(report.ReportedAt),
                saidAt = new StoredTime(report.Lines.First(line => line.Sequence == report.Sequence).SentAt),
                maxReports,
            };
            if (await FindAsync().ConfigureAwait(false) is { } known)
            {
                return (known, false);
            }

            await connection.ExecuteAsync(sql.AddReport, values, transaction).ConfigureAwait(false);
            if (await FindAsync().ConfigureAwait(false) is not { } id)
            {
                return null;
            }

            await connection.ExecuteAsync(
                sql.AddReportLine,
                report.Lines.Select(line => new
                {
                    id,
                    sequence = line.Sequence,
                    playerId = line.PlayerId,
                    playerName = StorableText.From(line.PlayerName),
                    text = StorableText.From(line.Text),
                    sentAt = new StoredTime(line.SentAt),
                }).ToArray(),
                transaction).ConfigureAwait(false);
            return (id, true);

            Task<long?> FindAsync() => connection.QuerySingleOrDefaultAsync<long?>(sql.FindReport, values, transaction);
        });

    [method: ExplicitConstructor]
    private sealed record ReportRow(
        long Id, long RoomId, string RoomName, long Sequence, long ReporterId, string ReporterName, string? Reason, StoredTime ReportedAt)
    {
        public MessageReport ToReport(IReadOnlyList<ChatRecord> lines) =>
            new(RoomId, RoomName, Sequence, ReporterId, ReporterName, Reason ?? "", ReportedAt.Value, lines, Id);
    }

    [method: ExplicitConstructor]
    private sealed record LineRow(
        long ReportId, long RoomId, long Sequence, long PlayerId, string PlayerName, string? Text, StoredTime SentAt)
    {
        public ChatRecord ToRecord() => new(RoomId, Sequence, PlayerId, PlayerName, Text ?? "", SentAt.Value);
    }
}
