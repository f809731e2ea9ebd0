using PlayChat.TestUtilities.Processes;

namespace PlayChat.Packaging.Tests;

internal static class Command
{
    /// <summary>Runs a program, which must end with exit code 0.</summary>
    public static async Task RunAsync(TimeSpan patience, string folder, string program, params string[] arguments)
    {
        await using ProgramProcess process = ProgramProcess.Start(program, folder, arguments);
        int exitCode = await process.Exited.WaitAsync(patience);
        Assert.True(exitCode == 0, process.Describe());
    }
}
