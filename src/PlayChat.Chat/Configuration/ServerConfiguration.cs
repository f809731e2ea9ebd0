using System.Collections;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Configuration;
using PlayChat.Options;
using PlayChat.Transport.Linux;

namespace PlayChat.Chat.Configuration;

/// <summary>
/// Puts the configuration together: defaults, then appsettings.json or the file that --config names, then the environment, then the command
/// line.
/// </summary>
internal static partial class ServerConfiguration
{
    private const string EnvironmentPrefix = "PLAYCHAT_";

    // Of a shorter word such as HOME or NODE two other letters make MODE: it is likelier to be a variable of a script.
    private const int ShortestSimilarName = 8;

    /// <summary>The configuration file beside the program.</summary>
    public static string SettingsFile { get; } = Path.Combine(AppContext.BaseDirectory, "appsettings.json");

    /// <summary>Adds the file, the environment and the command line of this process, and checks what came together.</summary>
    public static ServerSettings Load(IConfigurationManager configuration, CommandLine commandLine) =>
        Load(configuration, commandLine, SettingsFile, Environment.GetEnvironmentVariables());

    /// <summary>Adds every source and checks what came together.</summary>
    /// <param name="configuration">Where to.</param>
    /// <param name="commandLine">What was asked for.</param>
    /// <param name="settingsFile">
    /// appsettings.json; may be missing, unless an earlier call with this command line has read it. Not read if the command line names
    /// another file.
    /// </param>
    /// <param name="environment">The environment variables.</param>
    /// <returns>The program's own settings.</returns>
    /// <exception cref="StartException">
    /// The file was not read, a key is unknown or a value is not allowed; all that is wrong is named, one line each.
    /// </exception>
    public static ServerSettings Load(
        IConfigurationManager configuration, CommandLine commandLine, string settingsFile, IDictionary environment)
    {
        Dictionary<string, string?> file = ReadFile(commandLine, ref settingsFile);
        return Combine(configuration, file, FromEnvironment(environment), commandLine, settingsFile);
    }

    /// <summary>Takes the settings of a section of another program's configuration, and checks them as those of a chat.</summary>
    /// <exception cref="StartException">A key is unknown or a value is not allowed; all that is wrong is named, one line each.</exception>
    public static ServerSettings Load(IConfigurationManager configuration, IConfiguration section)
    {
        var values = new Dictionary<string, string?>(
            section.AsEnumerable(makePathsRelative: true).Where(static entry => entry.Value is not null), StringComparer.OrdinalIgnoreCase);
        string name = section is IConfigurationSection { Path: var path } ? $"the section {path}" : "the configuration";
        return Combine(configuration, values, [], new CommandLine(), name, ServerMode.Chat);
    }

    /// <summary>Applies --host and --port to an address.</summary>
    /// <returns><see langword="null"/> when neither was given.</returns>
    internal static string? Readdress(string address, string? host, string? port)
    {
        if (host is null && port is null)
        {
            return null;
        }

        int colon = address.LastIndexOf(':');
        string oldHost = colon < 0 ? address : address[..colon];
        string oldPort = colon < 0 ? "7777" : address[(colon + 1)..];
        string newHost = host is not null && host.Contains(
            ':', StringComparison.Ordinal) && !host.StartsWith('[') ? $"[{host}]" : host ?? oldHost;
        return $"{newHost}:{port ?? oldPort}";
    }

    private static ServerSettings Combine(
        IConfigurationManager configuration, Dictionary<string, string?> file, Dictionary<string, string?> variables,
        CommandLine commandLine, string settingsFile, ServerMode? mode = null)
    {
        LogSinks.AddDefaults(file);
        LogSinks.RemoveReplaced(file, variables);
        LogSinks.RemoveReplaced(file, commandLine.Values);
        LogSinks.RemoveReplaced(variables, commandLine.Values);
        configuration.AddInMemoryCollection(
            SettingsCatalog.All.Select(static setting => KeyValuePair.Create(setting.Key, (string?)setting.Default)));
        // A level that is not there at start could not be reloaded.
        configuration[LogLevels.DefaultKey] = LogLevels.Default;
        configuration[LogLevels.FrameworkKey] = LogLevels.Framework;
        configuration.AddInMemoryCollection(file);
        configuration.AddInMemoryCollection(variables);
        configuration.AddInMemoryCollection(commandLine.Values);
        if (Readdress(configuration[SettingsCatalog.AddressKey]!, commandLine.Host, commandLine.Port) is { } address)
        {
            configuration[SettingsCatalog.AddressKey] = address;
        }

        Check(configuration, settingsFile, commandLine);
        LogLevels.UseLongForm(configuration);
        ServerSettings settings = configuration.Get<ServerSettings>()!;
        settings.Mode = mode ?? settings.Mode; // before the checks: some are of one mode alone
        if (settings.Mode == ServerMode.Chat && !AccountName.CanFold)
        {
            throw new StartException(
                "This process runs without ICU (invariant globalization), so it cannot compare the names of players. Install ICU (libicu), "
                    + "and remove DOTNET_SYSTEM_GLOBALIZATION_INVARIANT from its environment.");
        }

        CheckTransport(settings);
        CheckRooms(settings, commandLine);
        if (settings.Log.Format == LogFormat.Json)
        {
            JsonLines.Apply(configuration);
        }

        return settings;
    }

