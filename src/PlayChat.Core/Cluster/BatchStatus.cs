namespace PlayChat.Core.Cluster;

/// <summary>Whether bytes are a batch.</summary>
public enum BatchStatus
{
    /// <summary>They are one.</summary>
    Valid = 0,

    /// <summary>The first byte names a version that this program does not know.</summary>
    UnknownVersion = 1,

    /// <summary>They end too early, go on behind the last record, or hold an impossible number.</summary>
    Malformed = 2,
}
