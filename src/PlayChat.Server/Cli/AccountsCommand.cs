using System.Globalization;
using PlayChat.Protocol;
using PlayChat.Server.Accounts;
using PlayChat.Server.Configuration;
using PlayChat.Storage;
using PlayChat.Storage.Passwords;

namespace PlayChat.Server.Cli;

/// <summary>
/// <c>accounts add|passwd|disable|enable|remove NAME</c> and <c>accounts list</c>: what an operator does with accounts, in the database of
/// the server, which may run meanwhile.
/// </summary>
/// <param name="input">Where new passwords and answers come from.</param>
/// <param name="output">What was done.</param>
/// <param name="error">Why it was not.</param>
internal sealed class AccountsCommand(IOperatorInput input, TextWriter output, TextWriter error, TimeProvider time)
{
    /// <summary>The first argument of the program that means this.</summary>
    public const string Word = "accounts";

    /// <summary>Does what is asked for.</summary>
    /// <param name="args">What follows <see cref="Word"/>.</param>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public Task<int> RunAsync(IReadOnlyList<string> args) => OperatorCommand.RunAsync(
        () => AccountsArguments.Parse(args),
        static arguments => arguments.Options,
        static arguments => arguments.Verb == "add",
        AccountsArguments.Help,
        (arguments, settings, store) => DoAsync(arguments, settings.Accounts, store),
        output,
        error);

    private Task<string> DoAsync(AccountsArguments arguments, AccountSettings settings, IChatStore store) => arguments.Verb switch
    {
        "add" => AddAsync(arguments.Name, settings, store),
        "passwd" => SetPasswordAsync(arguments.Name, settings, store),
        "disable" => SetDisabledAsync(arguments.Name, disabled: true, store),
        "enable" => SetDisabledAsync(arguments.Name, disabled: false, store),
        "remove" => RemoveAsync(arguments, store),
        _ => ListAsync(store),
    };

    private async Task<string> AddAsync(string name, AccountSettings settings, IChatStore store)
    {
        if (!PlayerName.TryGetKey(name, out _, out string? problem))
        {
            throw new StartException($"'{name}' is not a valid name. {problem}");
        }

        // Checked first, so that the operator does not type a password in vain.
        if (await store.FindAccountAsync(name) is { } there)
        {
            throw Taken(there, store);
        }

        CreateAccountResult created = await store.CreateAccountAsync(name, ReadHash(settings), time.GetUtcNow());
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

    private async Task<string> RemoveAsync(AccountsArguments arguments, IChatStore store)
    {
        Account account = await FindAsync(arguments.Name, store);
        if (!arguments.IsConfirmed && !input.Confirm($"Remove account {account} from {store.Location} for good?"))
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
                await output.WriteLineAsync(Row("id", "state", "made", "last login", "name"));
            }

            foreach (Account account in page)
            {
                string state = account.Disabled ? "disabled" : account.HasPassword ? "enabled" : "no password";
                await output.WriteLineAsync(Row(
                    account.Id.ToString(CultureInfo.InvariantCulture),
                    state,
                    Time(account.CreatedAt),
                    Time(account.LastLoginAt),
                    account.Name));
            }

            lastId = page[^1].Id;
        }

        return $"{(lastId == 0 ? "No accounts" : "These accounts are")} in {store.Location}.";
    }

    private static string Row(string id, string state, string made, string lastLogin, string name) =>
        $"{id,8}  {state,-11}  {made,-16}  {lastLogin,-16}  {name}";

    private static string Time(DateTimeOffset? time) =>
        time?.UtcDateTime.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) ?? "never";

    private static async Task<Account> FindAsync(string name, IChatStore store) =>
        await store.FindAccountAsync(name) ?? throw new StartException($"There is no account '{name}' in {store.Location}.");

    private static StartException Taken(Account account, IChatStore store) =>
        new($"There is an account {account} in {store.Location} already; accounts passwd sets its password.");

    private string ReadHash(AccountSettings settings)
    {
        string password = OperatorPassword.Read(input, typed =>
        {
            if (!ChatRules.IsPassword(typed))
            {
                throw new StartException($"The password is too long: it has at most {ChatLimits.MaxPasswordBytes} bytes of UTF-8.");
            }

            if (!NewPassword.IsLongEnough(typed, settings.MinPasswordLength))
            {
                throw new StartException(
                    $"The password is too short: it needs {NewPassword.Rule(settings.MinPasswordLength)} (Accounts:MinPasswordLength).");
            }
        });
        return new PasswordHasher(settings.PasswordIterations).Hash(password);
    }
}
