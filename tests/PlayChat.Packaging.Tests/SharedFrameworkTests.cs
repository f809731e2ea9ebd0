using System.Reflection;

namespace PlayChat.Packaging.Tests;

/// <summary>Checks that no program is shipped with an assembly that would win over a shared framework's own copy.</summary>
/// <remarks>
/// The host takes the copy with the higher assembly version. A program that targets .NET 8 and rolls forward to .NET 10 with an assembly
/// 10.0.0.0 beside it runs the .NET 8 build of that assembly inside .NET 10, where members that the framework calls may be missing.
/// </remarks>
public sealed class SharedFrameworkTests
{
    // The oldest runtime that programs run on: an assembly of this version loses to the copy of every later runtime.
    private static readonly Version s_oldestRuntime = new(8, 0, 0, 0);

    private static readonly string s_configuration = new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;

    [Fact]
    public void No_output_folder_shadows_the_shared_framework()
    {
        HashSet<string> framework = FrameworkAssemblies();
        string[] outputs = [.. OutputFolders()];

        string[] shadowing =
        [
            .. from folder in outputs
               from file in Directory.EnumerateFiles(folder, "*.dll")
               where framework.Contains(Path.GetFileName(file))
               let version = AssemblyName.GetAssemblyName(file).Version
               where version > s_oldestRuntime && !IsExcepted(Path.GetFileName(file), version)
               select $"{Path.GetRelativePath(Repository.PathOf("."), file)} has assembly version {version}",
        ];

        Assert.Contains("System.Text.Json.dll", framework);
        Assert.Contains("Microsoft.Extensions.Hosting.dll", framework);
        Assert.Contains(outputs, static folder => folder.Contains("PlayChat.Server", StringComparison.Ordinal));
        Assert.True(
            shadowing.Length == 0,
            $"""
            These assemblies are also part of a shared framework and are newer than {s_oldestRuntime}.
            So they would replace a newer runtime's own copy. Keep the package on its 8.0 line in Directory.Packages.props,
            or remove the reference that brings it (dotnet nuget why PROJECT PACKAGE):
            {string.Join('\n', shadowing)}
            """);
    }

    // OpenTelemetry needs it. The server really loads this copy on .NET 8 and 9, because its version is the higher one. It is built for
    // these runtimes and has all public members of their own copies; only the runtime's own meter is missing on .NET 9
    // (docs/reference/dependencies.md). Its version is the lowest of .NET 10, so every runtime from 10 on loads its own copy.
    private static bool IsExcepted(string file, Version version) =>
        file.Equals("System.Diagnostics.DiagnosticSource.dll", StringComparison.OrdinalIgnoreCase) && version == new Version(10, 0, 0, 0);

    /// <summary>Finds the file names of all shared frameworks of the dotnet that runs this test (the SDK comes with the runtime's and
    /// ASP.NET Core's).</summary>
    private static HashSet<string> FrameworkAssemblies()
    {
        string runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        string shared = Path.GetFullPath(Path.Combine(runtime, "../.."));
        return Directory.EnumerateDirectories(shared, "Microsoft.*")
            .Where(static framework => Path.GetFileName(framework) is "Microsoft.NETCore.App" or "Microsoft.AspNetCore.App")
            .SelectMany(Directory.EnumerateDirectories)
            .SelectMany(static version => Directory.EnumerateFiles(version, "*.dll"))
            .Select(static file => Path.GetFileName(file))
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>Finds what this configuration has built: bin/Debug/net8.0 of every project, runtime identifiers left out.</summary>
    private static IEnumerable<string> OutputFolders() =>
        from top in new[] { "src", "bench", "tests", "samples", "tools" }
        from project in Directory.EnumerateDirectories(Repository.PathOf(top))
        let output = Path.Combine(project, "bin", s_configuration, "net8.0")
        where Directory.Exists(output)
        select output;
}
