namespace PlayChat.Server.Configuration;

/// <summary>Section <c>Storage</c>.</summary>
internal sealed class StorageSettings
{
    public string Path { get; set; } = "";

    public int MaxReaders { get; set; }

    public TimeSpan BusyTimeout { get; set; }

    public TimeSpan AcquireTimeout { get; set; }
}
