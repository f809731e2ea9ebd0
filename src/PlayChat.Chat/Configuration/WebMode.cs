namespace PlayChat.Chat.Configuration;

/// <summary>Whether the server has a port for browsers.</summary>
internal enum WebMode
{
    /// <summary>
    /// In chat mode, while the first endpoint is a loopback address whose port is not 0, and the port for browsers is free.
    /// </summary>
    Auto = 0,

    /// <summary>Always. The start fails when the port is not available.</summary>
    True = 1,

    /// <summary>Never.</summary>
    False = 2,
}
