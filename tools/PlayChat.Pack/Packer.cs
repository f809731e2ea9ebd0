using System.Diagnostics;
using System.IO.Compression;
using System.Xml.Linq;

namespace PlayChat.Pack;

/// <summary>Runs <c>dotnet pack</c> for every packable project of the repository.</summary>
internal sealed class Packer(TextWriter output, TextWriter errors)
{
    /// <summary>Packs into <paramref name="folder"/> and prints the path of each package.</summary>
    /// <param name="folder">Where the packages go; <see langword="null"/> is artifacts/packages of the repository.</param>
    /// <param name="version">Of all packages; <see langword="null"/> is the version in Directory.Build.props.</param>
    /// <param name="cancellationToken">Ends the running build; packages that are done stay.</param>
    /// <returns>The exit code: 0 when every project packed, 1 otherwise.</returns>
    public async Task<int> PackAsync(DirectoryInfo? folder, string? version, CancellationToken cancellationToken)
    {
        if ((FindRepository(Environment.CurrentDirectory) ?? FindRepository(AppContext.BaseDirectory)) is not { } repository)
        {
            return Fail("There is no PlayChat.sln in this folder or above it. Run the tool inside a clone of the repository.");
        }

        folder ??= new DirectoryInfo(Path.Combine(repository, "artifacts", "packages"));
        try
        {
            folder.Create();
            foreach (FileInfo old in folder.EnumerateFiles("PlayChat.*.*nupkg"))
            {
                old.Delete();
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return Fail($"The folder {folder.FullName} is not writable: {e.Message} Choose another one with --output.");
        }

        foreach (string project in PackableProjects(repository))
        {
            string[] versionArguments = version is null ? [] : [$"-p:Version={version}"];
            (int exitCode, _) = await DotnetAsync(
                repository,
                capture: false,
                [
                    "pack", project, "--configuration", "Release", "--artifacts-path", Path.Combine("artifacts", "pack"),
                    "--output", folder.FullName, "--verbosity", "quiet", "-p:ContinuousIntegrationBuild=true", .. versionArguments,
                ],
                cancellationToken);
            if (exitCode != 0)
            {
                return Fail($"{project} did not pack; see the errors above.");
            }
        }

        string? unpacked = await FindPackageFolderAsync(repository, cancellationToken);
        foreach (FileInfo package in folder.EnumerateFiles("PlayChat.*.nupkg").OrderBy(static file => file.Name, StringComparer.Ordinal))
        {
            await output.WriteLineAsync(package.FullName);
            DeleteUnpacked(package, unpacked);
        }

        return 0;
    }

    private static string? FindRepository(string start)
    {
        for (DirectoryInfo? folder = new(start); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "PlayChat.sln")))
            {
                return folder.FullName;
            }
        }

        return null;
    }

    private static IEnumerable<string> PackableProjects(string repository) =>
        Directory.EnumerateDirectories(Path.Combine(repository, "src"))
            .Append(Path.Combine(repository, "templates"))
            .Append(Path.Combine(repository, "bench", "PlayChat.Benchmark"))
            .SelectMany(static folder => Directory.EnumerateFiles(folder, "*.csproj"))
            .Where(static project => File.ReadAllText(project).Contains("<IsPackable>true</IsPackable>", StringComparison.Ordinal))
            .Select(project => Path.GetRelativePath(repository, project))
            .Order(StringComparer.Ordinal);

    private static async Task<string?> FindPackageFolderAsync(string repository, CancellationToken cancellationToken)
    {
        const string Prefix = "global-packages: ";
        (_, string text) = await DotnetAsync(
            repository, capture: true, ["nuget", "locals", "global-packages", "--list"], cancellationToken);
        int start = text.IndexOf(Prefix, StringComparison.Ordinal);
        return start < 0 ? null : text[(start + Prefix.Length)..].Trim();
    }

    /// <summary>Deletes the copy that NuGet unpacked from an earlier package of the same version, because NuGet would not unpack the new
    /// one.</summary>
    private static void DeleteUnpacked(FileInfo package, string? packageFolder)
    {
        if (packageFolder is null)
        {
            return;
        }

        (string id, string version) = ReadIdentity(package);
#pragma warning disable CA1308 // NuGet's folder names are lower case
        var unpacked = new DirectoryInfo(Path.Combine(packageFolder, id.ToLowerInvariant(), version.ToLowerInvariant()));
#pragma warning restore CA1308
        if (unpacked.Exists)
        {
            unpacked.Delete(recursive: true);
        }
    }

    private static (string Id, string Version) ReadIdentity(FileInfo package)
    {
        using ZipArchive archive = ZipFile.OpenRead(package.FullName);
        using Stream nuspec = archive.Entries
            .First(static entry => entry.FullName.EndsWith(".nuspec", StringComparison.OrdinalIgnoreCase)
                && !entry.FullName.Contains('/', StringComparison.Ordinal))
            .Open();
        XElement metadata = XDocument.Load(nuspec).Root!.Elements().First(static element => element.Name.LocalName == "metadata");
        return (Value("id"), Value("version"));

        string Value(string name) => metadata.Elements().First(element => element.Name.LocalName == name).Value;
    }

    private static async Task<(int ExitCode, string Output)> DotnetAsync(
        string folder, bool capture, string[] arguments, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo("dotnet", arguments) { WorkingDirectory = folder, RedirectStandardOutput = capture };
        using Process process = Process.Start(start)!;
        try
        {
            string text = capture ? await process.StandardOutput.ReadToEndAsync(cancellationToken) : "";
            await process.WaitForExitAsync(cancellationToken);
            return (process.ExitCode, text);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            throw;
        }
    }

    private int Fail(string message)
    {
        errors.WriteLine($"pack: {message}");
        return 1;
    }
}
