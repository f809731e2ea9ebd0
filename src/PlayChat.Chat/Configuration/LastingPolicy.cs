namespace PlayChat.Chat.Configuration;

/// <summary>Whether rooms last.</summary>
internal enum LastingPolicy
{
    /// <summary>They do, except in a cluster.</summary>
    Auto = 0,

    /// <summary>They do.</summary>
    True = 1,

    /// <summary>They end when they are empty.</summary>
    False = 2,
}
