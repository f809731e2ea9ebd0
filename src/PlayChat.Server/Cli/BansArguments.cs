using System.Globalization;
using PlayChat.Server.Accounts;
using PlayChat.Server.Configuration;
using PlayChat.Storage;

namespace PlayChat.Server.Cli;

/// <summary>The command line of <c>bans</c>: VERB [NAME | ADDRESS[/PREFIX]] [--for TIME] [--reason TEXT] [--KEY=VALUE ...].</summary>
/// <param name="Verb"><c>add</c>, <c>remove</c> or <c>list</c>.</param>
/// <param name="Subject">What is banned; <see langword="null"/> for <c>list</c> and for --help.</param>
/// <param name="For">How long; <see langword="null"/> for a ban without end.</param>
/// <param name="Reason">Told to the banned; may be empty.</param>
/// <param name="Options">The rest.</param>
internal sealed record BansArguments(string Verb, BanSubject? Subject, TimeSpan? For, string Reason, CommandLine Options)
{
    /// <summary>The longest reason, in UTF-16 units.</summary>
    public const int MaxReasonLength = 200;

    public const string Help =
        """
        PlayChat server: bans

        Usage: PlayChat.Server bans add NAME|ADDRESS[/PREFIX] [--for TIME] [--reason TEXT] [--KEY=VALUE ...]
               PlayChat.Server bans remove NAME|ADDRESS[/PREFIX] [--KEY=VALUE ...]
               PlayChat.Server bans list [--KEY=VALUE ...]

          add       refuses logins with an account, or connections from an address or a network; an earlier ban of it is replaced
          remove    lifts a ban
          list      all bans: what is banned, until when, since when (UTC), reason

          ADDRESS[/PREFIX]  203.0.113.7, 203.0.113.0/24 (/8 to /32), 2001:db8::1 (its /64 network) or 2001:db8::/48 (/16 to /128);
                            what can be read as an address is one, and no name
          --for TIME        how long: a number and s, m, h, d or w, such as 30m, 12h or 7d; without it the ban has no end
          --reason TEXT     why, at most 200 characters; the banned read it

        A running server takes a change over within Accounts:BanInterval (10 seconds), or at once at SIGHUP. It then ends the open
        sessions of the banned and tells them why. The name of an account stays banned when the account is removed. Keys are those of the
        server (PlayChat.Server --help), from the same sources: those of section Storage say where the bans are, relative to the
        current directory.

        Exit codes: 0 done, 1 not done (the reason is printed as one line), 2 the command line is wrong.

        """;

    private static readonly string[] s_verbs = ["add", "remove", "list"];

    /// <summary>Reads what follows <c>bans</c>.</summary>
    /// <exception cref="StartException">The arguments are invalid.</exception>
    public static BansArguments Parse(IReadOnlyList<string> args)
    {
        string[] words = [.. args.TakeWhile(
            static argument => !argument.StartsWith("--", StringComparison.Ordinal) && argument is not ("-h" or "-?"))];
        List<string> rest = [.. args.Skip(words.Length)];
        string? duration = Take(rest, "--for");
        string? reason = Take(rest, "--reason");
        CommandLine options = CommandLine.Parse(rest);
        string verb = words.FirstOrDefault("");
        if (options.ShowHelp)
        {
            return new BansArguments(verb, null, null, "", options);
        }

        if (!s_verbs.Contains(verb, StringComparer.Ordinal))
        {
            throw new StartException($"'{verb}' is not a bans command. Use one of {string.Join(", ", s_verbs)}. bans --help says more.");
        }

        if (verb != "add" && (duration ?? reason) is not null)
        {
            throw new StartException($"bans {verb} takes neither --for nor --reason. bans --help says more.");
        }

        if (words.Length != (verb == "list" ? 1 : 2))
        {
            throw new StartException(verb == "list"
                ? "bans list takes no name. bans --help says more."
                : $"bans {verb} takes one name (in quotes if it has spaces) or address. bans --help says more.");
        }

        return new BansArguments(
            verb, verb == "list" ? null : BanText.Parse(words[1]), ParseDuration(duration), CheckReason(reason ?? ""), options);
    }

    /// <summary>Reads a time such as 7d; <see langword="null"/> for none.</summary>
    /// <exception cref="StartException">It is not one.</exception>
    public static TimeSpan? ParseDuration(string? text)
    {
        if (text is null)
        {
            return null;
        }

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

    /// <summary>Takes an option of this command out of those of the server.</summary>
    private static string? Take(List<string> rest, string name)
    {
        int index = rest.FindIndex(
            argument => argument == name || argument.StartsWith(name + "=", StringComparison.Ordinal));
        if (index < 0)
        {
            return null;
        }

        string argument = rest[index];
        rest.RemoveAt(index);
        if (argument.Length > name.Length)
        {
            return argument[(name.Length + 1)..];
        }

        if (index == rest.Count || rest[index].StartsWith("--", StringComparison.Ordinal))
        {
            throw new StartException($"{name} needs a value. bans --help says more.");
        }

        string value = rest[index];
        rest.RemoveAt(index);
        return value;
    }
}
