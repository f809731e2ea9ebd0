using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PlayChat.Generators.Tests;

public sealed class RoomHandlerSuppressorTests
{
    [Fact]
    public async Task A_packet_handler_of_a_room_is_not_asked_to_be_static_and_other_methods_are()
    {
        GeneratorRun run = GeneratorRun.Of(
            """
            public sealed class Player(Session session) : RoomMember(session);
            public abstract class Arena(RoomContext context) : Room<Player>(context)
            {
                [Packet(7)] public void OnMove(Player player, Move message) { }
                public void Help() { }
            }
            public sealed class Handlers
            {
                [Packet(8)] public void OnChat(Chat message) { }
            }
            """);

        ImmutableArray<Diagnostic> found = await run.Output
            .WithAnalyzers(
                [new StaticAnalyzer(), new RoomHandlerSuppressor()],
                new CompilationWithAnalyzersOptions(
                    new AnalyzerOptions([]),
                    onAnalyzerException: null,
                    concurrentAnalysis: true,
                    logAnalyzerExecutionTime: false,
                    reportSuppressedDiagnostics: true))
            .GetAllDiagnosticsAsync();

        Assert.Equal(
            [("Help", false), ("OnChat", false), ("OnMove", true)],
            found.Where(static diagnostic => diagnostic.Id == "CA1822")
                .Select(static diagnostic => (
                    diagnostic.Location.SourceTree!.ToString().Substring(
                        diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length),
                    diagnostic.IsSuppressed))
                .Order());
    }

    /// <summary>Stands for the analyzer of the SDK: it says CA1822 of every method of these classes.</summary>
#pragma warning disable RS1029, RS1036, RS1038, RS1041, RS2008 // not shipped
    [DiagnosticAnalyzer(LanguageNames.CSharp)]
    private sealed class StaticAnalyzer : DiagnosticAnalyzer
    {
        private static readonly DiagnosticDescriptor s_rule = new(
            "CA1822", "Mark members as static", "Mark as static", "Performance", DiagnosticSeverity.Warning, isEnabledByDefault: true);

        public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [s_rule];

        public override void Initialize(AnalysisContext context)
        {
            context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
            context.EnableConcurrentExecution();
            context.RegisterSymbolAction(
                static symbol =>
                {
                    if (symbol.Symbol is IMethodSymbol { MethodKind: MethodKind.Ordinary, ContainingType.Name: "Arena" or "Handlers" })
                    {
                        symbol.ReportDiagnostic(Diagnostic.Create(s_rule, symbol.Symbol.Locations[0]));
                    }
                },
                SymbolKind.Method);
        }
    }
#pragma warning restore RS1029, RS1036, RS1038, RS1041, RS2008
}
