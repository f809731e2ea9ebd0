using System.CommandLine;
using PlayChat.Chat.Accounts;
using PlayChat.Storage.Passwords;

namespace PlayChat.Chat.Cli;

/// <summary><c>accounts …</c>: what an operator does with accounts, in the database of the server, which may run meanwhile.</summary>
internal sealed class AccountsCommand : DatabaseCommand
{
    /// <summary>The first argument of the program that means this.</summary>
    public const string Word = "accounts";

    private const string Notes = """
        A new password is asked for without showing it. Where the input is redirected it is its first line:
        PlayChat.Server accounts add kim < file, in UTF-8. It is never an argument: others on the machine could read it. It has at least
        Accounts:MinPasswordLength characters (8), and is hashed as Accounts:PasswordIterations says.

        What is changed here counts from the next login on. Where there is no database, only add makes one.
        """;

    private readonly IOperatorInput _input;
    private readonly TextWriter _output;
    private readonly TimeProvider _time;

    public AccountsCommand(IOperatorInput input, TextWriter output, TextWriter error, TimeProvider time)
        : base(Word, "Accounts in the database of the server, which may run meanwhile.", Notes, output, error)
    {
        (_input, _output, _time) = (input, output, time);
        Argument<string> name = new("NAME") { Description = "The account; in quotes if its name has spaces." };
        Option<bool> yes = new("--yes") { Description = "Do not ask." };
        Add(
            new Command("add", "Makes an account with a password.") { name },
            (result, settings, store) => AddAsync(result.GetValue(name)!, settings.Accounts, store),
            static _ => true);
        Add(
            new Command("passwd", "Sets an account's password. A player that loses its connection has to log in with it.") { name },
            (result, settings, store) => SetPasswordAsync(result.GetValue(name)!, settings.Accounts, store));
        Add(
            new Command("disable", "Refuses further logins with the account. Its open sessions stay connected until they end.") { name },
            (result, _, store) => SetDisabledAsync(result.GetValue(name)!, disabled: true, store));
        Add(
            new Command("enable", "Lets the account in again.") { name },
            (result, _, store) => SetDisabledAsync(result.GetValue(name)!, disabled: false, store));
        Add(
            new Command(
                "remove",
                "Deletes the account and its resume tokens; asks first. Its messages stay, with its name, and its open sessions until "
                    + "they end. Another player may register the name again.") { name, yes },
            (result, _, store) => RemoveAsync(result.GetValue(name)!, result.GetValue(yes), store));
        Add(
            new Command("list", "All accounts by rising id: id, state, when made, when last logged in (UTC), name."),
            (_, _, store) => ListAsync(store));
    }

    private async Task<string> AddAsync(string name, AccountSettings settings, IChatStore store)
    {
        if (!PlayerName.TryGetKey(name, out _, out string? problem))
        {
            throw new StartException($"'{name}' is not a valid name. {problem} Choose another.");
        }

        // Checked first, so that the operator does not type a password in vain.
        if (await store.FindAccountAsync(name) is { } there)
        {
            throw Taken(there, store);
        }

        CreateAccountResult created = await store.CreateAccountAsync(name, ReadHash(settings), _time.GetUtcNow());
        return created.Status == CreateAccountStatus.Created
            ? $"Account {created.Account} was added to {store.Location}."
            : throw Taken(created.Account, store);
    }

    private async Task<string> SetPasswordAsync(string name, AccountSettings settings, IChatStore store)
    {
        Account account = await FindAsync(name, store);
        await store.UpdatePasswordHashAsync(account.Id, ReadHash(settings));
        return $"Account {account} has a new password{(account.Disabled ? ", but is disabled" : "")}.";
    }

    private static async Task<string> SetDisabledAsync(string name, bool disabled, IChatStore store)
    {
        Account account = await FindAsync(name, store);
        await store.SetAccountDisabledAsync(account.Id, disabled);
        return $"Account {account} {(account.Disabled == disabled ? "was" : "is now")} "
            + $"{(disabled ? "disabled" : "enabled")}{(account.Disabled == disabled ? " already" : "")}.";
    }

    private async Task<string> RemoveAsync(string name, bool isConfirmed, IChatStore store)
    {
        Account account = await FindAsync(name, store);
        if (!isConfirmed && !_input.Confirm($"Remove account {account} from {store.Location} for good?"))
        {
            throw new StartException("Nothing was changed. Answer y, or give --yes.");
        }

        await store.DeleteAccountAsync(account.Id);
        return $"Account {account} was removed. Its messages stay, with its name.";
    }

    private async Task<string> ListAsync(IChatStore store)
    {
        long lastId = 0;
        IReadOnlyList<Account> page;
        while ((page = await store.ListAccountsAsync(lastId)).Count > 0)
        {
            if (lastId == 0)
            {
                await _output.WriteLineAsync(Row("id", "state", "made", "last login", "name"));
            }

            foreach (Account account in page)
            {
                string state = account.Disabled ? "disabled" : account.HasPassword ? "enabled" : "no password";
                await _output.WriteLineAsync(Row(
                    account.Id.ToString(CultureInfo.InvariantCulture),
                    state,
                    AdminTables.Date(account.CreatedAt),
                    AdminTables.Date(account.LastLoginAt),
                    account.Name));
            }

            lastId = page[^1].Id;
        }

        return $"{(lastId == 0 ? "No accounts" : "These accounts are")} in {store.Location}.";
    }

    private static string Row(string id, string state, string made, string lastLogin, string name) =>
        $"{id,8}  {state,-11}  {made,-16}  {lastLogin,-16}  {name}";

    private static async Task<Account> FindAsync(string name, IChatStore store) =>
        await store.FindAccountAsync(name) ?? throw new StartException($"There is no account '{name}' in {store.Location}.");

    private static StartException Taken(Account account, IChatStore store) =>
        new($"There is an account {account} in {store.Location} already; accounts passwd sets its password.");

    private string ReadHash(AccountSettings settings)
    {
        string password = OperatorPassword.Read(_input, typed =>
        {
            if (NewPassword.FindProblem(typed, settings.MinPasswordLength) is { } problem)
            {
                throw new StartException(problem);
            }
        });
        return new PasswordHasher(settings.PasswordIterations).Hash(password);
    }
}
