using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using PlayChat.Generators;

namespace PlayChat.State.Tests;

/// <summary>What the generator and the analyzer say.</summary>
public sealed class GeneratorTests
{
    private static readonly MetadataReference[] s_references =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => !Path.GetFileName(path).StartsWith("PlayChat.State.Generators", StringComparison.Ordinal))
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    [Fact]
    public async Task A_sound_state_compiles_without_a_word() => Assert.Empty(await FindProblemsAsync("""
        public enum Kind : ulong { A, B = ulong.MaxValue }
        [SyncState(Removed = [3])] internal sealed partial class Game
        {
            [Sync(1)] private char _letter = 'a';
            [Sync(2)] private Kind _kind;
            [Sync(4, Min = 0, Max = 1000, Bits = 12)] private double _range;
            [Sync(5)] private Game? @event;
            [Sync(6)] private readonly SyncMap<Kind, Game> _games = new();
            [Sync(7)] private readonly SyncList<bool> _flags = new();
            [Sync(8, Viewed = true)] private readonly SyncMap<ulong, Game> _seen = new();
            public Game() => _letter = 'b';
            public void Change() { Letter = 'c'; Event = new Game(); Range++; Games.Add(Kind.B, new Game()); }
        }
        """));

    [Theory]
    [InlineData("[SyncState] public sealed class C { [Sync(1)] private int _x; }", "PLAYCHAT101")]
    [InlineData("[SyncState] public sealed partial class C<T> { [Sync(1)] private int _x; }", "PLAYCHAT101")]
    [InlineData("[SyncState] public sealed partial class C : System.Exception { [Sync(1)] private int _x; }", "PLAYCHAT101")]
    [InlineData("[SyncState] public sealed partial class C(int x) { [Sync(1)] private int _x = x; }", "PLAYCHAT101")]
    [InlineData("public sealed class Outer { [SyncState] public sealed partial class C { [Sync(1)] private int _x; } }", "PLAYCHAT101")]
    [InlineData("[Sync(1)] private System.DateTime _x;", "PLAYCHAT102")]
    [InlineData("[Sync(1)] private System.Collections.Generic.List<int> _x = new();", "PLAYCHAT102")]
    [InlineData("[Sync(1)] private readonly SyncList<D> _x = new();", "PLAYCHAT102")]
    [InlineData("[Sync(1)] private SyncList<int> _x = new();", "PLAYCHAT102")]
    [InlineData("[Sync(1)] private readonly SyncMap<double, int> _x = new();", "PLAYCHAT102")]
    [InlineData("[Sync(1, Viewed = true)] private readonly SyncMap<int, int> _x = new();", "PLAYCHAT102")]
    [InlineData("[Sync(1)] public int X;", "PLAYCHAT102")]
    [InlineData("[Sync(1)] private static int _x;", "PLAYCHAT102")]
    [InlineData("[Sync(1, Decimals = 10)] private float _x;", "PLAYCHAT102")]
    [InlineData("[Sync(1, Decimals = 1)] private int _x;", "PLAYCHAT102")]
    [InlineData("[Sync(1, Min = 5, Max = 1, Bits = 8)] private float _x;", "PLAYCHAT102")]
    [InlineData("[Sync(0)] private int _x;", "PLAYCHAT103")]
    [InlineData("[Sync(1)] private int _x; [Sync(1)] private int _y;", "PLAYCHAT103")]
    [InlineData("[SyncState(Removed = new[] { 4 })] public sealed partial class C { [Sync(4)] private int _x; }", "PLAYCHAT103")]
    [InlineData("[Sync(1)] private int _x; public void Go() => _x = 1;", "PLAYCHAT104")]
    [InlineData("[Sync(1)] private int _x; public void Go() => _x++;", "PLAYCHAT104")]
    [InlineData("[Sync(1)] private int _x; public void Go() => int.TryParse(\"1\", out _x);", "PLAYCHAT104")]
    [InlineData("[Sync(1)] private int _x; public void Go() => (_x, _) = (1, 2);", "PLAYCHAT104")]
    public async Task What_clients_could_not_follow_is_named(string code, string id) => Assert.Equal(
        [id],
        await FindProblemsAsync(code.Contains("class", StringComparison.Ordinal)
            ? code
            : $"public sealed class D; [SyncState] public sealed partial class C {{ {code} }}"));

    private static async Task<string[]> FindProblemsAsync(string code)
    {
        var language = new CSharpParseOptions(LanguageVersion.CSharp12);
        CSharpCompilation compilation = CSharpCompilation.Create(
            "Game",
            [CSharpSyntaxTree.ParseText("using PlayChat.State;\nnamespace Game;\n" + code, language, "Game.cs")],
            s_references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        CSharpGeneratorDriver.Create([new SyncStateGenerator().AsSourceGenerator()], parseOptions: language)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out ImmutableArray<Diagnostic> generator);
        ImmutableArray<Diagnostic> analyzer = await output.WithAnalyzers([new SyncFieldAnalyzer()]).GetAnalyzerDiagnosticsAsync();
        Diagnostic[] problems = [.. generator, .. analyzer];

        // Where the generator refuses a class, the compiler misses what it would have written.
        IEnumerable<Diagnostic> compiler = problems.Length > 0
            ? []
            : output.GetDiagnostics().Where(static diagnostic => diagnostic.Severity >= DiagnosticSeverity.Warning
                && diagnostic.Id is not ("CS1701" or "CS1702"));
        return [.. problems.Concat(compiler).Select(static problem => problem.Id)];
    }
}
