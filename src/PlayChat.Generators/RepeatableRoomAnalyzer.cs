using Microsoft.CodeAnalysis.Operations;

namespace PlayChat.Generators;

/// <summary>Finds what makes a room do something else in each run: clocks, random numbers and threads that are not the room's own. A
/// simulation cannot repeat such a room.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class RepeatableRoomAnalyzer : DiagnosticAnalyzer
{
    private const string Clock = "take the time from context.Time";
    private const string Dice = "take random numbers from context.Random";
    private const string Number = "count up, or make it of bytes of context.Random";
    private const string Timer = "use After or Every; for slow work Offload.Run, whose result you post to the room";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.NotRepeatable);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterOperationAction(Analyze, OperationKind.Invocation, OperationKind.PropertyReference, OperationKind.ObjectCreation);
    }

    private static void Analyze(OperationAnalysisContext context)
    {
        ISymbol? used = context.Operation switch
        {
            IInvocationOperation call => call.TargetMethod,
            IPropertyReferenceOperation property => property.Property,
            IObjectCreationOperation { Arguments.IsEmpty: true } made => made.Constructor,
            _ => null,
        };
        if (used is not null && AdviceFor(used) is { } advice && context.ContainingSymbol.ContainingType is { } type
            && (type.Inherits(Names.Room) || type.Inherits(Names.RoomPart)))
        {
            string name = used is IMethodSymbol { MethodKind: MethodKind.Constructor }
                ? $"new {used.ContainingType.Name}()"
                : $"{used.ContainingType.Name}.{used.Name}";
            Location location = context.Operation.Syntax.GetLocation();
            context.ReportDiagnostic(Diagnostic.Create(Rules.NotRepeatable, location, name, type.Name, advice));
        }
    }

    private static string? AdviceFor(ISymbol used) => (used.ContainingType.ToDisplayString(), used.Name) switch
    {
        ("System.DateTime" or "System.DateTimeOffset", "Now" or "UtcNow" or "Today") => Clock,
        ("System.Environment", "TickCount" or "TickCount64") => Clock,
        ("System.TimeProvider", "System") => Clock,
        ("System.Diagnostics.Stopwatch", "StartNew" or "GetTimestamp" or "GetElapsedTime" or ".ctor") => Clock,
        ("System.Random", "Shared" or ".ctor") => Dice,
        ("System.Guid", "NewGuid") => Number,
        ("System.Threading.Tasks.Task", "Run" or "Delay") => Timer,
        _ => null,
    };
}
