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
        int stored = InsertRows(connection, transaction, records, positions);
        connection.Execute(SqliteSql.RaiseRoomPosition, positions.Values, transaction);
        transaction.Commit();
        return stored;
    }

    // One prepared statement with its parameters reused: a mapper would build and bind a command a row.
    private static int InsertRows(SqliteConnection connection, SqliteTransaction transaction, IReadOnlyList<ChatRecord> records, Dictionary<long, RoomPosition> positions)
    {
        using SqliteCommand insert = connection.CreateCommand();
        insert.Transaction = transaction;
        insert.CommandText = SqliteSql.InsertChat;
        SqliteParameter roomId = insert.Parameters.Add("@roomId", SqliteType.Integer);
        SqliteParameter sequence = insert.Parameters.Add("@sequence", SqliteType.Integer);
        SqliteParameter playerId = insert.Parameters.Add("@playerId", SqliteType.Integer);
        SqliteParameter playerName = insert.Parameters.Add("@playerName", SqliteType.Text);
        SqliteParameter text = insert.Parameters.Add("@text", SqliteType.Text);
        SqliteParameter sentAt = insert.Parameters.Add("@sentAt", SqliteType.Integer);
        SqliteParameter roomName = insert.Parameters.Add("@roomName", SqliteType.Text);
        int stored = 0;
        for (int i = 0; i < records.Count; i++)
        {
            ChatRecord record = records[i];
            roomId.Value = record.RoomId;
            sequence.Value = record.Sequence;
            playerId.Value = record.PlayerId;
            playerName.Value = StorableText.From(record.PlayerName);
            text.Value = StorableText.From(record.Text);
            sentAt.Value = SqliteTime.ToStored(record.SentAt);
            roomName.Value = record.RoomName is null ? DBNull.Value : StorableText.From(record.RoomName);
            stored += insert.ExecuteNonQuery();
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
