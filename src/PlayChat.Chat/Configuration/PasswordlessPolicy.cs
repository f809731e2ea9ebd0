namespace PlayChat.Chat.Configuration;

/// <summary>Where an account without password may log in by its name alone.</summary>
internal enum PasswordlessPolicy
{
    /// <summary>Only while every endpoint is a loopback address and none has trusted proxies.</summary>
    Auto = 0,

    /// <summary>Everywhere.</summary>
    True = 1,

    /// <summary>Nowhere.</summary>
    False = 2,
}
