using System.Data;
using System.Text.RegularExpressions;
using Microsoft.Data.SqlClient;
using PlayChat.Storage.Sql;
using PlayChat.Storage.SqlServer;

namespace PlayChat.Storage.Tests.SqlServer;

/// <summary>The text of the commands, the types of their parameters and the bulk copy, as far as they can be checked without a
/// server.</summary>
public sealed partial class SqlServerCommandTests
{
    private static readonly DateTimeOffset s_time = new DateTimeOffset(2024, 2, 29, 23, 59, 58, TimeSpan.FromHours(9)).AddTicks(1_234_567);

    public static TheoryData<string> AllSql =>
    [
        .. typeof(StoreSql).GetProperties().Select(static property => (string)property.GetValue(SqlServerSql.Store)!),
        .. SqlServerSql.Migrations,
        SqlServerSql.LockSchema,
        SqlServerSql.FindVersionTable,
        SqlServerSql.ReadVersion,
        SqlServerSql.WriteVersion,
        SqlServerSql.CreateBatch,
        SqlServerSql.InsertBatch,
    ];

    [Theory]
    [MemberData(nameof(AllSql))]
    public void No_statement_uses_what_is_another_dialects_or_known_to_go_wrong(string sql)
    {
        Assert.DoesNotMatch(@"(?i)\bMERGE\b", sql);
        Assert.DoesNotMatch(@"(?i)\bOUTPUT\b", sql);
        Assert.DoesNotMatch(@"(?i)\bUPDLOCK\b", sql);
        Assert.DoesNotMatch(@"(?i)(?<!@)\bLIMIT\b", sql);
        Assert.DoesNotMatch(@"(?i)\bON CONFLICT\b", sql);
        Assert.DoesNotMatch(@"(?i)\bGO\s*$", sql);
        Assert.DoesNotMatch(@"(?i)\b(datetime|smalldatetime|timestamp)\b", sql);
        Assert.DoesNotMatch(@"(?i)\b(var)?char\b", sql);
        Assert.DoesNotMatch(@"(?i)\b(boolean|serial)\b", sql);
    }

    [Theory]
    [InlineData("InsertAccount", "name nameKey passwordHash createdAt")]
    [InlineData("FindAccount", "nameKey")]
    [InlineData("ListAccounts", "afterId limit")]
    [InlineData("UpdateLastLogin", "lastLoginAt accountId")]
    [InlineData("UpdatePasswordHash", "passwordHash accountId")]
    [InlineData("DisableAccount", "disabled accountId")]
    [InlineData("EnableAccount", "disabled accountId")]
    [InlineData("DeleteAccount", "accountId")]
    [InlineData("RemovePlayersTokens", "accountId")]
    [InlineData("SaveResumeTokens", "playerId newest used now all closeIsLeave expiresAt tokenVersion loginTokenId")]
    [InlineData("SaveBan", "subject reason createdAt expiresAt kind subjectKey")]
    [InlineData("RemoveBan", "kind subjectKey")]
    [InlineData("RemoveExpiredBans", "now")]
    [InlineData("ListBans", "")]
    [InlineData("ReadChatBefore", "roomId bound limit")]
    [InlineData("ReadChatAfter", "roomId bound limit")]
    [InlineData("ReadChatOf", "roomId playerId bound limit")]
    [InlineData("EraseChatOf", "roomId playerId")]
    [InlineData("EraseDirectOf", "playerId")]
    [InlineData("DeleteOldChat", "limit roomId before")]
    [InlineData("SaveRoom", "roomName createdAt attributes roomId")]
    [InlineData("RoomPosition", "roomId")]
    [InlineData("ClaimRoom", "key roomId creatorId maxRooms")]
    [InlineData("FindClaim", "key")]
    [InlineData("ReleaseRoom", "roomId")]
    [InlineData("SaveMembership", "playerName role mutedUntil bannedUntil roomId playerId readSequence")]
    [InlineData("SaveReadMark", "readSequence roomId playerId")]
    [InlineData("AddMention", "roomId playerId sequence senderId limit")]
    [InlineData("RoomPositions", "afterRoomId limit")]
    [InlineData("LastRoomId", "")]
    [InlineData("OpenConversation", "toId fromId lowId fromName highId sentAt clientMessageId")]
    [InlineData("DeleteOldDirect", "limit before")]
    public void A_statement_has_the_parameters_of_the_common_one(string name, string parameters)
    {
        System.Reflection.PropertyInfo property = typeof(StoreSql).GetProperty(name)!;
        string[] ours = Parameters((string)property.GetValue(SqlServerSql.Store)!);

        Assert.Equal(parameters.Split(' ', StringSplitOptions.RemoveEmptyEntries), ours);
        Assert.Equal(
            Parameters((string)property.GetValue(new StoreSql())!).Order(StringComparer.Ordinal), ours.Order(StringComparer.Ordinal));

        static string[] Parameters(string sql) =>
            Parameter().Matches(sql).Select(static match => match.Groups["name"].Value).Distinct(StringComparer.Ordinal)
                .Where(name => !sql.Contains($"DECLARE @{name} ", StringComparison.Ordinal)).ToArray();
    }

