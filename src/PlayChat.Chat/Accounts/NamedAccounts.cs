namespace PlayChat.Chat.Accounts;

/// <summary>Accounts that the program asks for by their names alone: those of authenticators and of bots.</summary>
internal static class NamedAccounts
{
    /// <summary>Finds an account, or makes one that no password opens.</summary>
    /// <param name="store">The accounts.</param>
    /// <param name="name">A valid name.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="StorageException">The database failed.</exception>
    public static async Task<(Account Account, bool IsNew)> FindOrCreateAccountAsync(
        this IChatStore store, string name, TimeProvider time, CancellationToken cancellationToken)
    {
        if (await store.FindAccountAsync(name, cancellationToken) is { } account)
        {
            return (account, false);
        }

        CreateAccountResult created = await store.CreateAccountAsync(name, passwordHash: null, time.GetUtcNow(), cancellationToken);
        return (created.Account, created.Status == CreateAccountStatus.Created);
    }
}
