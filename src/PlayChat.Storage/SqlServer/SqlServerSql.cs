namespace PlayChat.Storage.SqlServer;

/// <summary>Every SQL statement of the SQL Server store that the other databases do not share. Written for SQL Server 2017 and
/// later.</summary>
/// <remarks>
/// Text is <c>nvarchar</c>, time <c>datetime2</c>. Account keys are compared as bytes: as text, SQL Server would take "ada" and "ada " for
/// the same, and what else is the same would be the collation's to say. No MERGE, whose races are known; an insert that finds its key taken
/// in spite of NOT EXISTS (error 2627 or 2601) is done again, and then sees it.
/// </remarks>
internal static class SqlServerSql
{
    /// <summary>0 or 1 when the lock was granted, below 0 when not; held until the transaction ends.</summary>
    public const string LockSchema =
        """
        DECLARE @result int;
        EXEC @result = sp_getapplock
            @Resource = N'PlayChat schema', @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = 25000;
        SELECT @result;
        """;

    /// <summary>The table's own number makes the lock one of this schema; the lock ends with its connection.</summary>
    public const string TryLockOwner =
        """
        DECLARE @result int, @resource nvarchar(255) = CONCAT(N'PlayChat owner ', OBJECT_ID(N'database_owner', N'U'));
        EXEC @result = sp_getapplock @Resource = @resource, @LockMode = N'Exclusive', @LockOwner = N'Session', @LockTimeout = 0;
        SELECT CASE WHEN @result >= 0 THEN 1 ELSE 0 END;
        """;

    public const string FindVersionTable = "SELECT CASE WHEN OBJECT_ID(N'playchat_schema', N'U') IS NULL THEN 0 ELSE 1 END";

    public const string ReadVersion = "SELECT version FROM playchat_schema";

    public const string WriteVersion =
        """
        IF OBJECT_ID(N'playchat_schema', N'U') IS NULL CREATE TABLE playchat_schema (version int NOT NULL);
        DELETE FROM playchat_schema;
        INSERT INTO playchat_schema (version) VALUES (@version);
        """;

    public const string BatchTable = "#chat_batch";

    /// <summary>The connection's own table for a batch on its way into the log. Without parameters, or it would be gone with the
    /// statement.</summary>
    public const string CreateBatch =
        """
        CREATE TABLE #chat_batch (
            room_id     bigint NOT NULL,
            sequence    bigint NOT NULL,
            player_id   bigint NOT NULL,
            player_name nvarchar(max) COLLATE DATABASE_DEFAULT NOT NULL,
            text        nvarchar(max) COLLATE DATABASE_DEFAULT NOT NULL,
            sent_at     datetime2(6) NOT NULL,
            room_name   nvarchar(max) COLLATE DATABASE_DEFAULT NULL,
            client_message_id bigint NULL,
            edited_at   datetime2(6) NULL,
            PRIMARY KEY (room_id, sequence)
        );
        """;

