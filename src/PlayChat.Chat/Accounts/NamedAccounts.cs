namespace PlayChat.Chat.Accounts;

/// <summary>Accounts that the program asks for by their names or ids, without a password.</summary>
internal static class NamedAccounts
{
    /// <summary>Finds an account, or makes one that no password opens.</summary>
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

    /// <summary>Finds the account that a player names: by its id or, where that is 0, by its name, whatever its case.</summary>
    /// <returns><see langword="null"/> when there is none.</returns>
    /// <exception cref="StorageException">The database failed.</exception>
    public static async Task<Account?> FindPlayerAsync(this IChatStore store, long id, string name, CancellationToken cancellationToken) =>
        id == 0 ? await store.FindAccountAsync(name, cancellationToken)
            : id < 0 ? null
            : (await store.ListAccountsAsync(id - 1, limit: 1, cancellationToken)).FirstOrDefault(found => found.Id == id);
}
