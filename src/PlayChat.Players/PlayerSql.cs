namespace PlayChat.Players;

/// <summary>Every SQL statement of the store. The defaults are for SQLite and PostgreSQL; SQL Server replaces some.</summary>
/// <remarks>
/// Times are microseconds since 1970-01-01 UTC. Keys are compared by their bytes in all databases. Each conditional statement takes the
/// lock of its row and then checks the condition, so that READ COMMITTED is enough.
/// </remarks>
internal sealed class PlayerSql
{
    private const string SelectDocument =
        "SELECT player, collection, document_key, value, version, access, updated_at FROM player_document";
    private const string IsDocument = " WHERE player = @player AND collection = @collection AND document_key = @documentKey";
    private const string InsertColumns =
        "INSERT INTO player_document (player, collection, document_key, value, version, access, updated_at)";
    private const string DocumentValues = " VALUES (@player, @collection, @documentKey, @value, @version, @access, @updatedAt)";
    private const string SetDocument = " SET value = @value, version = @version, access = @access, updated_at = @updatedAt";

    // The types of the columns, and how a page is cut: what differs in the statements that all databases share.
    private readonly string _text;
    private readonly string _page;

    private PlayerSql(string text, string bytes, string page)
    {
        _text = text;
        _page = page;
        Migrations =
        [
            $"""
            CREATE TABLE player_document (
                player       {Text(Names.MaxPlayerLength)} NOT NULL,
                collection   {Text(Names.MaxCollectionLength)} NOT NULL,
                document_key {Text(Names.MaxKeyLength)} NOT NULL,
                value        {bytes} NOT NULL,
                version      bigint NOT NULL,
                access       int NOT NULL, -- 1: readable for the owner
                updated_at   bigint NOT NULL,
                PRIMARY KEY (player, collection, document_key)
            );
            CREATE TABLE player_score (
                board     {Text(Names.MaxCollectionLength)} NOT NULL,
                player    {Text(Names.MaxPlayerLength)} NOT NULL,
                run       {Text(Names.MaxKeyLength)} NOT NULL,
                score     bigint NOT NULL,
                scored_at bigint NOT NULL,
                PRIMARY KEY (board, player, run)
            );
            CREATE INDEX player_score_top ON player_score (board, score DESC, scored_at, player, run);
            CREATE INDEX player_score_player ON player_score (player);
            CREATE TABLE player_transaction (
                player          {Text(Names.MaxPlayerLength)} NOT NULL,
                transaction_key {Text(Names.MaxKeyLength)} NOT NULL,
                attempt         bigint NOT NULL,
                versions        {Text(4000)} NOT NULL,
                created_at      bigint NOT NULL,
                PRIMARY KEY (player, transaction_key)
            );
            CREATE TABLE player_schema (version int NOT NULL);
            """,
        ];
    }

    public static PlayerSql Sqlite { get; } = new("TEXT", "BLOB", " LIMIT @limit OFFSET @skip")
    {
        FindVersionTable = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'player_schema'",
    };

    public static PlayerSql Postgres { get; } = new("text COLLATE \"C\"", "bytea", " LIMIT @limit OFFSET @skip")
    {
        FindVersionTable = "SELECT COUNT(to_regclass('player_schema'))",
    };

    public static PlayerSql SqlServer { get; } = new(
        "nvarchar({0}) COLLATE Latin1_General_BIN2", "varbinary(max)", " OFFSET @skip ROWS FETCH NEXT @limit ROWS ONLY")
    {
        FindVersionTable = "SELECT COUNT(OBJECT_ID(N'player_schema', N'U'))",
        Insert = InsertColumns + " SELECT @player, @collection, @documentKey, @value, @version, @access, @updatedAt"
            + " WHERE NOT EXISTS (SELECT 1 FROM player_document WITH (UPDLOCK, HOLDLOCK)" + IsDocument + ")",
        Upsert = "UPDATE player_document WITH (UPDLOCK, HOLDLOCK)" + SetDocument + IsDocument + "; IF @@ROWCOUNT = 0 " + InsertColumns
            + DocumentValues,
        InsertKey = "INSERT INTO player_transaction (player, transaction_key, attempt, versions, created_at)"
            + " SELECT @player, @key, @attempt, @versions, @now WHERE NOT EXISTS (SELECT 1 FROM player_transaction WITH (UPDLOCK, HOLDLOCK)"
            + " WHERE player = @player AND transaction_key = @key)",
        AppendScore =
            """
            UPDATE player_score WITH (UPDLOCK, HOLDLOCK)
            SET scored_at = CASE WHEN score < @score THEN @now ELSE scored_at END,
                score = CASE WHEN score < @score THEN @score ELSE score END
            WHERE board = @board AND player = @player AND run = @run;
            IF @@ROWCOUNT = 0
                INSERT INTO player_score (board, player, run, score, scored_at) VALUES (@board, @player, @run, @score, @now);
            """,
    };

