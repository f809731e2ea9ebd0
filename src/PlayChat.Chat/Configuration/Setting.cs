using System.Collections;
using System.ComponentModel;
using System.Reflection;
using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>One key of the configuration: what it means, its default, and which values it takes.</summary>
/// <param name="key">Its full name, with <c>:</c> between the sections.</param>
/// <param name="rule">What it means and which values it takes.</param>
/// <param name="defaultValue">Its default.</param>
internal sealed class Setting(string key, OptionRule rule, object? defaultValue)
{
    public string Key => key;

    /// <summary>The default as appsettings.json writes it.</summary>
    public string Default { get; } = rule.Format(defaultValue);

    /// <summary>Whether appsettings.json writes the default without quotes.</summary>
    public bool IsLiteral => defaultValue is bool or int or long;

    /// <summary>One sentence, with its unit.</summary>
    public string Description => rule.Option.Text;

    /// <summary>The allowed values in words.</summary>
    public string Allowed => rule.Allowed;

    /// <summary>What happens when the limit is reached; <see langword="null"/> for a setting that is not a limit.</summary>
    public string? WhenReached => rule.Option.WhenReached;

    /// <summary>Where an operator sees that the limit was reached.</summary>
    public string? SeenIn => rule.Option.SeenIn;

    /// <summary>Whether a new value takes effect in a running server.</summary>
    public bool IsReloadable => rule.Option.Reloadable;

    /// <summary>What an attacker could do without the default; <see langword="null"/> for a setting that does not protect.</summary>
    public string? Why => rule.Option.Why;

    /// <summary>Reads the settings of an options object and of those in it. Number 0 of a list stands for all of them.</summary>
    /// <param name="options">Has the defaults.</param>
    /// <param name="prefix">The section with a colon at its end; empty for the root.</param>
    public static IEnumerable<Setting> Of(object options, string prefix = "")
    {
        Type type = options.GetType();
        // The tokens of a module are in the order of its source. What a base class of another module declares comes last.
        foreach (PropertyInfo property in type.GetProperties().OrderBy(property => property.Module != type.Module)
            .ThenBy(static property => property.MetadataToken))
        {
            string key = prefix + property.Name;
            object? value = property.GetValue(options);
            if (Find(property) is { } option)
            {
                yield return new Setting(key, new OptionRule(property, option), value);
            }
            else if (value is not (null or string or ValueType))
            {
                (object section, string path) = value is IList list
                    ? (list.Count > 0 ? list[0]! : Activator.CreateInstance(property.PropertyType.GenericTypeArguments[0])!, key + ":0:")
                    : (value, key + ":");
                foreach (Setting setting in Of(section, path))
                {
                    yield return setting;
                }
            }
        }
    }

    /// <returns>What is wrong with it, naming key, value and range; <see langword="null"/> when nothing is.</returns>
    public string? FindProblem(string name, string value) => rule.AllowsText(value) ? null : $"{name} is '{value}'; allowed is {Allowed}.";

    /// <summary>Whether two texts, both allowed, mean the same value: <c>true</c> and <c>True</c> do.</summary>
    public bool IsSame(string first, string second) => Equals(Read(first), Read(second));

    /// <summary>Writes a value into the live options object.</summary>
    /// <param name="options">The object that has the setting's property.</param>
    /// <param name="value">Allowed, see <see cref="FindProblem"/>.</param>
    public void Write(object options, string value) => rule.Property.SetValue(options, Read(value));

    private object? Read(string text) => TypeDescriptor.GetConverter(rule.Property.PropertyType).ConvertFromInvariantString(text);

    // By name: each assembly compiles the attribute for itself.
    private static OptionAttribute? Find(PropertyInfo property)
    {
        CustomAttributeData? data = property.CustomAttributes
            .FirstOrDefault(static attribute => attribute.AttributeType.FullName == typeof(OptionAttribute).FullName);
        if (data is null)
        {
            return null;
        }

        var option = new OptionAttribute((string)data.ConstructorArguments[0].Value!);
        foreach (CustomAttributeNamedArgument argument in data.NamedArguments)
        {
            typeof(OptionAttribute).GetProperty(argument.MemberName)!.SetValue(option, argument.TypedValue.Value);
        }

        return option;
    }
}
