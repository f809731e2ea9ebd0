namespace PlayChat.Generators;

/// <summary>What the generator and the analyzer of states complain of. docs/reference/diagnostics.md explains each.</summary>
internal static class StateRules
{
    public static readonly DiagnosticDescriptor BadClass = New(
        "PLAYCHAT101", "An invalid class of a state", "'{0}' is no valid state: {1}", DiagnosticSeverity.Error);

    public static readonly DiagnosticDescriptor BadField = New(
        "PLAYCHAT102", "A field that clients cannot follow", "Clients cannot follow '{0}': {1}", DiagnosticSeverity.Error);

    public static readonly DiagnosticDescriptor BadNumber = New(
        "PLAYCHAT103", "A field's number that is not free", "'{0}' cannot have the number {1}: {2}", DiagnosticSeverity.Error);

    public static readonly DiagnosticDescriptor SetDirectly = New(
        "PLAYCHAT104",
        "A field that is set directly",
        "Clients do not learn of this change of '{0}': assign to the property '{1}'",
        DiagnosticSeverity.Warning);

    private static DiagnosticDescriptor New(string id, string title, string message, DiagnosticSeverity severity) =>
        new(id, title, message, "PlayChat", severity, isEnabledByDefault: true, helpLinkUri: HelpLink.Of(id));
}
