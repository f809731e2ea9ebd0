using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace PlayChat.Generators;

/// <summary>Finds asynchronous handlers and jobs where PlayChat takes those without a result: it would neither wait for them nor hear of their exceptions.</summary>
/// <remarks>The compiler is content: a lambda whose expression is a task fits an <see cref="Action"/>, and an async one becomes async void.</remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LostTaskAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.LostTask);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterOperationAction(Analyze, OperationKind.DelegateCreation);
    }

    private static void Analyze(OperationAnalysisContext context)
    {
        var creation = (IDelegateCreationOperation)context.Operation;
        if (creation.Parent is IArgumentOperation { Parameter.ContainingSymbol: IMethodSymbol { ContainingAssembly.Name: Names.Core } method }
            && creation.Type is INamedTypeSymbol { DelegateInvokeMethod.ReturnsVoid: true }
            && IsLost(creation.Target))
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.LostTask, creation.Syntax.GetLocation(), method.Name));
        }
    }

    private static bool IsLost(IOperation target) => target switch
    {
        IMethodReferenceOperation reference => reference.Method.IsAsync,
        IAnonymousFunctionOperation function => function.Symbol.IsAsync || IsTask(function),
        _ => false,
    };

    // One that is kept, or discarded by name, is meant so.
    private static bool IsTask(IAnonymousFunctionOperation function) =>
        function.Syntax is LambdaExpressionSyntax { ExpressionBody: not null and not AssignmentExpressionSyntax }
        && function.Body.Operations.OfType<IExpressionStatementOperation>().FirstOrDefault()?.Operation.Type is INamedTypeSymbol type
        && (type.WithBases().Any(static ancestor => ancestor.Is(Names.Task)) || type.Is(Names.ValueTask) || type.Is(Names.ValueTaskOfResult));
}
