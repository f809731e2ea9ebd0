using System.Diagnostics;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Server.Tests.Deployment;

/// <summary>The files below <c>deploy</c>.</summary>
internal static class DeployFolder
{
    public static string PathOf(string relative) => Repository.PathOf("deploy/" + relative);

    public static string Read(string relative) => Repository.Read("deploy/" + relative);

    /// <summary>The values of a key in a systemd unit or a Containerfile: <c>KEY=VALUE</c> lines.</summary>
    public static string[] Values(string file, string key) => [.. Read(file).Split('\n')
        .Where(line => line.StartsWith(key + "=", StringComparison.Ordinal))
        .Select(line => line[(key.Length + 1)..])];

    /// <summary>Runs a tool to its end.</summary>
    /// <returns>The exit code and all that it printed.</returns>
    public static async Task<(int ExitCode, string Output)> RunAsync(string program, params string[] arguments)
    {
        using Process process = ChildProcess.Start(new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        });
        string[] texts = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync())
            .WaitAsync(TestTimeouts.Hang);
        await process.WaitForExitAsync().WaitAsync(TestTimeouts.Hang);
        return (process.ExitCode, string.Concat(texts));
    }
}
