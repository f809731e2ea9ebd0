namespace PlayChat.Generators;

/// <summary>Suppresses CA1822 ("mark as static") for packet handlers of rooms: PLAYCHAT002 refuses a static one.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class RoomHandlerSuppressor : DiagnosticSuppressor
{
    private static readonly SuppressionDescriptor s_static = new(
        "PLAYCHATS01", "CA1822", "A packet handler of a room runs in the turn of its room, so it is not static.");

    /// <inheritdoc/>
    public override ImmutableArray<SuppressionDescriptor> SupportedSuppressions { get; } = ImmutableArray.Create(s_static);

    /// <inheritdoc/>
    public override void ReportSuppressions(SuppressionAnalysisContext context)
    {
        foreach (Diagnostic diagnostic in context.ReportedDiagnostics)
        {
            if (diagnostic.Location.SourceTree is { } tree
                && tree.GetRoot(context.CancellationToken).FindNode(diagnostic.Location.SourceSpan) is { } node
                && context.GetSemanticModel(tree).GetDeclaredSymbol(node, context.CancellationToken) is IMethodSymbol method
                && method.Has(Names.Packet)
                && method.ContainingType.Inherits(Names.Room))
            {
                context.ReportSuppression(Suppression.Create(s_static, diagnostic));
            }
        }
    }
}
