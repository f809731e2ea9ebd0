namespace PlayChat.Benchmark.Servers;

/// <summary>
/// Finds the server: the one that the tool brings, or else the build that was made together with this program in the repository, in the
/// same configuration.
/// </summary>
internal static class ServerProgram
{
    /// <summary>The environment variable that names a PlayChat.Server.dll to start instead: a published one, or a test's.</summary>
    public const string Variable = "PLAYCHAT_BENCHMARK_SERVER";

    /// <summary>The program "dotnet": the one that runs this, if it says so.</summary>
    public static string DotnetPath => Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";

    /// <summary>The path of PlayChat.Server.dll.</summary>
    /// <exception cref="UsageException">There is none.</exception>
    public static string Find()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } named)
        {
            return File.Exists(named)
                ? named
                : throw new UsageException($"The environment variable {Variable} names '{named}', which is not there.");
        }

        DirectoryInfo own = new(AppContext.BaseDirectory);
        string configuration = own.Parent?.Name ?? string.Empty; // bin/Release/net8.0
        var paths = new List<string> { Path.Combine(own.FullName, "server", "PlayChat.Server.dll") }; // in the tool
        for (DirectoryInfo? folder = own; folder is not null; folder = folder.Parent)
        {
            paths.Add(Path.Combine(folder.FullName, "src", "PlayChat.Server", "bin", configuration, "net8.0", "PlayChat.Server.dll"));
        }

        return paths.Find(File.Exists) ?? throw new UsageException(
            "There is no build of PlayChat.Server that the benchmark could start: build the benchmark again, or use --connect HOST:PORT.");
    }
}
