using PlayChat.Options;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Storage</c>: which database, and the options of SQLite.</summary>
internal sealed class StorageSettings : SqliteStoreOptions
{
    [Option("Where accounts and chat log are stored: in a file of this program, or on a database server.")]
    public StorageProvider Provider { get; set; }

    /// <summary>A secret: never logged, and never part of an error message.</summary>
    [Option(
        "How SqlServer or Postgres is reached. Set it in the environment, since it holds a password. The driver's pool and its time-outs "
            + "are "
            + "keys in it.",
        Allowed = "that of the server's .NET driver; empty for Sqlite")]
    public string ConnectionString { get; set; } = "";
}
