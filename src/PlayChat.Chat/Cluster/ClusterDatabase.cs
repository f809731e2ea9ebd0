using PlayChat.Cluster.Postgres;

namespace PlayChat.Chat.Cluster;

/// <summary>The PostgreSQL database of a cluster.</summary>
internal static class ClusterDatabase
{
    /// <exception cref="StartException">The settings name none.</exception>
    public static string ConnectionStringOf(ServerSettings settings)
    {
        if (settings.Storage.Provider != StorageProvider.Postgres)
        {
            throw new StartException(
                $"Cluster:Engine {settings.Cluster.Engine} needs a database that all nodes share. Set Storage:Provider to Postgres.");
        }

        return settings.Cluster.ConnectionString.Length > 0 ? settings.Cluster.ConnectionString : settings.Storage.ConnectionString;
    }

    /// <exception cref="StartException">The connection string is invalid.</exception>
    public static IClusterDirectory CreateDirectory(ServerSettings settings, ILoggerFactory loggers)
    {
        try
        {
            return new PostgresDirectory(
                new PostgresDirectoryOptions
                {
                    ConnectionString = ConnectionStringOf(settings),
                    LeaseDuration = settings.Cluster.Lease,
                    Version = ServerVersion.Build,
                },
                loggers);
        }
        catch (ArgumentException e)
        {
            // What the connection string says is not repeated: it holds a password.
            throw new StartException("Cluster:ConnectionString, or Storage:ConnectionString in its place, is invalid.", e);
        }
    }
}
