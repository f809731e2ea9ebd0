namespace PlayChat.Chat.Accounts;

/// <summary>Whose login it is said to be, and where it comes from.</summary>
/// <param name="NameKey">The name as <see cref="Storage.AccountName"/> folds it.</param>
/// <param name="Network">See <see cref="ClientNetwork"/>.</param>
internal readonly record struct LoginOrigin(string NameKey, IPAddress Network)
{
    /// <param name="nameKey">The name as <see cref="Storage.AccountName"/> folds it.</param>
    /// <param name="endPoint">The peer; what is not IP counts as one address.</param>
    public static LoginOrigin Of(string nameKey, EndPoint? endPoint) => new(nameKey, ClientNetwork.Of(endPoint));
}
