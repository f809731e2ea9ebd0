using System.Reflection;

namespace PlayChat.Benchmark.Servers;

/// <summary>Finds the server: the one that the tool brings, or the repository's build in the configuration of this program.</summary>
internal static class ServerProgram
{
    /// <summary>The environment variable that names a PlayChat.Server.dll to start instead: a published one, or a test's.</summary>
    public const string Variable = "PLAYCHAT_BENCHMARK_SERVER";

    /// <summary>The program "dotnet": the one that runs this, if it says so.</summary>
    public static string DotnetPath => Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";

    public static string Find()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } named)
        {
            return File.Exists(named)
                ? named
                : throw new UsageException($"The environment variable {Variable} names '{named}', which is not there.");
        }

        string configuration = new DirectoryInfo(AppContext.BaseDirectory).Parent?.Name ?? string.Empty; // bin/Release/net8.0
        string built = Path.Combine("src", "PlayChat.Server", "bin", configuration, "net8.0", "PlayChat.Server.dll");
        return OwnProgram.Folders().Select(folder => Path.Combine(folder, built))
            .Prepend(Path.Combine(AppContext.BaseDirectory, "server", "PlayChat.Server.dll")) // in the tool
            .FirstOrDefault(File.Exists) ?? throw new UsageException(
            "There is no build of PlayChat.Server that the benchmark could start: build the benchmark again, or use --connect HOST:PORT.");
    }
}

/// <summary>This program, to start it again in a process of its own.</summary>
internal static class OwnProgram
{
    private static Assembly s_assembly = typeof(OwnProgram).Assembly;

    public static string Path => s_assembly.Location;

    /// <summary>This program as a command: itself, or the host with its assembly, where "dotnet" or a test runs it.</summary>
    public static IReadOnlyList<string> Command
    {
        get
        {
            string name = System.IO.Path.GetFileNameWithoutExtension(Path);
            return Environment.ProcessPath is { } path && System.IO.Path.GetFileName(path) is var file
                && (file == name || file == name + ".exe")
                ? [path]
                : [ServerProgram.DotnetPath, Path];
        }
    }

    /// <summary>Names another program that contains this one. It calls this before everything else.</summary>
    public static void Use(Assembly assembly) => s_assembly = assembly;

    /// <summary>The folder of the program, and all folders around it.</summary>
    public static IEnumerable<string> Folders()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            yield return folder.FullName;
        }
    }
}
