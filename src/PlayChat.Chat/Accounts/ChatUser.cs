namespace PlayChat.Chat.Accounts;

/// <summary>A player that is logged in.</summary>
/// <param name="Id">The account's id.</param>
/// <param name="Name">The account's name.</param>
/// <param name="TokenVersion">
/// The <see cref="Account.TokenVersion"/> at the login. When the account has another one, the player may not resume.
/// </param>
internal sealed record ChatUser(long Id, string Name, int TokenVersion) : SessionUser(Id, Name)
{
    public static ChatUser Of(Account account) => new(account.Id, account.Name, account.TokenVersion);
}