    /// <summary>
    /// Moves the batch into the log, raises the rooms it speaks of, and tells how many records were new. A room takes the name that its
    /// newest record with one has.
    /// </summary>
    public const string InsertBatch =
        """
        SET NOCOUNT ON;
        DECLARE @stored int;

        UPDATE c
        SET c.text = b.text, c.edited_at = b.edited_at
        FROM chat_log AS c INNER JOIN #chat_batch AS b ON b.room_id = c.room_id AND b.sequence = c.sequence
        WHERE b.edited_at IS NOT NULL AND DATALENGTH(c.text) > 0
            AND (c.edited_at IS NULL OR DATALENGTH(b.text) = 0 OR b.edited_at >= c.edited_at);
        SET @stored = @@ROWCOUNT;

        INSERT INTO chat_log (room_id, sequence, player_id, player_name, text, sent_at, room_name, client_message_id, edited_at)
        SELECT b.room_id, b.sequence, b.player_id, b.player_name, b.text, b.sent_at, b.room_name, b.client_message_id, b.edited_at
        FROM #chat_batch AS b
        WHERE NOT EXISTS (SELECT 1 FROM chat_log AS c WHERE c.room_id = b.room_id AND c.sequence = b.sequence);
        SET @stored = @stored + @@ROWCOUNT;

        SELECT n.room_id, n.room_name, n.last_sequence
        INTO #room_batch
        FROM (
            SELECT b.room_id, b.room_name, MAX(b.sequence) OVER (PARTITION BY b.room_id) AS last_sequence,
                   ROW_NUMBER() OVER (
                       PARTITION BY b.room_id
                       ORDER BY CASE WHEN b.room_name IS NULL THEN 1 ELSE 0 END, b.sequence DESC) AS choice
            FROM #chat_batch AS b
        ) AS n
        WHERE n.choice = 1;

        UPDATE r
        SET r.room_name = COALESCE(n.room_name, r.room_name),
            r.last_sequence = CASE WHEN n.last_sequence > r.last_sequence THEN n.last_sequence ELSE r.last_sequence END
        FROM room AS r INNER JOIN #room_batch AS n ON n.room_id = r.room_id;

        INSERT INTO room (room_id, room_name, last_sequence)
        SELECT n.room_id, n.room_name, n.last_sequence
        FROM #room_batch AS n
        WHERE NOT EXISTS (SELECT 1 FROM room AS r WHERE r.room_id = n.room_id);

        DROP TABLE #room_batch;
        DROP TABLE #chat_batch;
        SELECT @stored;
        """;

