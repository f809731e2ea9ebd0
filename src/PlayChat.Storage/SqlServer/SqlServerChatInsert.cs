using System.Data;
using Microsoft.Data.SqlClient;

namespace PlayChat.Storage.SqlServer;

/// <summary>Writes a batch of chat records in one transaction, by bulk copy into a table of the connection's own and on from
/// there.</summary>
internal static class SqlServerChatInsert
{
    /// <returns>How many records were new or changed one.</returns>
    public static async Task<int> RunAsync(SqlConnection connection, IReadOnlyList<ChatRecord> records, OwnerFence fence)
    {
        using DataTable batch = ToTable(records);
        return await Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
        {
            await fence.CheckAsync(connection, transaction).ConfigureAwait(false);
            await connection.ExecuteAsync(SqlServerSql.CreateBatch, transaction: transaction).ConfigureAwait(false);
            using (SqlBulkCopy copy = CreateCopy(connection, (SqlTransaction)transaction, batch))
            {
                await copy.WriteToServerAsync(batch).ConfigureAwait(false);
            }

            return await connection.ExecuteScalarAsync<int>(SqlServerSql.InsertBatch, transaction: transaction).ConfigureAwait(false);
        }).ConfigureAwait(false);
    }

    /// <summary>The records as the batch table has them; of two with the same key, the first.</summary>
    internal static DataTable ToTable(IReadOnlyList<ChatRecord> records)
    {
        var table = new DataTable
        {
            Columns =
            {
                { "room_id", typeof(long) },
                { "sequence", typeof(long) },
                { "player_id", typeof(long) },
                { "player_name", typeof(string) },
                { "text", typeof(string) },
                { "sent_at", typeof(DateTime) },
                { "room_name", typeof(string) },
                { "client_message_id", typeof(long) },
                { "edited_at", typeof(DateTime) },
            },
        };
        var keys = new HashSet<(long, long)>(records.Count);
        for (int i = 0; i < records.Count; i++)
        {
            ChatRecord record = records[i];
            if (keys.Add((record.RoomId, record.Sequence)))
            {
                table.Rows.Add(
                    record.RoomId,
                    record.Sequence,
                    record.PlayerId,
                    StorableText.From(record.PlayerName),
                    StorableText.From(record.Text),
                    new StoredTime(record.SentAt).Utc,
                    record.RoomName is null ? DBNull.Value : StorableText.From(record.RoomName),
                    ChatRow.StoredId(record.ClientMessageId) is { } messageId ? messageId : DBNull.Value,
                    record.EditedAt is { } editedAt ? new StoredTime(editedAt).Utc : DBNull.Value);
            }
        }
        return table;
    }

    /// <summary>A copy of the table's columns, each to the one of its name: without mappings they would go by their places.</summary>
    internal static SqlBulkCopy CreateCopy(SqlConnection connection, SqlTransaction? transaction, DataTable table)
    {
        var copy = new SqlBulkCopy(connection, SqlBulkCopyOptions.Default, transaction) { DestinationTableName = SqlServerSql.BatchTable };
        foreach (DataColumn column in table.Columns)
        {
            copy.ColumnMappings.Add(column.ColumnName, column.ColumnName);
        }
        return copy;
    }
}
