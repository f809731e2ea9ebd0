namespace Samples.Tests;

/// <summary>The real chat server, whose program is built elsewhere: by the repository around the samples, or wherever <see
/// cref="Variable"/> says.</summary>
internal static class ChatServer
{
    /// <summary>The environment variable that names its program.</summary>
    public const string Variable = "PLAYCHAT_TEST_SERVER";

    public const string NotFound = $"There is no chat server: build src/PlayChat.Server, or name its program by {Variable}.";

    /// <summary>Its program; null when there is none.</summary>
    public static string? Program => Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } path ? path : FindBuilt();

    /// <summary>Starts it with all its files in a folder.</summary>
    public static SampleProcess Start(string folder, int port = 0) =>
        SampleProcess.StartProgram(Program!, folder, "--port", $"{port}", "--Kpi:Table=false");

    private static string? FindBuilt()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "PlayChat.sln")))
            {
                string builds = Path.Combine(folder.FullName, "src", "PlayChat.Server", "bin");
                return Directory.Exists(builds)
                    ? Directory.EnumerateFiles(builds, "PlayChat.Server.dll", SearchOption.AllDirectories).MaxBy(File.GetLastWriteTimeUtc)
                    : null;
            }
        }

        return null;
    }
}
