namespace PlayChat.Benchmark.Servers;

/// <summary>A script of the folder <c>tools</c> that starts and ends a server here. The build copies it beside this program.</summary>
/// <param name="cores">The processors of what it starts, as taskset wants them; <see langword="null"/> for those of this process.</param>
internal sealed class LocalTool(string name, string? cores = null)
{
    public const string Postgres = "postgres";

    public const string RabbitMq = "rabbitmq";

    /// <summary>Why this machine cannot run what a cluster of an engine needs; <see langword="null"/> when it can.</summary>
    public static async Task<string?> WhyNotAsync(ClusterEngine engine)
    {
        try
        {
            foreach (string name in engine == ClusterEngine.RabbitMq ? [Postgres, RabbitMq] : (string[])[Postgres])
            {
                await new LocalTool(name).RunAsync("check");
            }

            return null;
        }
        catch (Exception e) when (e is RunFailedException or UsageException)
        {
            return e.Message;
        }
    }

    /// <summary>Runs a command of the script to its end. Not cancellable: nothing would end what it has half started.</summary>
    public async Task<string> RunAsync(params string[] arguments)
    {
        string error = "It failed.";
        await using var process = new RunningProcess(
            ["bash", Path.Combine(AppContext.BaseDirectory, "tools", name), .. arguments],
            cpus: cores,
            ownSession: true,
            onLine: (line, isError) => error = isError ? line.Trim() : error);
        if (await process.EndAsync() == 0)
        {
            return process.Output.Trim();
        }

        // The scripts begin their messages with their own name.
        throw new RunFailedException(error.StartsWith($"{name}: ", StringComparison.Ordinal) ? error[(name.Length + 2)..] : error);
    }
}
