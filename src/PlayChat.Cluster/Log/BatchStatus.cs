namespace PlayChat.Cluster.Log;

/// <summary>Whether bytes are a batch.</summary>
public enum BatchStatus
{
    /// <summary>The bytes are a batch.</summary>
    Valid = 0,

    /// <summary>The first byte names a version that this program does not know.</summary>
    UnknownVersion = 1,

    /// <summary>The bytes end too early, continue behind the last record, or hold an invalid number.</summary>
    Malformed = 2,
}
