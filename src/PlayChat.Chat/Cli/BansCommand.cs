using System.CommandLine;
using System.CommandLine.Parsing;
using PlayChat.Chat.Accounts;

namespace PlayChat.Chat.Cli;

/// <summary><c>bans …</c>: what an operator does with bans, in the database of the server, which may run meanwhile.</summary>
internal sealed class BansCommand : DatabaseCommand
{
    /// <summary>The first argument of the program that means this.</summary>
    public const string Word = "bans";

    /// <summary>The longest reason, in UTF-16 units.</summary>
    private const int MaxReasonLength = 200;

    private const string Notes = """
        An address is 203.0.113.7, 203.0.113.0/24 (/8 to /32), 2001:db8::1 (its /64 network) or 2001:db8::/48 (/16 to /128). What can be
        read as an address is one, and no name.

        A running server takes a change over within Accounts:BanInterval (10 seconds), or at once at SIGHUP. It then ends the open sessions
        of the banned and tells them why. The name of an account stays banned when the account is removed.
        """;

    private readonly TextWriter _output;
    private readonly TimeProvider _time;

    public BansCommand(TextWriter output, TextWriter error, TimeProvider time)
        : base(Word, "Bans in the database of the server, which may run meanwhile.", Notes, output, error)
    {
        (_output, _time) = (output, time);
        Argument<BanSubject> subject = new("SUBJECT")
        {
            Description = "The name of an account (in quotes if it has spaces), or an address or network.",
            CustomParser = static result => Parse(result, BanText.Parse),
        };
        Option<TimeSpan?> duration = Duration();
        Option<string> reason = new("--reason")
        {
            Description = $"Why, at most {MaxReasonLength} characters; the banned read it.",
            HelpName = "TEXT",
            DefaultValueFactory = static _ => "",
            CustomParser = static result => Parse(result, CheckReason),
        };
        Add(
            new Command(
                "add", "Refuses logins with an account, or connections from an address or a network. An earlier ban of it is replaced.")
            {
                subject, duration, reason,
            },
            (result, settings, store) => AddAsync(
                result.GetValue(subject)!, result.GetValue(duration), result.GetValue(reason)!, settings.Accounts, store),
            result => result.GetValue(subject)!.Kind == BanKind.Network); // a name needs an account that exists
        Add(
            new Command("remove", "Lifts a ban.") { subject }, (result, _, store) => RemoveAsync(result.GetValue(subject)!, store));
        Add(
            new Command("list", "All bans: until when, since when (UTC), what is banned, reason."), (_, _, store) => ListAsync(store));
    }

    /// <summary>The option for the time of a ban.</summary>
    public static Option<TimeSpan?> Duration() => new("--for")
    {
        Description = "How long: a number and s, m, h, d or w, such as 30m, 12h or 7d. Without it the ban has no end.",
        HelpName = "TIME",
        CustomParser = static result => Parse<TimeSpan?>(result, static text => ParseDuration(text)),
    };

    /// <summary>Reads a time such as 7d.</summary>
    /// <exception cref="StartException">It is not one.</exception>
    public static TimeSpan ParseDuration(string text)
    {
        int seconds = text.Length < 2 ? 0 : text[^1] switch { 's' => 1, 'm' => 60, 'h' => 3600, 'd' => 86_400, 'w' => 604_800, _ => 0 };
        return seconds > 0
            && int.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.None, CultureInfo.InvariantCulture, out int count)
            && count is > 0 and <= 36_500
                ? TimeSpan.FromSeconds((long)count * seconds)
                : throw new StartException($"--for is '{text}'; allowed is 1 to 36500 and s, m, h, d or w, such as 7d.");
    }

    private static string CheckReason(string reason) =>
        reason.Length <= MaxReasonLength && !reason.Any(char.IsControl)
            ? reason.Trim()
            : throw new StartException($"--reason has at most {MaxReasonLength} characters and no line breaks.");

    private static T? Parse<T>(ArgumentResult result, Func<string, T> parse)
    {
        try
        {
            return parse(result.Tokens[0].Value);
        }
        catch (StartException e)
        {
            result.AddError(e.Message);
            return default;
        }
    }

    private async Task<string> AddAsync(
        BanSubject subject, TimeSpan? duration, string reason, AccountSettings settings, IChatStore store)
    {
        if (subject.Kind == BanKind.Account)
        {
            // As it is written in the account: a server finds the player's session by that.
            Account account = await store.FindAccountAsync(subject.Text)
                ?? throw new StartException($"There is no account '{subject.Text}' in {store.Location}.");
            subject = BanSubject.OfAccount(account.Name);
        }

        DateTimeOffset now = _time.GetUtcNow();
        var ban = new Ban(subject, reason, now, now + duration);
        await store.SaveBanAsync(ban);
        return $"{subject} is banned {(ban.ExpiresAt is null ? "without end" : $"until {Time(ban.ExpiresAt)} UTC")}. A running server "
            + $"takes that over within {settings.BanInterval:c}.";
    }

    private static async Task<string> RemoveAsync(BanSubject subject, IChatStore store) => await store.RemoveBanAsync(subject)
        ? $"{subject} is no longer banned."
        : throw new StartException($"There is no ban of {subject} in {store.Location}.");

    private async Task<string> ListAsync(IChatStore store)
    {
        DateTimeOffset now = _time.GetUtcNow();
        Ban[] bans = [.. (await store.ListBansAsync()).Where(ban => !ban.HasExpired(now))];
        if (bans.Length > 0)
        {
            await _output.WriteLineAsync(Row("until", "since", "banned", "reason"));
        }

        foreach (Ban ban in bans)
        {
            await _output.WriteLineAsync(Row(Time(ban.ExpiresAt), Time(ban.CreatedAt), ban.Subject.Text, ban.Reason).TrimEnd());
        }

        return $"{(bans.Length == 0 ? "No bans" : "These bans are")} in {store.Location}.";
    }

    private static string Row(string until, string since, string banned, string reason) =>
        $"{until,-16}  {since,-16}  {banned,-24}  {reason}";

    private static string Time(DateTimeOffset? time) => AdminTables.Date(time, "no end");
}
