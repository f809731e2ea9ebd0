using PlayChat.Server.Configuration;

namespace PlayChat.Server.Cli;

/// <summary>The command line of <c>accounts</c>: VERB [NAME] [--KEY=VALUE ...].</summary>
/// <param name="Verb">One of <see cref="Verbs"/>.</param>
/// <param name="Name">The account; empty for <c>list</c>.</param>
/// <param name="IsConfirmed">Whether --yes answers the question of <c>remove</c>.</param>
/// <param name="Options">The rest.</param>
internal sealed record AccountsArguments(string Verb, string Name, bool IsConfirmed, CommandLine Options)
{
    public const string Help =
        """
        PlayChat server: accounts

        Usage: PlayChat.Server accounts add|passwd|disable|enable NAME [--KEY=VALUE ...]
               PlayChat.Server accounts remove NAME [--yes] [--KEY=VALUE ...]
               PlayChat.Server accounts list [--KEY=VALUE ...]

          add NAME       makes an account with a password
          passwd NAME    sets an account's password; a player that loses its connection has to log in with the new one
          disable NAME   refuses further logins with the account; its open sessions stay connected until they end
          enable NAME    lets the account in again
          remove NAME    deletes the account and its resume tokens; asks first, unless there is --yes. Its messages stay, with
                         its name, and its open sessions until they end. Another player may register the name again.
          list           all accounts by rising id: id, state, when made, when last logged in (UTC), name

        A new password is asked for without showing it. Where the input is redirected it is its first line:
        PlayChat.Server accounts add kim < file, in UTF-8. It is never an argument: others on the machine could read it. It has at least
        Accounts:MinPasswordLength characters (8).

        The server may run meanwhile; what is changed here counts from the next login on. Keys are those of the server
        (PlayChat.Server --help), from the same sources: those of section Storage say where the accounts are,
        relative to the current directory, and Accounts:PasswordIterations how strong a new password is hashed. Where there is no
        database, only add makes one.

        Exit codes: 0 done, 1 not done (the reason is printed as one line), 2 the command line is wrong.

        """;

    private const string Yes = "--yes";

    private static readonly string[] s_verbs = ["add", "passwd", "disable", "enable", "remove", "list"];

    /// <summary>Reads what follows <c>accounts</c>.</summary>
    /// <exception cref="StartException">The arguments are invalid.</exception>
    public static AccountsArguments Parse(IReadOnlyList<string> args)
    {
        string[] words = [.. args.TakeWhile(
            static argument => !argument.StartsWith("--", StringComparison.Ordinal) && argument is not ("-h" or "-?"))];
        string verb = words.FirstOrDefault("");
        string[] rest = [.. args.Skip(words.Length)];
        bool isConfirmed = verb == "remove" && rest.Contains(Yes, StringComparer.Ordinal);
        CommandLine options = CommandLine.Parse([.. rest.Where(argument => !isConfirmed || argument != Yes)]);
        if (options.ShowHelp)
        {
            return new AccountsArguments(verb, "", isConfirmed, options);
        }

        int names = verb == "list" ? 0 : 1;
        return !s_verbs.Contains(verb, StringComparer.Ordinal)
            ? throw new StartException(
                $"'{verb}' is not an accounts command. Use one of {string.Join(", ", s_verbs)}. accounts --help says more.")
            : words.Length != names + 1
            ? throw new StartException(
                $"accounts {verb} takes {(names == 0 ? "no name" : "one name (in quotes if it has spaces)")}. accounts --help says more.")
            : new AccountsArguments(verb, names == 0 ? "" : words[1], isConfirmed, options);
    }
}