    public static StoreSql Store { get; } = new(limit: " OFFSET 0 ROWS FETCH NEXT @limit ROWS ONLY")
    {
        FindAccount = StoreSql.SelectAccount + " WHERE name_key = CONVERT(varbinary(800), @nameKey)",
        InsertAccount =
            """
            INSERT INTO account (name, name_key, password_hash, created_at)
            SELECT @name, CONVERT(varbinary(800), @nameKey), @passwordHash, @createdAt
            WHERE NOT EXISTS (SELECT 1 FROM account WHERE name_key = CONVERT(varbinary(800), @nameKey))
            """,
        DeleteOldChat =
            """
            WITH oldest AS (SELECT TOP (@limit) sent_at FROM chat_log WHERE room_id = @roomId ORDER BY sequence)
            DELETE FROM oldest WHERE sent_at < @before
            """,
        // Text is compared by the collation, and to many of them a text of emoji or of spaces alone is equal to the empty one.
        EraseChatOf = "UPDATE chat_log SET text = N'' WHERE room_id = @roomId AND player_id = @playerId AND DATALENGTH(text) > 0",
        EraseDirectOf = "UPDATE direct_message SET text = N'' WHERE from_id = @playerId AND DATALENGTH(text) > 0",
        // No index: it reads the rooms from their newest message on. The words have letters and digits alone, so none is a pattern.
        SearchChat = StoreSql.SelectChat +
            """
             AS c
            WHERE c.player_id <> 0 AND c.text <> N'' AND c.room_id IN @roomIds
                AND NOT EXISTS (SELECT 1 FROM STRING_SPLIT(@words, N' ') AS w WHERE c.text NOT LIKE N'%' + w.value + N'%')
                AND (@beforeRoomId = 0 OR EXISTS (
                    SELECT 1 FROM chat_log AS b
                    WHERE b.room_id = @beforeRoomId AND b.sequence = @beforeSequence
                        AND (c.sent_at < b.sent_at OR (c.sent_at = b.sent_at
                            AND (c.room_id < b.room_id OR (c.room_id = b.room_id AND c.sequence < b.sequence))))))
            ORDER BY c.sent_at DESC, c.room_id DESC, c.sequence DESC OFFSET 0 ROWS FETCH NEXT @limit ROWS ONLY
            """,
        SaveRoom =
            """
            UPDATE room
            SET room_name = @roomName, created_at = COALESCE(created_at, @createdAt), room_state = 0, attributes = @attributes
            WHERE room_id = @roomId;
            IF @@ROWCOUNT = 0
                INSERT INTO room (room_id, room_name, last_sequence, created_at, attributes)
                VALUES (@roomId, @roomName, 0, @createdAt, @attributes);
            """,
        SaveBan =
            """
            UPDATE ban
            SET subject = @subject, reason = @reason, created_at = @createdAt, expires_at = @expiresAt
            WHERE kind = @kind AND subject_key = CONVERT(varbinary(800), @subjectKey);
            IF @@ROWCOUNT = 0
                INSERT INTO ban (kind, subject_key, subject, reason, created_at, expires_at)
                VALUES (@kind, CONVERT(varbinary(800), @subjectKey), @subject, @reason, @createdAt, @expiresAt);
            """,
        SaveMembership =
            """
            UPDATE room_member
            SET player_name = @playerName, member_role = @role, muted_until = @mutedUntil, banned_until = @bannedUntil
            WHERE room_id = @roomId AND player_id = @playerId;
            IF @@ROWCOUNT = 0
                INSERT INTO room_member (room_id, player_id, player_name, member_role, read_sequence, muted_until, banned_until)
                VALUES (@roomId, @playerId, @playerName, @role, @readSequence, @mutedUntil, @bannedUntil);
            """,
        OpenConversation =
            $"""
            SET NOCOUNT ON;
            DECLARE @name nvarchar(256) = (SELECT name {StoreSql.Receiver});
            UPDATE direct_conversation SET partner_name = CASE WHEN @lowId = @fromId THEN @name ELSE @fromName END
            WHERE player_id = @lowId AND partner_id = @highId AND @name IS NOT NULL;
            IF @@ROWCOUNT = 0
                INSERT INTO direct_conversation (player_id, partner_id, partner_name, last_number, read_number, last_at)
                SELECT @lowId, @highId, CASE WHEN @lowId = @fromId THEN @name ELSE @fromName END, 0, 0, @sentAt WHERE @name IS NOT NULL;
            UPDATE direct_conversation SET partner_name = CASE WHEN @highId = @fromId THEN @name ELSE @fromName END
            WHERE player_id = @highId AND partner_id = @lowId AND @name IS NOT NULL;
            IF @@ROWCOUNT = 0
                INSERT INTO direct_conversation (player_id, partner_id, partner_name, last_number, read_number, last_at)
                SELECT @highId, @lowId, CASE WHEN @highId = @fromId THEN @name ELSE @fromName END, 0, 0, @sentAt WHERE @name IS NOT NULL;
            {StoreSql.DirectFacts}
            """,
        DeleteOldDirect =
            """
            WITH oldest AS (SELECT TOP (@limit) sent_at FROM direct_message WHERE sent_at < @before ORDER BY sent_at)
            DELETE FROM oldest
            """,
        RemoveBan = "DELETE FROM ban WHERE kind = @kind AND subject_key = CONVERT(varbinary(800), @subjectKey)",
        LockOwnerId = "SELECT owner_id FROM database_owner WITH (REPEATABLEREAD)",
        WriteOwner =
            """
            UPDATE database_owner
            SET owner_id = @id, machine = @machine, process_id = @processId, started_at = @startedAt
            WHERE row_id = 1;
            IF @@ROWCOUNT = 0
                INSERT INTO database_owner (row_id, owner_id, machine, process_id, started_at)
                VALUES (1, @id, @machine, @processId, @startedAt);
            """,
    };

    /// <summary>The steps of <see cref="ChatSchema"/>.</summary>
    public static IReadOnlyList<string> Migrations { get; } = new ChatSchema(
        Long: "bigint",
        Int: "int",
        Bool: "bit",
        Time: "datetime2(6)",
        LongText: "nvarchar(max)",
        ShortText: "nvarchar({0})",
        ByteText: "nvarchar({0}) COLLATE Latin1_General_BIN2",
        NameKey: "varbinary(800)",
        ClaimKey: "nvarchar(128) COLLATE Latin1_General_BIN2",
        Identity: "bigint IDENTITY(1, 1) NOT NULL PRIMARY KEY").Steps();
}
