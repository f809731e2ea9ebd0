using PlayChat.Storage.Postgres;
using PlayChat.Storage.Sqlite;
using PlayChat.Storage.SqlServer;

namespace PlayChat.Chat.ChatLog;

/// <summary>Makes the store that the settings ask for.</summary>
internal static class ChatStores
{
    /// <param name="settings">Which, and where.</param>
    /// <param name="durability">Under Stored what is committed must outlast a power cut.</param>
    /// <returns>It touches nothing before it is initialized.</returns>
    /// <exception cref="StartException">The settings contradict each other.</exception>
    /// <exception cref="StorageException">The connection string is none, or an option is out of range.</exception>
    public static IChatStore Create(StorageSettings settings, Durability durability = Durability.Async)
    {
        bool isServer = settings.Provider != StorageProvider.Sqlite;
        if (isServer != settings.ConnectionString.Length > 0)
        {
            // What the connection string says is not repeated: it holds a password.
            throw new StartException(isServer
                ? $"Storage:Provider {settings.Provider} needs Storage:ConnectionString."
                : "Storage:ConnectionString is for the providers SqlServer and Postgres, and Storage:Provider is Sqlite, whose file is "
                    + "Storage:Path.");
        }

        settings.FlushesCommits = durability == Durability.Stored;
        return settings.Provider switch
        {
            StorageProvider.SqlServer => new SqlServerChatStore(settings.ConnectionString),
            StorageProvider.Postgres => new PostgresChatStore(settings.ConnectionString, settings.Search),
            _ => new SqliteChatStore(settings),
        };
    }
}
