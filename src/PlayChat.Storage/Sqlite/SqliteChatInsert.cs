using Dapper;
using Microsoft.Data.Sqlite;

namespace PlayChat.Storage.Sqlite;

/// <summary>Writes a batch of chat records in one transaction.</summary>
internal static class SqliteChatInsert
{
    /// <returns>How many records were new.</returns>
    public static int Run(SqliteConnection connection, IReadOnlyList<ChatRecord> records)
    {
        using SqliteTransaction transaction = connection.BeginTransaction(deferred: false);
        var positions = new Dictionary<long, RoomPosition>();
        int stored = InsertRows(connection, records, positions);
        connection.Execute(SqliteSql.RaiseRoomPosition, positions.Values, transaction);
        transaction.Commit();
        return stored;
    }

    private static int InsertRows(SqliteConnection connection, IReadOnlyList<ChatRecord> records, Dictionary<long, RoomPosition> positions)
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
            insert.Bind(6, SqliteTime.ToStored(record.SentAt));
            insert.Bind(7, record.RoomName is null ? null : StorableText.From(record.RoomName));
            stored += insert.Execute();
            Raise(positions, in record);
        }
        return stored;
    }

    private static void Raise(Dictionary<long, RoomPosition> positions, in ChatRecord record)
    {
        if (!positions.TryGetValue(record.RoomId, out RoomPosition? known) || record.Sequence > known.LastSequence)
        {
            string? roomName = record.RoomName is null ? known?.RoomName : StorableText.From(record.RoomName);
            positions[record.RoomId] = new RoomPosition(record.RoomId, roomName, record.Sequence);
        }
    }
}
