namespace PlayChat.Chat.Accounts;

/// <summary>A player that is logged in.</summary>
/// <param name="Id">The account's id.</param>
/// <param name="Name">The account's name.</param>
/// <param name="TokenVersion">
/// The <see cref="Account.TokenVersion"/> at the login. When the account has another one, the player may not resume.
/// </param>
internal sealed record ChatUser(long Id, string Name, int TokenVersion) : SessionUser(Id, Name)
{
    /// <inheritdoc cref="ChatUser(long, string, int)" path="/param[@name='TokenVersion']"/>
    // The player's own change of the password on this device keeps the session.
    public int TokenVersion { get; set; } = TokenVersion;

    /// <summary>The <see cref="LoginTokenHashes.Id"/> by which the device stays logged in; 0 if it does not.</summary>
    public long LoginTokenId { get; set; }

    /// <summary>The hash of the session's newest resume token, as the store has it; <see langword="null"/> for none.</summary>
    public string? TokenHash { get; set; }

    /// <summary>The hash of the newest resume token of the session that the player continues from another node or an earlier run;
    /// <see langword="null"/> if it continues none.</summary>
    public string? ContinuedTokenHash { get; init; }

    /// <summary>When the device logged in; after a restart of the server, when it came back.</summary>
    public DateTimeOffset Since { get; init; } = TimeProvider.System.GetUtcNow();

    /// <summary>The client's program and version, as it last said.</summary>
    public string ClientVersion { get; set; } = "";

    public static ChatUser Of(Account account, string clientVersion, long loginTokenId = 0) =>
        new(account.Id, account.Name, account.TokenVersion) { ClientVersion = clientVersion, LoginTokenId = loginTokenId };
}
