using System.CommandLine;

namespace PlayChat.Tool.Tests;

/// <summary>Runs the tool's commands in this process.</summary>
internal static class ToolRun
{
    /// <summary>The assembly of these tests, which has several contracts.</summary>
    public static readonly string Assembly = typeof(ToolRun).Assembly.Location;

    public static async Task<(int ExitCode, string Output, string Error)> RunAsync(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        int exitCode = await Commands.Create().Parse(arguments)
            .InvokeAsync(new InvocationConfiguration { Output = output, Error = error }, TestContext.Current.CancellationToken);
        return (exitCode, output.ToString(), error.ToString());
    }

    /// <summary>Runs a command that must succeed.</summary>
    public static async Task GenerateAsync(params string[] arguments)
    {
        (int exitCode, _, string error) = await RunAsync(arguments);
        Assert.True(exitCode == 0, error);
    }
}
