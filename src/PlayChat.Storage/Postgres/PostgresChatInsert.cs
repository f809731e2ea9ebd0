using Npgsql;
using NpgsqlTypes;

namespace PlayChat.Storage.Postgres;

/// <summary>Writes a batch of chat records in one transaction, by binary copy.</summary>
internal static class PostgresChatInsert
{
    /// <returns>How many records were new or changed one.</returns>
    public static async Task<int> RunAsync(NpgsqlConnection connection, IReadOnlyList<ChatRecord> records, OwnerFence fence)
    {
        if (ChatEdits.Has(records))
        {
            return await RunAsync(connection, records, fence, CopyNewAsync).ConfigureAwait(false); // of messages that are there
        }

        try
        {
            return await RunAsync(connection, records, fence, CopyAsync).ConfigureAwait(false);
        }
        catch (PostgresException exception) when (exception.SqlState == PostgresErrorCodes.UniqueViolation)
        {
            // Rare: a batch comes again only when the answer to its commit was lost, or another server has written the same.
            return await RunAsync(connection, records, fence, CopyNewAsync).ConfigureAwait(false);
        }
    }

    private static Task<int> RunAsync(
        NpgsqlConnection connection,
        IReadOnlyList<ChatRecord> records,
        OwnerFence fence,
        Func<NpgsqlConnection, IReadOnlyList<ChatRecord>, Task<int>> copy) =>
        Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
        {
            await fence.CheckAsync(connection, transaction).ConfigureAwait(false);
            int stored = await copy(connection, records).ConfigureAwait(false);
            await RaiseRoomPositionsAsync(connection, records).ConfigureAwait(false);
            return stored;
        });

    private static async Task<int> CopyAsync(NpgsqlConnection connection, IReadOnlyList<ChatRecord> records)
    {
        await WriteAsync(connection, PostgresSql.CopyLog, records).ConfigureAwait(false);
        return records.Count;
    }

    private static async Task<int> CopyNewAsync(NpgsqlConnection connection, IReadOnlyList<ChatRecord> records)
    {
        await connection.ExecuteAsync(PostgresSql.CreateBatch).ConfigureAwait(false);
        await WriteAsync(connection, PostgresSql.CopyBatch, records).ConfigureAwait(false);
        return await connection.ExecuteAsync(ChatEdits.Has(records) ? PostgresSql.MergeBatch : PostgresSql.InsertBatch)
            .ConfigureAwait(false);
    }

    private static async Task WriteAsync(NpgsqlConnection connection, string copy, IReadOnlyList<ChatRecord> records)
    {
        NpgsqlBinaryImporter importer = await connection.BeginBinaryImportAsync(copy).ConfigureAwait(false);
        await using (importer.ConfigureAwait(false))
        {
            for (int i = 0; i < records.Count; i++)
            {
                ChatRecord record = records[i];
                await importer.StartRowAsync().ConfigureAwait(false);
                await importer.WriteAsync(record.RoomId, NpgsqlDbType.Bigint).ConfigureAwait(false);
                await importer.WriteAsync(record.Sequence, NpgsqlDbType.Bigint).ConfigureAwait(false);
                await importer.WriteAsync(record.PlayerId, NpgsqlDbType.Bigint).ConfigureAwait(false);
                await importer.WriteAsync(StorableText.From(record.PlayerName), NpgsqlDbType.Text).ConfigureAwait(false);
                await importer.WriteAsync(StorableText.From(record.Text), NpgsqlDbType.Text).ConfigureAwait(false);
                await importer.WriteAsync(new StoredTime(record.SentAt).Utc, NpgsqlDbType.TimestampTz).ConfigureAwait(false);
                await (record.RoomName is null
                    ? importer.WriteNullAsync()
                    : importer.WriteAsync(StorableText.From(record.RoomName), NpgsqlDbType.Text)).ConfigureAwait(false);
                await (ChatRow.StoredId(record.ClientMessageId) is { } messageId
                    ? importer.WriteAsync(messageId, NpgsqlDbType.Bigint)
                    : importer.WriteNullAsync()).ConfigureAwait(false);
                await (record.EditedAt is { } editedAt
                    ? importer.WriteAsync(new StoredTime(editedAt).Utc, NpgsqlDbType.TimestampTz)
                    : importer.WriteNullAsync()).ConfigureAwait(false);
            }
            await importer.CompleteAsync().ConfigureAwait(false);
        }
    }

    private static async Task RaiseRoomPositionsAsync(NpgsqlConnection connection, IReadOnlyList<ChatRecord> records)
    {
        IReadOnlyList<RoomPosition> positions = BatchPositions.Of(records);
        var command = new NpgsqlCommand(PostgresSql.RaiseRoomPositions, connection)
        {
            Parameters =
            {
                new() { Value = positions.Select(static position => position.RoomId)
                    .ToArray(), NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Bigint },
                new() { Value = positions.Select(static position => position.RoomName)
                    .ToArray(), NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Text },
                new() { Value = positions.Select(static position => position.LastSequence)
                    .ToArray(), NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Bigint },
            },
        };
        await using (command.ConfigureAwait(false))
        {
            await command.ExecuteNonQueryAsync().ConfigureAwait(false);
        }
    }
}