    /// <summary>Step n brings the tables from version n to n + 1. Released steps never change; add at the end.</summary>
    public IReadOnlyList<string> Migrations { get; }

    /// <summary>1 if the version is stored, else 0.</summary>
    public required string FindVersionTable { get; init; }
    public string ReadVersion { get; } = "SELECT version FROM player_schema";
    public string WriteVersion { get; } = "DELETE FROM player_schema; INSERT INTO player_schema (version) VALUES (@version)";
    public string Read { get; } = SelectDocument + IsDocument + " AND access >= @access";
    public string List => SelectDocument + " WHERE player = @player AND collection = @collection AND document_key > @after"
        + " AND document_key >= @prefix AND document_key < @end AND access >= @access ORDER BY document_key" + _page;
    public string FindVersion { get; } = "SELECT version FROM player_document" + IsDocument;

    /// <summary>Writes a document that does not exist; changes no row if it does.</summary>
    public string Insert { get; private init; } = InsertColumns + DocumentValues + " ON CONFLICT DO NOTHING";
    public string Upsert { get; private init; } = InsertColumns + DocumentValues
        + " ON CONFLICT (player, collection, document_key) DO UPDATE SET value = excluded.value, version = excluded.version,"
        + " access = excluded.access, updated_at = excluded.updated_at";
    public string Update { get; } = "UPDATE player_document" + SetDocument + IsDocument + " AND version = @ifVersion";
    public string Delete { get; } = "DELETE FROM player_document" + IsDocument;
    public string DeleteVersion { get; } = "DELETE FROM player_document" + IsDocument + " AND version = @ifVersion";

    /// <summary>Remembers a transaction; changes no row if its key is known. Waits for a transaction with this key that is under
    /// way.</summary>
    public string InsertKey { get; private init; } =
        "INSERT INTO player_transaction (player, transaction_key, attempt, versions, created_at)"
        + " VALUES (@player, @key, @attempt, @versions, @now) ON CONFLICT DO NOTHING";
    public string FindKey { get; } = "SELECT attempt, versions FROM player_transaction WHERE player = @player AND transaction_key = @key";
    public string DeleteOldKeys { get; } = "DELETE FROM player_transaction WHERE player = @player AND created_at < @oldest";
    public string AppendScore { get; private init; } =
        """
        INSERT INTO player_score (board, player, run, score, scored_at) VALUES (@board, @player, @run, @score, @now)
        ON CONFLICT (board, player, run) DO UPDATE SET score = excluded.score, scored_at = excluded.scored_at
        WHERE excluded.score > player_score.score
        """;

    /// <summary>Deletes a player's lowest scores beyond the bound.</summary>
    public string TrimScores => "DELETE FROM player_score WHERE board = @board AND player = @player AND run IN ("
        + "SELECT run FROM player_score WHERE board = @board AND player = @player ORDER BY score DESC, scored_at, run" + _page + ")";
    public string ListTop => "SELECT RANK() OVER (ORDER BY score DESC), board, player, run, score, scored_at FROM player_score"
        + " WHERE board = @board ORDER BY score DESC, scored_at, player, run" + _page;
    public string ExportDocuments { get; } = SelectDocument + " WHERE player = @player ORDER BY collection, document_key";
    public string ExportScores { get; } = "SELECT board, player, run, score FROM player_score WHERE player = @player ORDER BY board, run";
    public string ExportKeys { get; } = "SELECT transaction_key FROM player_transaction WHERE player = @player ORDER BY transaction_key";
    public string[] Erase { get; } =
    [
        "DELETE FROM player_document WHERE player = @player",
        "DELETE FROM player_score WHERE player = @player",
        "DELETE FROM player_transaction WHERE player = @player",
    ];

    private string Text(int maxLength) => _text.Replace("{0}", FormattableString.Invariant($"{maxLength}"), StringComparison.Ordinal);
}
