using System.Reflection;
using Microsoft.Extensions.Configuration;
using PlayChat.Options;
using Serilog;

namespace PlayChat.Chat.Configuration;

/// <summary>
/// Finds what Serilog would ignore without a word in its section: a sink, an enricher, a filter, an argument or a key that does not exist.
/// </summary>
internal static class LogSinkRules
{
    private static readonly string[] s_keys =
    [
        "Using", "LevelSwitches", "FilterSwitches", "MinimumLevel", "WriteTo", "AuditTo", "Enrich", "Properties", "Destructure", "Filter",
    ];

    private static readonly string[] s_lists = ["WriteTo", "AuditTo"];

    private static readonly Type[] s_extensions =
    [
        typeof(ConsoleLoggerConfigurationExtensions), typeof(FileLoggerConfigurationExtensions), typeof(LoggerConfigurationAsyncExtensions),
    ];

    // The sinks of Serilog itself that a configuration can name. Each form is a list of arguments; Required says how many of them it needs.
    private static readonly (string Name, string[] Arguments, int Required)[] s_own =
    [
        ("Logger", ["configureLogger", "restrictedToMinimumLevel", "levelSwitch"], 1),
        ("Sink", ["sink", "restrictedToMinimumLevel", "levelSwitch"], 1),
    ];

    // What the server's packages have of the other kinds: the methods of Serilog.Settings.Configuration.
    private static readonly (string Key, string What, string[] Names)[] s_others =
    [
        ("Enrich", "enricher", ["FromLogContext", "With", "AtLevel"]),
        ("Filter", "filter", ["With"]),
        ("Destructure", "destructuring rule",
            ["With", "ToMaximumDepth", "ToMaximumStringLength", "ToMaximumCollectionCount", "AsScalar"]),
    ];

    private static readonly Lazy<ILookup<string, (string[] Required, string[] All)>> s_sinks = new(ReadSinks);

    /// <summary>Checks the section, and the loggers inside it.</summary>
    /// <returns>What is wrong, one sentence each.</returns>
    public static IEnumerable<string> FindProblems(IConfigurationSection section) => section.GetChildren()
        .Where(static child => !s_keys.Contains(child.Key, StringComparer.OrdinalIgnoreCase))
        .Select(child => UnknownKey.Describe(
            child.Path, UnknownKey.FindSimilar(child.Key, s_keys) is { } similar ? $"{section.Path}:{similar}" : null, "Serilog"))
        .Concat(s_others.SelectMany(other => section.GetSection(other.Key).GetChildren()
            .SelectMany(item => FindUnknownName(item, other.What, other.Names))))
        .Concat(FindSinkProblems(section));

    private static IEnumerable<string> FindSinkProblems(IConfigurationSection logger) =>
        s_lists.SelectMany(list => logger.GetSection(list).GetChildren()).SelectMany(FindProblemsOfSink);

    private static IEnumerable<string> FindProblemsOfSink(IConfigurationSection sink)
    {
        string[] unknownName = FindUnknownName(
            sink, "sink", [.. s_sinks.Value.Select(static known => known.Key).Order(StringComparer.Ordinal)]);
        if (unknownName.Length > 0)
        {
            return unknownName;
        }

        string name = NameOf(sink)!;
        IConfigurationSection arguments = sink.GetSection("Args");
        string[] given = [.. arguments.GetChildren().Select(static argument => argument.Key)];
        string[] known = [.. s_sinks.Value[name].SelectMany(static form => form.All).Distinct(StringComparer.Ordinal)];
        if (given.FirstOrDefault(key => !known.Contains(key, StringComparer.OrdinalIgnoreCase)) is { } unknown)
        {
            return [UnknownKey.Describe(
                $"{arguments.Path}:{unknown} of the sink {name}", UnknownKey.FindSimilar(unknown, known), $"the documentation of {name}")];
        }

        string[] missing = s_sinks.Value[name]
            .Select(form => form.Required.Except(given, StringComparer.OrdinalIgnoreCase).ToArray())
            .MinBy(static form => form.Length)!;
        return missing.Length > 0
            ? [$"{arguments.Path}:{missing[0]} is missing; the sink {name} needs it."]
            : arguments.GetSection("configure").GetChildren().SelectMany(FindProblemsOfSink)
                .Concat(FindSinkProblems(arguments.GetSection("configureLogger")));
    }

    private static string? NameOf(IConfigurationSection item) => item.Value ?? item["Name"];

    private static string[] FindUnknownName(IConfigurationSection item, string what, string[] known)
    {
        string list = string.Join(", ", known);
        if (NameOf(item) is not { } name)
        {
            return [$"{item.Path} has no Name; allowed is {list}."];
        }

        if (known.Contains(name, StringComparer.Ordinal))
        {
            return [];
        }

        string key = item.Value is null ? item.Path + ":Name" : item.Path;
        string? similar = UnknownKey.FindSimilar(name, known);
        return [$"{key} is '{name}', which is no {what} of this server; "
            + (similar is null ? $"allowed is {list}." : $"did you mean {similar}?")];
    }

    private static ILookup<string, (string[] Required, string[] All)> ReadSinks() => s_extensions
        .SelectMany(static type => type.GetMethods(BindingFlags.Public | BindingFlags.Static))
        .Select(static method => (method.Name, Arguments: method.GetParameters()[1..])) // the first is the logger's configuration
        .Select(static method => (
            method.Name,
            Required: Names(method.Arguments.Where(static argument => !argument.HasDefaultValue)),
            All: Names(method.Arguments)))
        .Concat(s_own.Select(static own => (own.Name, Required: own.Arguments[..own.Required], All: own.Arguments)))
        .ToLookup(static sink => sink.Name, static sink => (sink.Required, sink.All), StringComparer.Ordinal);

    private static string[] Names(IEnumerable<ParameterInfo> arguments) => [.. arguments.Select(static argument => argument.Name!)];
}
