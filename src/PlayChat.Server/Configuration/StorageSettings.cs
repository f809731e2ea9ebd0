namespace PlayChat.Server.Configuration;

/// <summary>Section <c>Storage</c>.</summary>
internal sealed class StorageSettings
{
    public StorageProvider Provider { get; set; }

    /// <summary>A secret: never logged, nor told in an error.</summary>
    public string ConnectionString { get; set; } = "";

    public string Path { get; set; } = "";

    public int MaxReaders { get; set; }

    public TimeSpan BusyTimeout { get; set; }

    public TimeSpan AcquireTimeout { get; set; }
}
