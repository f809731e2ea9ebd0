using System.Collections.Immutable;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace PlayChat.Generators;

/// <summary>Finds fields with [Sync] that are set directly, so that clients would not learn of it.</summary>
/// <remarks>In a constructor that is fine: no client has the object yet.</remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SyncFieldAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(StateRules.SetDirectly);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterOperationAction(Analyze, OperationKind.FieldReference);
    }

    private static void Analyze(OperationAnalysisContext context)
    {
        var reference = (IFieldReferenceOperation)context.Operation;
        if (reference.Field.Has(SyncStateReader.Sync) && IsSet(reference)
            && context.ContainingSymbol is not IMethodSymbol { MethodKind: MethodKind.Constructor })
        {
            context.ReportDiagnostic(Diagnostic.Create(
                StateRules.SetDirectly, reference.Syntax.GetLocation(), reference.Field.Name, SyncFieldModel.PropertyOf(reference.Field)));
        }
    }

    private static bool IsSet(IOperation operation) => operation.Parent switch
    {
        IAssignmentOperation assignment => assignment.Target == operation,
        IIncrementOrDecrementOperation => true,
        IArgumentOperation { Parameter.RefKind: RefKind.Ref or RefKind.Out } => true,
        ITupleOperation tuple => IsSet(tuple),
        _ => false,
    };
}
