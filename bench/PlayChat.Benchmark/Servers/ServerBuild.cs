using System.Diagnostics;
using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Servers;

/// <summary>
/// Finds the server that the tool brings, or else the server's build in the repository that this program was built in. It makes that build
/// when it is missing or old: the Release build, but for this program's own Debug build, with which tests start what they have built.
/// </summary>
internal static class ServerBuild
{
#if DEBUG
    private const string Configuration = "Debug";
#else
    private const string Configuration = "Release";
#endif

    private static readonly string[] s_sources =
    [
        "src/PlayChat.Server", "src/PlayChat.Core", "src/PlayChat.Protocol", "src/PlayChat.Storage", "src/PlayChat.Kpi",
        "src/PlayChat.Cluster", "src/PlayChat.Cluster.Postgres", "src/PlayChat.Cluster.RabbitMq", "src/PlayChat.Transport.Linux", "proto",
    ];
    private static readonly string[] s_endings = [".cs", ".csproj", ".proto", ".json"];

    /// <summary>The environment variable that names a PlayChat.Server.dll to start instead: a published one, or a test's.</summary>
    public const string Variable = "PLAYCHAT_BENCHMARK_SERVER";

    /// <summary>The path of PlayChat.Server.dll.</summary>
    /// <exception cref="UsageException">There is no repository around this program.</exception>
    /// <exception cref="RunFailedException">It does not build.</exception>
    public static async Task<string> GetAsync(Action<string> say, CancellationToken cancellationToken)
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } path)
        {
            return File.Exists(path) ? path : throw new UsageException(
                $"The environment variable {Variable} names '{path}', which is not there.");
        }

        // In the tool, which has no repository around it.
        string bundled = Path.Combine(AppContext.BaseDirectory, "server", "PlayChat.Server.dll");
        if (File.Exists(bundled))
        {
            return bundled;
        }

        string root = FindRepository();
        string folder = Path.Combine(root, "src", "PlayChat.Server", "bin", Configuration, "net8.0");
        string dll = Path.Combine(folder, "PlayChat.Server.dll");
        if (!File.Exists(dll) || NewestSource(root) > NewestBuild(folder))
        {
            say($"The server's {Configuration} build is {(File.Exists(dll) ? "older than its sources" : "missing")}: building it.");
            await BuildAsync(root, cancellationToken);
        }

        return dll;
    }

    /// <summary>The program "dotnet": the one that runs this, if it says so.</summary>
    public static string DotnetPath() => Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";

    private static string FindRepository()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "PlayChat.sln")))
            {
                return folder.FullName;
            }
        }

        throw new UsageException(
            "This program is not inside the PlayChat repository, so it cannot start the server: use --connect HOST:PORT.");
    }

    private static DateTime NewestSource(string root) => s_sources
        .SelectMany(folder => Sources(new DirectoryInfo(Path.Combine(root, folder))))
        .Select(static file => file.LastWriteTimeUtc)
        .DefaultIfEmpty()
        .Max();

    private static IEnumerable<FileInfo> Sources(DirectoryInfo folder) => folder.EnumerateFiles()
        .Where(static file => s_endings.Contains(file.Extension, StringComparer.Ordinal))
        .Concat(folder.EnumerateDirectories().Where(static sub => sub.Name is not ("bin" or "obj")).SelectMany(Sources));

    // A project that has not changed keeps its old file, so the newest counts.
    private static DateTime NewestBuild(string folder) =>
        new DirectoryInfo(folder).EnumerateFiles("PlayChat.*.dll").Max(static file => file.LastWriteTimeUtc);

    private static async Task BuildAsync(string root, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo(DotnetPath(), ["build", "-c", Configuration, "-v", "quiet", "--nologo", "src/PlayChat.Server"])
        {
            WorkingDirectory = root,
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process build = Process.Start(start)!;
        Task<string> output = build.StandardOutput.ReadToEndAsync(cancellationToken);
        Task<string> errors = build.StandardError.ReadToEndAsync(cancellationToken);
        try
        {
            await build.WaitForExitAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            build.Kill(entireProcessTree: true);
            throw;
        }

        if (build.ExitCode != 0)
        {
            string[] lines = (await output + await errors).Split('\n');
            string why = Array.Find(lines, static line => line.Contains("error", StringComparison.Ordinal))?.Trim()
                ?? $"dotnet build ended with exit code {build.ExitCode}";
            throw new RunFailedException($"The server does not build: {why}");
        }
    }
}