    private static Dictionary<string, string?> ReadFile(CommandLine commandLine, ref string settingsFile)
    {
        if (commandLine.SettingsFile is { } named)
        {
            settingsFile = named;
            return ConfigurationFile.Read(named);
        }

        if (ConfigurationFile.TryRead(settingsFile) is not { } values)
        {
            return new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        }

        commandLine.SettingsFile = settingsFile; // at a reload it must still be there: a file that is gone does not mean the defaults
        return values;
    }

    /// <summary>Reads the variables that are keys of the server. Other variables belong to other programs.</summary>
    private static Dictionary<string, string?> FromEnvironment(IDictionary environment)
    {
        var plain = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        var prefixed = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        foreach (DictionaryEntry variable in environment)
        {
            string name = (string)variable.Key;
            // PLAYCHAT__ is no prefix: it is the section PlayChat.
            bool isOurs = name.StartsWith(EnvironmentPrefix, StringComparison.OrdinalIgnoreCase)
                && !name.StartsWith(EnvironmentPrefix + "_", StringComparison.OrdinalIgnoreCase);
            string key = (isOurs ? name[EnvironmentPrefix.Length..] : name).Replace("__", ":", StringComparison.Ordinal);
            // Without the prefix a single word such as MODE is too common to be meant for us.
            bool isMeant = isOurs || key.Contains(':', StringComparison.Ordinal);
            if (isMeant && (SettingsCatalog.Find(key) is not null || SettingsCatalog.IsSerilog(key)))
            {
                (isOurs ? prefixed : plain)[key] = (string?)variable.Value;
            }
            else if (isOurs
                && (key.Contains(':', StringComparison.Ordinal) || key.Length >= ShortestSimilarName)
                && !IsServiceLink(name, (string?)variable.Value)
                && UnknownKey.FindSimilar(key, SettingsCatalog.All.Select(static setting => setting.Key)) is { } similar)
            {
                throw new StartException(
                    $"The environment sets {name}, but there is no key {key}; did you mean "
                        + $"{EnvironmentPrefix}{similar.Replace(":", "__", StringComparison.Ordinal)}?");
            }
        }

        LogSinks.RemoveReplaced(plain, prefixed);
        foreach ((string key, string? value) in prefixed)
        {
            plain[key] = value;
        }

        return plain;
    }

    // Kubernetes and container links describe each service in variables: a service playchat-web sets PLAYCHAT_WEB_PORT=tcp://10.0.0.1:80.
    private static bool IsServiceLink(string name, string? value) =>
        ServiceName().IsMatch(name) || (name.EndsWith("_PORT", StringComparison.Ordinal) && ServiceAddress().IsMatch(value ?? ""));

    private static void CheckTransport(ServerSettings settings)
    {
        if (settings.Transport != ServerTransport.Linux)
        {
            return;
        }

        if (settings.InlineCompletions)
        {
            throw new StartException(
                "--inline is for --transport sockets: with --transport linux everything is handled on the event loops anyway.");
        }

        if (!LinuxTransport.IsSupported)
        {
            throw new StartException("--transport linux needs 64-bit Linux; leave it out on this system.");
        }
    }

    private static void CheckRooms(ServerSettings settings, CommandLine commandLine)
    {
        const string Key = "PlayChat:Rooms:MaxMembers";
        if (settings.Mode == ServerMode.Chat && settings.PlayChat.Rooms.MaxMembers > ChatLimits.MaxRoomMembers)
        {
            throw new StartException(
                $"{Key} is '{settings.PlayChat.Rooms.MaxMembers}'; in chat mode allowed is 1 to {ChatLimits.MaxRoomMembers}, because a "
                    + "larger list of members does not fit into a frame.")
            {
                IsBadArgument = commandLine.Values.ContainsKey(Key),
            };
        }
    }

    private static void Check(IConfiguration configuration, string settingsFile, CommandLine commandLine)
    {
        List<string> problems = [];
        bool isBadArgument = false;
        foreach ((string key, string? value) in configuration.AsEnumerable())
        {
            bool isSection = value is null && configuration.GetSection(key).GetChildren().Any();
            if (isSection
                || SettingsCatalog.IsSerilog(key)
                || key.Equals(SettingsCatalog.SerilogSection, StringComparison.OrdinalIgnoreCase))
            {
                continue;
            }

            if (SettingsCatalog.Find(key) is not { } setting)
            {
                string? similar = UnknownKey.FindSimilar(key, SettingsCatalog.All.Select(static known => known.Key));
                problems.Add(UnknownKey.Describe($"{key}, which {settingsFile} sets", similar, "--help"));
            }
            else if (setting.FindProblem(key, value ?? "") is { } problem)
            {
                problems.Add(problem);
                isBadArgument |= commandLine.Values.ContainsKey(key);
            }
        }

        problems.AddRange(LogSinkRules.FindProblems(configuration.GetSection(SettingsCatalog.SerilogSection)));
        if (problems.Count > 0)
        {
            problems.Sort(StringComparer.Ordinal);
            throw new StartException(string.Join(Environment.NewLine, problems)) { IsBadArgument = isBadArgument };
        }
    }

    [GeneratedRegex(
        "_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000)]
    private static partial Regex ServiceName();

    [GeneratedRegex("^(tcp|udp|sctp)://", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex ServiceAddress();
}
