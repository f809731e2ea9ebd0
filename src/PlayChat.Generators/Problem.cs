namespace PlayChat.Generators;

/// <summary>One complaint, equal to another by what it says and where.</summary>
internal sealed record Problem(DiagnosticDescriptor Rule, Place Place, EquatableArray<string> Arguments)
{
    public Problem(DiagnosticDescriptor rule, Place place, params string[] arguments)
        : this(rule, place, new EquatableArray<string>(arguments))
    {
    }

    public Diagnostic In(Compilation compilation) => Diagnostic.Create(Rule, Place.In(compilation), [.. Arguments]);
}
