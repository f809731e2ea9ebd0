using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>What was asked for on the command line: <c>--KEY=VALUE</c>, <c>--KEY VALUE</c>, and short forms of the usual keys.</summary>
/// <remarks>
/// The client and the benchmark use System.CommandLine. It reads a colon as the end of an option's name: <c>--Rooms:MaxRooms=50</c> is
/// the option <c>--Rooms</c> there. So no key of the configuration could be an option of it, and this class would still have to read all of
/// them. The library also adds about 15 ms of CPU time to a start (medians of 20 alternating starts and stops: 439 ms and 424 ms).
/// </remarks>
internal sealed class CommandLine
{
    private static readonly string[] s_shortForms =
        ["port", "host", "mode", "rooms", "transport", "inline", "workers", "config", "help", "version"];

    /// <summary>Settings by their full keys.</summary>
    public Dictionary<string, string?> Values { get; } = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>--host: replaces the host of the first endpoint.</summary>
    public string? Host { get; private set; }

    /// <summary>--port: replaces the port of the first endpoint.</summary>
    public string? Port { get; private set; }

    /// <summary>
    /// --config: the configuration file to read instead of the one beside the program; a full path. It must exist whenever it is read.
    /// </summary>
    public string? SettingsFile { get; set; }

    public bool ShowHelp { get; private set; }

    public bool ShowVersion { get; private set; }

    /// <exception cref="StartException">An option is unknown or lacks its value.</exception>
    public static CommandLine Parse(IReadOnlyList<string> args)
    {
        var commandLine = new CommandLine();
        for (int i = 0; i < args.Count; i++)
        {
            string argument = args[i];
            if (argument is "-h" or "-?" || argument.Equals("--help", StringComparison.OrdinalIgnoreCase))
            {
                commandLine.ShowHelp = true;
                continue;
            }

            if (argument.Equals("--version", StringComparison.OrdinalIgnoreCase))
            {
                commandLine.ShowVersion = true;
                continue;
            }

            if (argument.Equals("--inline", StringComparison.OrdinalIgnoreCase))
            {
                commandLine.Values["InlineCompletions"] = "true";
                continue;
            }

            if (!argument.StartsWith("--", StringComparison.Ordinal) || argument.Length == 2)
            {
                throw Wrong(
                    $"'{argument}' is neither a command nor an option. Commands come first: accounts, bans, admin, keys or check-config. "
                        + "Options begin with --, and --help lists them.");
            }

            int equals = argument.IndexOf('=', StringComparison.Ordinal);
            string name = equals < 0 ? argument[2..] : argument[2..equals];
            if (!IsKnown(name))
            {
                throw Unknown(name);
            }

            string value = equals >= 0 ? argument[(equals + 1)..]
                : i + 1 < args.Count && !args[i + 1].StartsWith("--", StringComparison.Ordinal) ? args[++i]
                : throw Wrong($"--{name} needs a value: --{name} VALUE.");
            commandLine.Set(name, value);
        }

        return commandLine;
    }

    /// <summary>Whether an argument is a key of the configuration, or the file with them: what is no option of a command.</summary>
    public static bool IsKey(string argument)
    {
        string name = argument.StartsWith("--", StringComparison.Ordinal) ? argument[2..].Split('=')[0] : "";
        return name.Contains(':', StringComparison.Ordinal) || SettingsCatalog.Find(name) is not null
            || name.Equals("config", StringComparison.OrdinalIgnoreCase);
    }

    private static bool IsKnown(string name) =>
        s_shortForms.Contains(name, StringComparer.OrdinalIgnoreCase)
        || SettingsCatalog.Find(name) is not null
        || SettingsCatalog.IsSerilog(name);

    private static StartException Unknown(string name)
    {
        string? similar = UnknownKey.FindSimilar(name, s_shortForms.Concat(SettingsCatalog.All.Select(static setting => setting.Key)));
        return Wrong(
            $"There is no option --{name}{(similar is null ? "" : $"; did you mean --{similar}?")}{(similar is null ? "; " : " ")}--help "
                + "lists all.");
    }

    private static StartException Wrong(string message) => new(message) { IsBadArgument = true };

    private void Set(string name, string value)
    {
        switch (name.ToUpperInvariant())
        {
            case "HOST":
                Host = value;
                break;
            case "PORT":
                Port = ushort.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out _)
                    ? value
                    : throw Wrong($"--port is '{value}'; allowed is 0 to 65535, where 0 takes a free port.");
                break;
            case "CONFIG":
                SettingsFile = File.Exists(value)
                    ? Path.GetFullPath(value)
                    : throw Wrong(Directory.Exists(value)
                        ? $"--config is '{value}', which is a folder; name a file."
                        : $"--config is '{value}', but there is no such file.");
                break;
            case "INLINE":
                Values["InlineCompletions"] = value; // --inline=false
                break;
            case "ROOMS":
                Values["Broadcast:Rooms"] = value;
                break;
            default:
                Values[name] = value;
                break;
        }
    }
}
