using System.Globalization;
using PlayChat.Server.Configuration;
using PlayChat.Storage;

namespace PlayChat.Server.Cli;

/// <summary>
/// <c>bans add|remove NAME|ADDRESS[/PREFIX]</c> and <c>bans list</c>: what an operator does with bans, in the database of the server, which
/// may run meanwhile.
/// </summary>
/// <param name="output">What was done.</param>
/// <param name="error">Why it was not.</param>
/// <param name="time">The clock.</param>
internal sealed class BansCommand(TextWriter output, TextWriter error, TimeProvider time)
{
    /// <summary>The first argument of the program that means this.</summary>
    public const string Word = "bans";

    /// <summary>Does what is asked for.</summary>
    /// <param name="args">What follows <see cref="Word"/>.</param>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public Task<int> RunAsync(IReadOnlyList<string> args) => OperatorCommand.RunAsync(
        () => BansArguments.Parse(args),
        static arguments => arguments.Options,
        static arguments => arguments is { Verb: "add", Subject.Kind: BanKind.Network }, // a name needs an account that exists
        BansArguments.Help,
        (arguments, settings, store) => arguments.Verb switch
        {
            "add" => AddAsync(arguments, settings, store),
            "remove" => RemoveAsync(arguments.Subject!, store),
            _ => ListAsync(store),
        },
        output,
        error);

    private async Task<string> AddAsync(BansArguments arguments, ServerSettings settings, IChatStore store)
    {
        BanSubject subject = arguments.Subject!;
        if (subject.Kind == BanKind.Account)
        {
            // As it is written in the account: a server finds the player's session by that.
            Account account = await store.FindAccountAsync(subject.Text)
                ?? throw new StartException($"There is no account '{subject.Text}' in {store.Location}.");
            subject = BanSubject.OfAccount(account.Name);
        }

        DateTimeOffset now = time.GetUtcNow();
        var ban = new Ban(subject, arguments.Reason, now, now + arguments.For);
        await store.SaveBanAsync(ban);
        return $"{subject} is banned {(ban.ExpiresAt is null ? "without end" : $"until {Time(ban.ExpiresAt)} UTC")}. A running server "
            + $"takes that over within {settings.Accounts.BanInterval:c}.";
    }

    private static async Task<string> RemoveAsync(BanSubject subject, IChatStore store) => await store.RemoveBanAsync(subject)
        ? $"{subject} is no longer banned."
        : throw new StartException($"There is no ban of {subject} in {store.Location}.");

    private async Task<string> ListAsync(IChatStore store)
    {
        DateTimeOffset now = time.GetUtcNow();
        Ban[] bans = [.. (await store.ListBansAsync()).Where(ban => !ban.HasExpired(now))];
        if (bans.Length > 0)
        {
            await output.WriteLineAsync(Row("until", "since", "banned", "reason"));
        }

        foreach (Ban ban in bans)
        {
            await output.WriteLineAsync(Row(Time(ban.ExpiresAt), Time(ban.CreatedAt), ban.Subject.Text, ban.Reason).TrimEnd());
        }

        return $"{(bans.Length == 0 ? "No bans" : "These bans are")} in {store.Location}.";
    }

    private static string Row(string until, string since, string banned, string reason) =>
        $"{until,-16}  {since,-16}  {banned,-24}  {reason}";

    private static string Time(DateTimeOffset? time) =>
        time?.UtcDateTime.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) ?? "no end";
}
