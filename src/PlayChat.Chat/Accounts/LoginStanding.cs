namespace PlayChat.Chat.Accounts;

/// <summary>How much the server trusts a login whose password it has not checked yet. The lower value goes first.</summary>
internal enum LoginStanding
{
    /// <summary>The player has logged in from this network before.</summary>
    Familiar = 0,

    /// <summary>Nothing is known of the network.</summary>
    New = 1,

    /// <summary>Logins from this network failed lately.</summary>
    Suspect = 2,
}
