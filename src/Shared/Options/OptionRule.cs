using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;

namespace PlayChat.Options;

/// <summary>The values that an option allows, from its <see cref="OptionAttribute"/> and the type of its property.</summary>
internal sealed class OptionRule(PropertyInfo property, OptionAttribute option)
{
    public PropertyInfo Property => property;

    public OptionAttribute Option => option;

    /// <summary>The allowed values in words, such as <c>1 to 64</c>.</summary>
    public string Allowed => option.Allowed
        ?? (property.PropertyType == typeof(bool) ? "true, false"
        : property.PropertyType.IsEnum ? string.Join(", ", Enum.GetNames(property.PropertyType).Select(NameOf))
        : option.Off is not { } off ? $"{option.Min} to {option.Max}"
        : property.PropertyType == typeof(TimeSpan) ? $"{option.Min} to {option.Max}, or {Format(Timeout.InfiniteTimeSpan)} for {off}"
        : $"0 ({off}) or {option.Min} to {option.Max}");

    public static IEnumerable<OptionRule> Of([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] Type type)
    {
        foreach (PropertyInfo property in type.GetProperties())
        {
            if (property.GetCustomAttribute<OptionAttribute>() is { } option)
            {
                yield return new OptionRule(property, option);
            }
        }
    }

    /// <summary>Checks the numbers, durations and enums of an options object. Texts are checked by what uses them.</summary>
    /// <returns>One sentence for each wrong value, with its key and what is allowed.</returns>
    public static IEnumerable<string> FindProblems<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        T options, string path)
    {
        foreach (OptionRule rule in Of(typeof(T)))
        {
            object? value = rule.Property.GetValue(options);
            if (value is not null and not string && !rule.Allows(value))
            {
                string shown = value is Enum number ? number.ToString("D") : string.Create(CultureInfo.InvariantCulture, $"{value}");
                yield return $"{path}{rule.Property.Name} is {shown}; allowed is {rule.Allowed}.";
            }
        }
    }

    public bool Allows(object value) => value switch
    {
        bool => true,
        string text => !option.Required || !string.IsNullOrWhiteSpace(text),
        Enum => Enum.IsDefined(property.PropertyType, value),
        TimeSpan time => (time >= Duration(option.Min) && time <= Duration(option.Max))
            || (option.Off is not null && time == Timeout.InfiniteTimeSpan),
        _ => Convert.ToInt64(value, CultureInfo.InvariantCulture) is var number
            && ((number >= Integer(option.Min) && number <= Integer(option.Max)) || (option.Off is not null && number == 0)),
    };

    /// <summary>
    /// Whether a value is allowed as the configuration writes it. A bare number, which .NET reads as days, is no duration.
    /// </summary>
    public bool AllowsText(string text)
    {
        Type type = property.PropertyType;
        return type == typeof(string) ? Allows(text)
            : type == typeof(bool) ? bool.TryParse(text, out _)
            : type.IsEnum ? Enum.GetNames(type).Contains(text, StringComparer.OrdinalIgnoreCase)
            : type == typeof(TimeSpan) ? text.Contains(':', StringComparison.Ordinal)
                && TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan time) && Allows(time)
            : long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number) && Allows(number);
    }

    /// <summary>Writes a value as the configuration does.</summary>
    public string Format(object? value) => value switch
    {
        null => "",
        bool flag => flag ? "true" : "false",
        Enum => NameOf(value.ToString()!),
        // The fraction without trailing zeros: 00:00:00.1.
        TimeSpan time => time.ToString("c", CultureInfo.InvariantCulture) is var text && text.LastIndexOf('.') > text.LastIndexOf(':')
            ? text.TrimEnd('0')
            : text,
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };

    private static TimeSpan Duration(object? text) => TimeSpan.Parse((string)text!, CultureInfo.InvariantCulture);

    private static long Integer(object? number) => Convert.ToInt64(number, CultureInfo.InvariantCulture);

    [SuppressMessage(
        "Globalization", "CA1308:Normalize strings to uppercase", Justification = "The configuration writes these names in lower case.")]
    private string NameOf(string name) => option.LowerCase ? name.ToLowerInvariant() : name;
}
