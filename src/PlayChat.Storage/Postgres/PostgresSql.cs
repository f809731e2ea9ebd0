namespace PlayChat.Storage.Postgres;

/// <summary>Every SQL statement of the PostgreSQL store that the other databases do not share. Written for PostgreSQL 12 and
/// later.</summary>
internal static class PostgresSql
{
    // Any number that no other program in this database uses as a lock: "PLCH" in ASCII.
    public const string LockSchema = "SELECT pg_advisory_xact_lock(1347175240)";

    /// <summary>
    /// The table's own number makes the lock one of this schema. The server notices within half a minute that the machine of a connection
    /// has failed; by itself it would take two hours.
    /// </summary>
    public const string TryLockOwner =
        """
        SET tcp_keepalives_idle = 10;
        SET tcp_keepalives_interval = 5;
        SET tcp_keepalives_count = 3;
        SELECT CASE WHEN pg_try_advisory_lock(1347175240, 'database_owner'::regclass::oid::int) THEN 1 ELSE 0 END
        """;

    public const string ReadEncoding = "SHOW server_encoding";

    public const string FindVersionTable = "SELECT to_regclass('playchat_schema') IS NOT NULL";

    public const string ReadVersion = "SELECT version FROM playchat_schema";

    public const string WriteVersion =
        """
        CREATE TABLE IF NOT EXISTS playchat_schema (version integer NOT NULL);
        DELETE FROM playchat_schema;
        INSERT INTO playchat_schema (version) VALUES (@version)
        """;

    /// <summary>The fast way into the log. It ends with an error when a single record is there already.</summary>
    public const string CopyLog = "COPY chat_log " + CopiedColumns;

    /// <summary>The way for a batch of which something is there already: into a table of the connection's own, and on from there.</summary>
    public const string CreateBatch = "CREATE TEMPORARY TABLE chat_batch (LIKE chat_log) ON COMMIT DROP";

    public const string CopyBatch = "COPY chat_batch " + CopiedColumns;

    public const string InsertBatch = "INSERT INTO chat_log SELECT * FROM chat_batch ON CONFLICT (room_id, sequence) DO NOTHING";

    /// <summary>As <see cref="InsertBatch"/>, for a merged batch: PostgreSQL refuses to change a row twice in one statement.</summary>
    public const string MergeBatch =
        """
        INSERT INTO chat_log SELECT * FROM chat_batch
        ON CONFLICT (room_id, sequence) DO UPDATE SET text = excluded.text, edited_at = excluded.edited_at
        WHERE excluded.edited_at IS NOT NULL AND chat_log.text <> ''
            AND (chat_log.edited_at IS NULL OR excluded.text = '' OR excluded.edited_at >= chat_log.edited_at)
        """;

    /// <summary>$1 room ids, $2 their names, $3 their highest sequences.</summary>
    public const string RaiseRoomPositions =
        """
        INSERT INTO room (room_id, room_name, last_sequence)
        SELECT * FROM unnest($1, $2, $3)
        ON CONFLICT (room_id) DO UPDATE
        SET room_name = COALESCE(excluded.room_name, room.room_name), last_sequence = GREATEST(excluded.last_sequence, room.last_sequence)
        """;

    /// <summary>PostgreSQL takes nearly all common statements as they are.</summary>
    public static StoreSql Store { get; } = new()
    {
        LockOwnerId = "SELECT owner_id FROM database_owner FOR SHARE",
        Rooms = StoreSql.SelectRoom + " WHERE room_id = ANY (@roomIds) ORDER BY room_id",
        // The room of the index may be a word of a player's: the rooms are compared as well.
        SearchChat =
            $"""
            {StoreSql.SelectChat}
            WHERE player_id <> 0 AND room_id = ANY (@roomIds) AND {IndexedWords} @@ to_tsquery('simple', @query)
                AND (@beforeRoomId = 0 OR (sent_at, room_id, sequence) <
                    (SELECT sent_at, room_id, sequence FROM chat_log WHERE room_id = @beforeRoomId AND sequence = @beforeSequence))
            ORDER BY sent_at DESC, room_id DESC, sequence DESC LIMIT @limit
            """,
    };

    public const string HasSearch = "SELECT to_regclass('chat_log_search') IS NOT NULL";

    /// <summary>The room is among the words: few rooms of many are then found as quickly as a rare word.</summary>
    public const string CreateSearch = $"CREATE INDEX chat_log_search ON chat_log USING gin (({IndexedWords})) WHERE player_id <> 0";

    public const string DropSearch = "DROP INDEX chat_log_search";

    // PostgreSQL takes "yes/no" and "ann@example.org" for one word each, which is why spaces take the place of ASCII's punctuation.
    private const string IndexedWords =
        """
        to_tsvector('simple', 'room' || room_id::text || ' ' || translate(text, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))
        """;

    /// <summary>The steps of <see cref="ChatSchema"/>.</summary>
    public static IReadOnlyList<string> Migrations { get; } = new ChatSchema(
        Long: "bigint",
        Int: "integer",
        Bool: "boolean",
        Time: "timestamptz",
        LongText: "text",
        ShortText: "text",
        ByteText: "text COLLATE \"C\"",
        NameKey: "text COLLATE \"C\"",
        ClaimKey: "text",
        Identity: "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
        False: "false").Steps();

    private const string CopiedColumns =
        "(room_id, sequence, player_id, player_name, text, sent_at, room_name, client_message_id, edited_at) "
        + "FROM STDIN (FORMAT BINARY)";
}
