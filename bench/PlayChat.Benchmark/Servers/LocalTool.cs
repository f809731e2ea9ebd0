using System.ComponentModel;

namespace PlayChat.Benchmark.Servers;

/// <summary>
/// A script of the folder <c>tools</c> that starts and ends a server on this machine. The build copies it beside this program.
/// </summary>
/// <param name="cores">The processors of what it starts, as taskset wants them; <see langword="null"/> for those of this process.</param>
internal sealed class LocalTool(string name, string? cores = null)
{
    private const string Setsid = "/usr/bin/setsid";

    /// <summary>The database of a cluster.</summary>
    public const string Postgres = "postgres";

    /// <summary>The broker of a cluster.</summary>
    public const string RabbitMq = "rabbitmq";

    /// <summary>Why this machine cannot run what a cluster of an engine needs; <see langword="null"/> when it can.</summary>
    public static string? WhyNot(ClusterEngine engine) =>
        new LocalTool(Postgres).WhyNot() ?? (engine == ClusterEngine.RabbitMq ? new LocalTool(RabbitMq).WhyNot() : null);

    /// <summary>
    /// Runs a command of the script to its end. It is not cancellable, because nothing would end what it has half started.
    /// </summary>
    /// <returns>What it printed, without white space around it.</returns>
    /// <exception cref="RunFailedException">It failed; the message is its own.</exception>
    public async Task<string> RunAsync(params string[] arguments)
    {
        using Process process = Start(arguments);
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0 ? (await output).Trim() : throw new RunFailedException(LastLine(await errors));
    }

    private string? WhyNot()
    {
        try
        {
            using Process process = Start(["check"]);
            string errors = process.StandardError.ReadToEnd();
            process.WaitForExit();
            return process.ExitCode == 0 ? null : LastLine(errors);
        }
        catch (RunFailedException e)
        {
            return e.Message;
        }
    }

    private Process Start(string[] arguments)
    {
        string[] command =
        [
            // In a session of its own, so that Ctrl+C ends neither the script nor what it starts: the benchmark ends them in order.
            .. File.Exists(Setsid) ? [Setsid] : Array.Empty<string>(),
            .. cores is null ? Array.Empty<string>() : [ServerProcess.Taskset, "-c", cores],
            "bash",
            Path.Combine(AppContext.BaseDirectory, "tools", name),
            .. arguments,
        ];
        var start = new ProcessStartInfo(command[0], command[1..])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception e)
        {
            throw new RunFailedException($"tools/{name} needs a Unix shell: {e.Message}");
        }
    }

    // The scripts begin their messages with their own name.
    private string LastLine(string errors)
    {
        string line = errors
            .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .LastOrDefault("It failed.");
        return line.StartsWith($"{name}: ", StringComparison.Ordinal) ? line[(name.Length + 2)..] : line;
    }
}
