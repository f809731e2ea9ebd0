namespace PlayChat.Server.Configuration;

/// <summary>Says that a setting is an option of another assembly, which describes it and has its default.</summary>
/// <param name="options">The options class of that assembly.</param>
/// <param name="property">The name of its property.</param>
[AttributeUsage(AttributeTargets.Property)]
internal sealed class OptionOfAttribute(Type options, string property) : Attribute
{
    public Type Options { get; } = options;

    public string Property { get; } = property;
}