    [Fact]
    public void A_text_that_the_collation_takes_for_empty_is_erased_and_changed_as_well()
    {
        Assert.EndsWith("AND DATALENGTH(text) > 0", SqlServerSql.Store.EraseChatOf, StringComparison.Ordinal);
        Assert.EndsWith("AND DATALENGTH(text) > 0", SqlServerSql.Store.EraseDirectOf, StringComparison.Ordinal);
        Assert.Contains("AND DATALENGTH(c.text) > 0", SqlServerSql.InsertBatch, StringComparison.Ordinal);
        Assert.Contains("OR DATALENGTH(b.text) = 0", SqlServerSql.InsertBatch, StringComparison.Ordinal);
    }

    [Fact]
    public void The_batch_table_is_made_without_parameters_so_that_it_outlives_its_statement()
    {
        Assert.DoesNotMatch("@", SqlServerSql.CreateBatch);
        Assert.DoesNotMatch("@(?!stored|@ROWCOUNT)", SqlServerSql.InsertBatch.Replace("@@ROWCOUNT", "", StringComparison.Ordinal));
    }

    [Fact]
    public void A_time_goes_as_datetime2_in_utc_to_the_microsecond()
    {
        var parameter = new SqlParameter();

        new StoredTime.Handler().SetValue(parameter, new StoredTime(s_time));

        Assert.Equal((SqlDbType.DateTime2, DbType.DateTime2), (parameter.SqlDbType, parameter.DbType));
        Assert.Equal(s_time.UtcDateTime.AddTicks(-7), parameter.Value);
    }

    [Fact]
    public void The_bulk_copy_maps_every_column_of_the_batch_table_to_the_one_of_its_name()
    {
        using DataTable table = SqlServerChatInsert.ToTable([]);
        using var connection = new SqlConnection();
        using SqlBulkCopy copy = SqlServerChatInsert.CreateCopy(connection, transaction: null, table);

        string[] columns = Column().Matches(SqlServerSql.CreateBatch).Select(static match => match.Groups["name"].Value).ToArray();
        Assert.Equal(SqlServerSql.BatchTable, copy.DestinationTableName);
        Assert.Equal(columns, copy.ColumnMappings.Cast<SqlBulkCopyColumnMapping>()
            .Select(static mapping => mapping.SourceColumn), StringComparer.Ordinal);
        Assert.Equal(columns, copy.ColumnMappings.Cast<SqlBulkCopyColumnMapping>()
            .Select(static mapping => mapping.DestinationColumn), StringComparer.Ordinal);
    }

    [Fact]
    public void A_row_of_the_bulk_copy_has_the_columns_types_and_no_repeated_key()
    {
        using DataTable table = SqlServerChatInsert.ToTable(
        [
            new ChatRecord(7, 1, 3, "민아", "a\0b", s_time, RoomName: null),
            new ChatRecord(7, 1, 3, "jun", "again", s_time, "lobby"),
            new ChatRecord(7, 2, 3, "jun", "👍", s_time, "lobby", ulong.MaxValue, EditedAt: s_time),
        ]);

        Assert.Equal(2, table.Rows.Count);
        DateTime time = s_time.UtcDateTime.AddTicks(-7);
        Assert.Equal([7L, 1L, 3L, "민아", "a\ufffdb", time, DBNull.Value, DBNull.Value, DBNull.Value], table.Rows[0].ItemArray);
        Assert.Equal([7L, 2L, 3L, "jun", "👍", time, "lobby", -1L, time], table.Rows[1].ItemArray);
    }

    [Fact]
    public void Cultures_are_there()
    {
        // The driver refuses to open a connection without them.
        Assert.False(AppContext.TryGetSwitch("System.Globalization.Invariant", out bool isInvariant) && isInvariant);
    }

    [GeneratedRegex("(?<!@)@(?<name>[a-zA-Z]+)", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Parameter();

    [GeneratedRegex(@"^\s+(?<name>[a-z_]+)\s+(bigint|nvarchar|datetime2)",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Column();
}
