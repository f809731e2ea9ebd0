namespace PlayChat.Chat.Configuration;

/// <summary>A switch whose default depends on other settings.</summary>
internal enum AutoSwitch
{
    /// <summary>As the option says.</summary>
    Auto = 0,

    True = 1,

    False = 2,
}
