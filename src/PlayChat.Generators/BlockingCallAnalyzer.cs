using Microsoft.CodeAnalysis.Operations;

namespace PlayChat.Generators;

/// <summary>
/// Finds calls that block a thread in rooms and in handlers, where a room, a connection or a whole event loop waits for it.
/// </summary>
/// <remarks>
/// A lambda counts when PlayChat takes it, except for Offload, which is for code that blocks. Code that asks whether a task has completed
/// does not wait for it.
/// </remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class BlockingCallAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.BlockingCall);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterOperationAction(AnalyzeCall, OperationKind.Invocation);
        context.RegisterOperationAction(AnalyzeProperty, OperationKind.PropertyReference);
    }

    private static void AnalyzeCall(OperationAnalysisContext context)
    {
        IMethodSymbol method = ((IInvocationOperation)context.Operation).TargetMethod;
        bool blocks = method.Name switch
        {
            "Sleep" => method.ContainingType.Is(Names.Thread),
            "Wait" or "WaitAll" or "WaitAny" => method.ContainingType.Is(Names.Task),
            "GetResult" => IsAwaiter(method.ContainingType),
            _ => false,
        };
        if (blocks)
        {
            Report(context, $"{method.ContainingType.Name}.{method.Name}");
        }
    }

    private static void AnalyzeProperty(OperationAnalysisContext context)
    {
        IPropertySymbol property = ((IPropertyReferenceOperation)context.Operation).Property;
        if (property.Name == "Result"
            && (property.ContainingType.Is(Names.TaskOfResult) || property.ContainingType.Is(Names.ValueTaskOfResult)))
        {
            Report(context, $"{property.ContainingType.Name}.Result");
        }
    }

    private static void Report(OperationAnalysisContext context, string call)
    {
        if (PlaceOf(context.Operation, context.ContainingSymbol) is { } place && !LooksFirst(context.Operation))
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.BlockingCall, context.Operation.Syntax.GetLocation(), call, place));
        }
    }

    /// <summary>What waits for the code of an operation; <see langword="null"/> if nothing of PlayChat does.</summary>
    private static string? PlaceOf(IOperation operation, ISymbol containing)
    {
        for (IOperation? outer = operation.Parent; outer is not null; outer = outer.Parent)
        {
            if (outer is ILocalFunctionOperation)
            {
                return null; // its callers are not known
            }

            if (outer is IAnonymousFunctionOperation)
            {
                return outer.Parent?.Parent is IArgumentOperation { Parameter.ContainingSymbol: IMethodSymbol taker }
                    && taker.ContainingAssembly.Name == Names.Core
                    && taker.MethodKind != MethodKind.Constructor
                    && taker.ContainingType.Name != "Offload"
                        ? taker.Name
                        : null;
            }
        }

        return containing is IMethodSymbol { MethodKind: not (MethodKind.Constructor or MethodKind.StaticConstructor) } method
            && (method.ContainingType.Inherits(Names.Room)
                || method.Has(Names.Packet)
                || method.ContainingType.Inherits(Names.PacketFilter)
                || method.ContainingType.AllInterfaces.Any(static type => type.Is(Names.PacketHandler)))
            ? method.Display()
            : null;
    }

    private static bool IsAwaiter(INamedTypeSymbol type) =>
        type.Name.EndsWith("Awaiter", StringComparison.Ordinal)
        && type.ContainingNamespace?.ToDisplayString() == "System.Runtime.CompilerServices";

    /// <summary>Whether the same code asks whether a task has completed.</summary>
    private static bool LooksFirst(IOperation operation)
    {
        IOperation body = operation;
        while (body.Parent is not null && body is not (IAnonymousFunctionOperation or ILocalFunctionOperation))
        {
            body = body.Parent;
        }

        return body.Descendants().OfType<IPropertyReferenceOperation>().Any(static property =>
            property.Property.Name.StartsWith("IsCompleted", StringComparison.Ordinal));
    }
}
