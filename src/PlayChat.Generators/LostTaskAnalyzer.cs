using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace PlayChat.Generators;

/// <summary>Finds asynchronous handlers and jobs where PlayChat takes those without a task: it would neither wait for them nor hear of
/// their exceptions.</summary>
/// <remarks>
/// The compiler is content: a lambda whose expression is a task fits an <see cref="Action"/>, an async one becomes async void, and where
/// any result will do a task is one.
/// </remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LostTaskAnalyzer : DiagnosticAnalyzer
{
    private const string RoomAdvice = "start what takes long from the room's turn without awaiting it, and post its result to the room";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.LostTask);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterOperationAction(Analyze, OperationKind.DelegateCreation);
        context.RegisterSymbolAction(AnalyzeHook, SymbolKind.Method);
    }

    private static void Analyze(OperationAnalysisContext context)
    {
        var creation = (IDelegateCreationOperation)context.Operation;
        if (creation.Parent is IArgumentOperation { Parameter: { ContainingSymbol: IMethodSymbol method } parameter }
            && method.ContainingAssembly.Name == Names.Core
            && creation.Type is INamedTypeSymbol { DelegateInvokeMethod: { } invoke }
            && (invoke.ReturnsVoid ? IsLost(creation.Target) : invoke.ReturnType.IsTask() && TakesAnyResult(parameter)))
        {
            string name = method.MethodKind == MethodKind.Constructor ? method.ContainingType.Name : method.Name;
            context.ReportDiagnostic(Diagnostic.Create(Rules.LostTask, creation.Syntax.GetLocation(), name, AdviceFor(method)));
        }
    }

    /// <summary>A hook of a room that is async void: behind its first await it is outside the room's turn.</summary>
    private static void AnalyzeHook(SymbolAnalysisContext context)
    {
        var method = (IMethodSymbol)context.Symbol;
        if (method is { IsAsync: true, ReturnsVoid: true, IsOverride: true }
            && method.ContainingType.Inherits(Names.Room)
            && RootOf(method).ContainingAssembly.Name == Names.Core)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.LostTask, method.Locations[0], method.Name, RoomAdvice));
        }
    }

    private static IMethodSymbol RootOf(IMethodSymbol method)
    {
        while (method.OverriddenMethod is { } overridden)
        {
            method = overridden;
        }

        return method;
    }

    /// <summary>What to do instead: it must be possible at this method.</summary>
    private static string AdviceFor(IMethodSymbol method)
    {
        // Those of rooms are extension methods of RoomExtensions, and timers are methods of the room.
        bool isOfRoom = method.Name is "MapRoomPacket" or "MapRoomRequest"
            || method.ContainingType.Name == "RoomExtensions" || method.ContainingType.Is(Names.Room);
        return isOfRoom
                ? RoomAdvice
            : method.Name is "MapPacket" or "MapScopedPacket"
                ? "give a handler that returns a ValueTask: async (context, message) => await …"
            : "put the asynchronous part into a method of its own that catches its exceptions, and discard its task: _ = GreetAsync(…)";
    }

    private static bool IsLost(IOperation target) => target switch
    {
        IMethodReferenceOperation reference => reference.Method.IsAsync,
        IAnonymousFunctionOperation function => function.Symbol.IsAsync || GivesTask(function),
        _ => false,
    };

    // What is asked of a room: its turn ends at the first await.
    private static bool TakesAnyResult(IParameterSymbol parameter) =>
        parameter.OriginalDefinition.Type is INamedTypeSymbol { DelegateInvokeMethod.ReturnType: ITypeParameterSymbol };

    // One that is kept, or discarded by name, is meant so.
    private static bool GivesTask(IAnonymousFunctionOperation function) =>
        function.Syntax is LambdaExpressionSyntax { ExpressionBody: not null and not AssignmentExpressionSyntax }
        && function.Body.Operations.OfType<IExpressionStatementOperation>().FirstOrDefault()?.Operation.Type is { } type
        && type.IsTask();
}
