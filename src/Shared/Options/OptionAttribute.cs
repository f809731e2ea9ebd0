namespace PlayChat.Options;

/// <summary>
/// Describes an option. It is the only source of the option's range and text; the default is the initial value of the property.
/// </summary>
/// <remarks>
/// Validation, <c>--help</c>, appsettings.json
/// and docs/reference/limits.md come from it. Each assembly that has options compiles it for itself,
/// so it is in no public API.
/// </remarks>
/// <param name="text">One sentence that says what the option is, with its unit.</param>
[AttributeUsage(AttributeTargets.Property)]
internal sealed class OptionAttribute(string text) : Attribute
{
    /// <summary>One sentence that says what the option is, with its unit.</summary>
    public string Text { get; } = text;

    /// <summary>The smallest value: an integer, or a duration as text.</summary>
    public object? Min { get; set; }

    /// <summary>The largest value: an integer, or a duration as text.</summary>
    public object? Max { get; set; }

    /// <summary>What 0 (for a number) or the infinite duration means, where that is allowed beside the range.</summary>
    public string? Off { get; set; }

    /// <summary>The allowed values of a text, in words.</summary>
    public string? Allowed { get; set; }

    /// <summary>Whether a text must not be empty.</summary>
    public bool Required { get; set; }

    /// <summary>Whether the configuration writes the names of an enum in lower case.</summary>
    public bool LowerCase { get; set; }

    /// <summary>What happens when the limit is reached; <see langword="null"/> for an option that is not a limit.</summary>
    public string? WhenReached { get; set; }

    /// <summary>Where an operator sees that the limit was reached.</summary>
    public string? SeenIn { get; set; }

    /// <summary>
    /// Whether a new value takes effect in a running server: each use reads the property again. A property that is copied at start is not.
    /// </summary>
    public bool Reloadable { get; set; }

    /// <summary>
    /// For an option whose default protects the server: what an attacker could do without it, in one sentence. It makes the option a row of
    /// the table of protective defaults.
    /// </summary>
    public string? Why { get; set; }
}
