using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace PlayChat.Generators.Tests;

/// <summary>A small game, compiled with the generator.</summary>
internal sealed class GeneratorRun
{
    private const string Usings = """
        using System;
        using System.Buffers;
        using System.Collections.Generic;
        using System.Threading;
        using System.Threading.Tasks;
        using PlayChat.Core.Dispatch;
        using PlayChat.Core.Rooms;
        using PlayChat.Core.Sessions;

        """;

    private const string Messages = """
        public enum PacketId : ushort { Move = 7, Chat = 8 }
        public sealed class Move;
        public sealed class Chat;
        public sealed class Audit : PacketFilter;
        """;

    private const string Call = """
        internal static class Program
        {
            private static void Main() { }
            internal static void Map(PacketRouter router) => router.MapPacketHandlers();
        }
        """;

    private const string NoCall = "internal static class Program { private static void Main() { } }";

    private static readonly ImmutableArray<MetadataReference> s_references =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Where(static path => !Path.GetFileName(path).StartsWith("PlayChat.Generators", StringComparison.Ordinal))
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    private GeneratorRun(CSharpCompilation compilation, GeneratorDriver driver)
    {
        Compilation = compilation;
        Driver = driver.RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out ImmutableArray<Diagnostic> diagnostics);
        Diagnostics = diagnostics;
        Warnings = [.. output.GetDiagnostics().Where(static diagnostic => diagnostic.Severity >= DiagnosticSeverity.Warning)];
        Output = output;
    }

    internal CSharpCompilation Compilation { get; }

    internal GeneratorDriver Driver { get; }

    internal Compilation Output { get; }

    /// <summary>What the generator says.</summary>
    internal ImmutableArray<Diagnostic> Diagnostics { get; }

    /// <summary>What the compiler says of all the code, the generated included.</summary>
    internal ImmutableArray<Diagnostic> Warnings { get; }

    /// <summary>The code that was written; empty for none.</summary>
    internal string Code => Driver.GetRunResult().Results[0].GeneratedSources is [var source] ? source.SourceText.ToString() : "";

    /// <summary>The statements that map, without indentation.</summary>
    internal string[] Statements =>
    [
        .. Code.Split('\n')
            .SkipWhile(static line => !line.Contains("this PacketRouter", StringComparison.Ordinal))
            .Skip(2)
            .TakeWhile(static line => !line.Contains("return router;", StringComparison.Ordinal))
            .Select(static line => line.Trim())
            .Where(static line => line.Length > 0),
    ];

    /// <summary>A program that calls the mapping, if there is one.</summary>
    internal static GeneratorRun Of(string code)
    {
        bool hasHandler = code.Contains("[Packet(", StringComparison.Ordinal) || code.Contains("[Packet]", StringComparison.Ordinal);
        return Of(hasHandler ? [code, Call] : [code, NoCall]);
    }

    internal static GeneratorRun Of(
        string[] files, OutputKind kind = OutputKind.ConsoleApplication, string name = "My.Game", params MetadataReference[] references)
    {
        CSharpCompilation compilation = CSharpCompilation.Create(
            name,
            [.. files.Prepend(Messages).Select(static (file, i) => Parse(file, $"File{i}.cs"))],
            s_references.AddRange(references),
            new CSharpCompilationOptions(kind, nullableContextOptions: NullableContextOptions.Enable, warningLevel: 9999));
        GeneratorDriver driver = CSharpGeneratorDriver.Create(
            [new PacketHandlerGenerator().AsSourceGenerator()],
            parseOptions: (CSharpParseOptions)compilation.SyntaxTrees[0].Options,
            driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));
        return new GeneratorRun(compilation, driver);
    }

    /// <summary>Runs the same driver again, after one file was replaced.</summary>
    internal GeneratorRun After(int file, string code)
    {
        SyntaxTree old = Compilation.SyntaxTrees[file];
        return new GeneratorRun(Compilation.ReplaceSyntaxTree(old, Parse(code, old.FilePath)), Driver);
    }

    private static SyntaxTree Parse(string code, string path) =>
        CSharpSyntaxTree.ParseText(
            Usings + (code.StartsWith("[assembly:", StringComparison.Ordinal) ? "" : "namespace Game;\n")
                + code, new CSharpParseOptions(LanguageVersion.CSharp12), path);
}
