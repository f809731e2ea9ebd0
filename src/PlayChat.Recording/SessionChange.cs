namespace PlayChat.Recording;

/// <summary>What has become of a session. The numbers are those of the file: never changed.</summary>
internal enum SessionChange : byte
{
    /// <summary>It has a connection.</summary>
    Here = 0,

    /// <summary>Its connection is lost.</summary>
    Away = 1,

    /// <summary>It has ended.</summary>
    Ended = 2,
}
