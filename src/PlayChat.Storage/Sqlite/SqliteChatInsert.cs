using Microsoft.Data.Sqlite;

namespace PlayChat.Storage.Sqlite;

/// <summary>Writes a batch of chat records in one transaction.</summary>
internal static class SqliteChatInsert
{
    /// <returns>How many records were new or changed one.</returns>
    public static async Task<int> RunAsync(SqliteConnection connection, IReadOnlyList<ChatRecord> records, OwnerFence fence)
    {
        // Not the driver's transaction: when the disk is full COMMIT itself rolls back, and the driver then fails again, with "cannot
        // rollback", in our error's place.
        connection.Execute("BEGIN IMMEDIATE");
        try
        {
            await fence.CheckAsync(connection, transaction: null).ConfigureAwait(false);
            int stored = InsertRows(connection, records);
            connection.Execute(SqliteSql.RaiseRoomPosition, BatchPositions.Of(records));
            connection.Execute("COMMIT");
            return stored;
        }
        catch
        {
            Transactions.RollBack(connection);
            throw;
        }
    }

    private static int InsertRows(SqliteConnection connection, IReadOnlyList<ChatRecord> records)
    {
        using var insert = new SqliteStatement(connection, SqliteSql.InsertChat);
        int stored = 0;
        for (int i = 0; i < records.Count; i++)
        {
            ChatRecord record = records[i];
            insert.Bind(1, record.RoomId);
            insert.Bind(2, record.Sequence);
            insert.Bind(3, record.PlayerId);
            insert.Bind(4, StorableText.From(record.PlayerName));
            insert.Bind(5, StorableText.From(record.Text));
            insert.Bind(6, new StoredTime(record.SentAt).Microseconds);
            insert.Bind(7, record.RoomName is null ? null : StorableText.From(record.RoomName));
            insert.Bind(8, ChatRow.StoredId(record.ClientMessageId));
            insert.Bind(9, record.EditedAt is { } editedAt ? new StoredTime(editedAt).Microseconds : (long?)null);
            stored += insert.Execute();
        }
        return stored;
    }
}
