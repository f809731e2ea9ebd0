using System.Collections.Immutable;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;
using PlayChat.Generators;

namespace PlayChat.Packaging.Tests;

/// <summary>Compiles the C# of documents as a project does: with its usings and warnings, and the generators of its packages.</summary>
internal static class SnippetCompiler
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

    /// <summary>Compiles a snippet and asserts that the compiler reports nothing, and that the block shows the usings it needs.</summary>
    public static Compilation Compile(Snippet snippet)
    {
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

        ISourceGenerator[] generators =
            [new PacketHandlerGenerator().AsSourceGenerator(), new SyncStateGenerator().AsSourceGenerator(), CreateJsonGenerator()];
        CSharpGeneratorDriver.Create(generators, parseOptions: s_language)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out ImmutableArray<Diagnostic> generator);

        Assert.DoesNotContain(generator.Concat(output.GetDiagnostics()), static diagnostic =>
            diagnostic.Severity >= DiagnosticSeverity.Warning);
        Assert.Empty(FindNamespaces(snippet, output, output.GetSemanticModel(code)).Except(snippet.Usings, StringComparer.Ordinal));
        return output;
    }

    /// <summary>Compiles a snippet and loads the result into this process.</summary>
    public static Assembly Load(Snippet snippet)
    {
        using var image = new MemoryStream();
        Assert.True(Compile(snippet).Emit(image).Success, snippet.ToString());
        return Assembly.Load(image.ToArray());
    }

    /// <summary>The namespaces whose types and extension methods the block names, without those that a project has anyway.</summary>
    private static IEnumerable<string> FindNamespaces(Snippet snippet, Compilation compilation, SemanticModel model)
    {
        var block = new TextSpan(snippet.Code.LastIndexOf(snippet.Block, StringComparison.Ordinal), snippet.Block.Length);
        return model.SyntaxTree.GetRoot().DescendantNodes(block)
            .OfType<SimpleNameSyntax>()
            .Where(name => block.Contains(name.Span) && !IsQualified(name))
            .Select(name => model.GetSymbolInfo(name).Symbol switch
            {
                INamedTypeSymbol type => type,
                IMethodSymbol { MethodKind: MethodKind.ReducedExtension or MethodKind.Constructor } method => method.ContainingType,
                _ => null,
            })
            .Where(type => type is { IsTupleType: false, SpecialType: SpecialType.None }
                && !SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly))
            .Select(static type => type!.ContainingNamespace.ToDisplayString())
            .Where(static name => !Usings.Contains($" {name};", StringComparison.Ordinal))
            .Distinct(StringComparer.Ordinal);

        // System.Text.Encoding needs no using.
        bool IsQualified(SimpleNameSyntax name) => name.Parent switch
        {
            QualifiedNameSyntax qualified => qualified.Right == name,
            MemberAccessExpressionSyntax access => access.Name == name && model.GetSymbolInfo(access.Expression).Symbol is INamespaceSymbol,
            _ => false,
        };
    }

    /// <summary>The generator of System.Text.Json that the build of this project used.</summary>
    private static ISourceGenerator CreateJsonGenerator()
    {
        string path = typeof(SnippetCompiler).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .First(static metadata => metadata.Key == "JsonGenerator").Value!;
        Type type = Assembly.LoadFrom(path).GetType("System.Text.Json.SourceGeneration.JsonSourceGenerator", throwOnError: true)!;
        return ((IIncrementalGenerator)Activator.CreateInstance(type)!).AsSourceGenerator();
    }
}
