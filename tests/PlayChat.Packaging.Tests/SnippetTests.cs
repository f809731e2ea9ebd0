using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using PlayChat.Generators;

namespace PlayChat.Packaging.Tests;

/// <summary>All C# in the documents compiles, without a warning. That of the guide is run: <see cref="GettingStartedTests"/>.</summary>
public sealed class SnippetTests
{
    private const string Usings = """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Net.Http;
        global using System.Threading;
        global using System.Threading.Tasks;
        """; // what a project with ImplicitUsings has

    private static readonly CSharpParseOptions s_language = new(LanguageVersion.CSharp12);

    private static readonly ImmutableArray<MetadataReference> s_references =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Where(static path => !Path.GetFileName(path).StartsWith("PlayChat.Generators", StringComparison.Ordinal))
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    // The guide's pieces are parts of files that its own test builds.
    private static readonly ImmutableArray<Snippet> s_snippets =
        [.. Documents.All.Where(static document => document != Documents.Guide).SelectMany(Snippet.Read)];

    public static TheoryData<string> Places => [.. s_snippets.Select(static snippet => snippet.ToString())];

    [Theory]
    [MemberData(nameof(Places))]
    public void A_snippet_compiles(string place)
    {
        Snippet snippet = s_snippets.Single(snippet => snippet.ToString() == place);
        SyntaxTree code = CSharpSyntaxTree.ParseText(snippet.Code, s_language);
        bool isProgram = code.GetCompilationUnitRoot().Members.OfType<GlobalStatementSyntax>().Any();
        CSharpCompilation compilation = CSharpCompilation.Create(
            "Snippet",
            [CSharpSyntaxTree.ParseText(Usings, s_language), code],
            s_references,
            new CSharpCompilationOptions(isProgram ? OutputKind.ConsoleApplication
                : OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable)
                // as the SDK does: the runtime here is a newer one
                .WithSpecificDiagnosticOptions([new("CS1701", ReportDiagnostic.Suppress), new("CS1702", ReportDiagnostic.Suppress)]));

        CSharpGeneratorDriver.Create([new PacketHandlerGenerator().AsSourceGenerator()], parseOptions: s_language)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out ImmutableArray<Diagnostic> generator);

        Assert.DoesNotContain(generator.Concat(output.GetDiagnostics()), static diagnostic =>
            diagnostic.Severity >= DiagnosticSeverity.Warning);
    }
}
