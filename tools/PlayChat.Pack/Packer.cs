using System.Diagnostics;
using System.IO.Compression;
using System.Xml.Linq;

namespace PlayChat.Pack;

/// <summary>Packs every packable project of the repository.</summary>
internal sealed class Packer(TextWriter output, TextWriter errors)
{
    // Written by Packages.targets for each package that is done.
    private const string Packed = "packed ";

    // The tool brings its build.
    private const string Server = "src/PlayChat.Server/PlayChat.Server.csproj";

    /// <summary>Packs into <paramref name="folder"/> and prints the path of each package.</summary>
    /// <param name="folder">Where the packages go; <see langword="null"/> is artifacts/packages of the repository.</param>
    /// <param name="version">Of all packages; <see langword="null"/> is the version in Directory.Build.props.</param>
    /// <param name="configuration">Such as Release.</param>
    /// <param name="build">Whether to build, apart from other builds; otherwise the repository's build is packed.</param>
    /// <param name="cancellationToken">Ends the running build; packages that are done stay.</param>
    /// <returns>The exit code: 0 when every project packed, 1 otherwise.</returns>
    public async Task<int> PackAsync(
        DirectoryInfo? folder, string? version, string configuration, bool build, CancellationToken cancellationToken)
    {
        if ((FindRepository(Environment.CurrentDirectory) ?? FindRepository(AppContext.BaseDirectory)) is not { } repository)
        {
            return Fail("There is no PlayChat.sln in this folder or above it. Run the tool inside a clone of the repository.");
        }

        string[] projects = [.. PackableProjects(repository)];
        if (!build && projects.Append(Server).FirstOrDefault(project => !IsBuilt(repository, project, configuration)) is { } missing)
        {
            return Fail($"{missing} is not built in {configuration}. "
                + $"Run `dotnet build --configuration {configuration}` first, or leave out --no-build.");
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

        await errors.WriteLineAsync(
            build ? $"Building and packing {projects.Length} packages in {configuration}." : $"Packing {projects.Length} packages.");
        if (!await PackAsync(repository, folder, version, configuration, build, projects, cancellationToken))
        {
            return Fail("Not every package was packed; see the errors above.");
        }

        string? unpacked = await FindPackageFolderAsync(repository, cancellationToken);
        foreach (FileInfo package in folder.EnumerateFiles("PlayChat.*.nupkg").OrderBy(static file => file.Name, StringComparer.Ordinal))
        {
            PublicDocumentation.Keep(package.FullName);
            await output.WriteLineAsync(package.FullName);
            DeleteUnpacked(package, unpacked);
        }

        return 0;
    }

    private async Task<bool> PackAsync(
        string repository,
        DirectoryInfo folder,
        string? version,
        string configuration,
        bool build,
        string[] projects,
        CancellationToken cancellationToken)
    {
        string packages = string.Join("%3B", projects.Select(project => Path.Combine(repository, project)));
        string[] versionArguments = version is null ? [] : [$"-p:Version={version}"];
        string[] buildArguments = build
            ? ["--artifacts-path", Path.Combine("artifacts", "pack"), "-p:ContinuousIntegrationBuild=true"]
            : ["--no-build", "-p:BuildProjectReferences=false"];
        int done = 0;
        var log = new List<string>();
        int exitCode = await DotnetAsync(
            repository,
            [
                "pack", Path.Combine("tools", "PlayChat.Pack", "Packages.targets"), "--configuration", configuration,
                "--output", folder.FullName, "--verbosity", "minimal", "-tl:off", $"-p:Packages={packages}",
                .. buildArguments, .. versionArguments,
            ],
            line =>
            {
                log.Add(line);
                if (line.Trim() is var text && text.StartsWith(Packed, StringComparison.Ordinal))
                {
                    errors.WriteLine($"{Path.GetFileNameWithoutExtension(text)} ({++done} of {projects.Length})");
                }
            },
            cancellationToken);
        if (exitCode != 0)
        {
            log.ForEach(errors.WriteLine);
        }

        return exitCode == 0;
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
            .Append(Path.Combine(repository, "tools", "PlayChat.Tool"))
            .SelectMany(static folder => Directory.EnumerateFiles(folder, "*.csproj"))
            .Where(static project => File.ReadAllText(project).Contains("<IsPackable>true</IsPackable>", StringComparison.Ordinal))
            .Select(project => Path.GetRelativePath(repository, project))
            .Order(StringComparer.Ordinal);

    private static bool IsBuilt(string repository, string project, string configuration)
    {
        var output = new DirectoryInfo(Path.Combine(repository, Path.GetDirectoryName(project)!, "bin", configuration));
        return HasNoAssembly(repository, project)
            || (output.Exists && output.EnumerateDirectories()
                .Any(framework => File.Exists(Path.Combine(framework.FullName, Path.GetFileNameWithoutExtension(project) + ".dll"))));
    }

    private static bool HasNoAssembly(string repository, string project) =>
        File.ReadAllText(Path.Combine(repository, project)).Contains("<IncludeBuildOutput>false</", StringComparison.Ordinal);

    private static async Task<string?> FindPackageFolderAsync(string repository, CancellationToken cancellationToken)
    {
        const string Prefix = "global-packages: ";
        string text = "";
        await DotnetAsync(
            repository, ["nuget", "locals", "global-packages", "--list"], line => text += line, cancellationToken);
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

    private static async Task<int> DotnetAsync(
        string folder, string[] arguments, Action<string> onLine, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo("dotnet", arguments)
        {
            WorkingDirectory = folder,
            UseShellExecute = false,
            RedirectStandardOutput = true,
        };
        using Process process = Process.Start(start)!;
        try
        {
            while (await process.StandardOutput.ReadLineAsync(cancellationToken) is { } line)
            {
                onLine(line);
            }

            await process.WaitForExitAsync(cancellationToken);
            return process.ExitCode;
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
