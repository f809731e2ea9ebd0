using System.Globalization;

namespace PlayChat.Server.Configuration;

/// <summary>One key of the configuration: what it means, its default, and which values it takes.</summary>
internal sealed class Setting
{
    private readonly Func<string, bool> _isAllowed;

    private Setting(string key, string defaultValue, string description, string allowed, Func<string, bool> isAllowed)
    {
        Key = key;
        Default = defaultValue;
        Description = description;
        Allowed = allowed;
        _isAllowed = isAllowed;
    }

    /// <summary>Its full name, with <c>:</c> between the sections.</summary>
    public string Key { get; }

    /// <summary>As it is written in appsettings.json.</summary>
    public string Default { get; }

    /// <summary>One sentence, with its unit.</summary>
    public string Description { get; }

    /// <summary>The allowed values, in words for a person.</summary>
    public string Allowed { get; }

    public static Setting Integer(string key, long defaultValue, long min, long max, string description) => new(
        key,
        defaultValue.ToString(CultureInfo.InvariantCulture),
        description,
        string.Create(CultureInfo.InvariantCulture, $"{min} to {max}"),
        value => long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number) && number >= min && number <= max);

    /// <summary>A duration as hours:minutes:seconds. A bare number, which .NET reads as days, is refused.</summary>
    public static Setting Duration(string key, string defaultValue, string min, string max, string description, bool canBeOff = false)
    {
        TimeSpan least = TimeSpan.Parse(min, CultureInfo.InvariantCulture);
        TimeSpan most = TimeSpan.Parse(max, CultureInfo.InvariantCulture);
        bool IsAllowed(string value) =>
            value.Contains(':', StringComparison.Ordinal)
            && TimeSpan.TryParse(value, CultureInfo.InvariantCulture, out TimeSpan time)
            && ((time >= least && time <= most) || (canBeOff && time == Timeout.InfiniteTimeSpan));
        return new Setting(key, defaultValue, description, $"{min} to {max}{(canBeOff ? ", or -00:00:00.001 for none" : "")}", IsAllowed);
    }

    public static Setting Flag(string key, bool defaultValue, string description) =>
        Choice(key, defaultValue ? "true" : "false", description, "true", "false");

    /// <summary>One of some words, in whatever case.</summary>
    public static Setting Choice(string key, string defaultValue, string description, params string[] values) => new(
        key, defaultValue, description, string.Join(", ", values), value => values.Contains(value, StringComparer.OrdinalIgnoreCase));

    public static Setting Text(string key, string defaultValue, string allowed, string description, bool canBeEmpty = true) =>
        new(key, defaultValue, description, allowed, value => canBeEmpty || !string.IsNullOrWhiteSpace(value));

    /// <summary>Checks a value.</summary>
    /// <returns>What is wrong with it, naming key, value and range; <see langword="null"/> when nothing is.</returns>
    public string? FindProblem(string key, string value) => _isAllowed(value) ? null : $"{key} is '{value}'; allowed is {Allowed}.";
}
