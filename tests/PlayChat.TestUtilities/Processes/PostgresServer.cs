using System.Diagnostics;
using System.Globalization;
using Npgsql;

namespace PlayChat.TestUtilities.Processes;

/// <summary>A PostgreSQL server of a test's own, which it may stop and start; made by <c>tools/postgres</c>, gone with the test.</summary>
public sealed class PostgresServer : IAsyncDisposable
{
    private readonly string _directory = ChildProcess.NewFolder("postgres");

    private PostgresServer()
    {
    }

    /// <summary>How to reach it while it runs.</summary>
    public string ConnectionString { get; private set; } = "";

    /// <summary>Makes a server and starts it.</summary>
    /// <param name="maxConnections">How many connections it accepts, with 3 for superusers; PostgreSQL's default without it.</param>
    public static async Task<PostgresServer> StartNewAsync(int? maxConnections = null)
    {
        var server = new PostgresServer();
        try
        {
            await server.StartAsync();
            if (maxConnections is { } limit)
            {
                await server.ExecuteAsync(string.Create(CultureInfo.InvariantCulture, $"ALTER SYSTEM SET max_connections = {limit}"));
                await server.KillAsync();
                await server.StartAsync();
            }

            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    /// <summary>Starts it, with the data it has.</summary>
    public async Task StartAsync() => ConnectionString = (await RunAsync("start")).Trim();

    /// <summary>Stops it at once, as a crash would.</summary>
    public Task KillAsync() => RunAsync("kill");

    /// <summary>Kills all its processes with SIGKILL, so that none does anything more. Linux only.</summary>
    public async Task KillHardAsync()
    {
        string file = Path.Combine(_directory, "data", "postmaster.pid");
        string first = (await File.ReadAllLinesAsync(file))[0];
        string children = await File.ReadAllTextAsync($"/proc/{first}/task/{first}/children");
        string[] ids = [first, .. children.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)];
        foreach (string id in ids)
        {
            try
            {
                using Process process = Process.GetProcessById(int.Parse(id, CultureInfo.InvariantCulture));
                process.Kill();
            }
            catch (ArgumentException)
            {
                // It has ended meanwhile.
            }
        }

        await Eventually.TrueAsync(() => ids.All(static id => ChildProcess.HasEnded(int.Parse(id, CultureInfo.InvariantCulture))));
        // Where nothing collects orphans, the first one stays as a zombie, which the tools take for a running server.
        File.Delete(file);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await RunAsync("remove");

    private async Task ExecuteAsync(string sql)
    {
        await using var source = NpgsqlDataSource.Create(ConnectionString);
        await using NpgsqlCommand command = source.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }

    private async Task<string> RunAsync(string command)
    {
        var start = new ProcessStartInfo(Repository.PathOf("tools/postgres"), [command, "--dir", _directory])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true
        };
        using Process tool = ChildProcess.Start(start);
        Task<string> output = tool.StandardOutput.ReadToEndAsync();
        Task<string> errors = tool.StandardError.ReadToEndAsync();
        await tool.WaitForExitAsync().WaitAsync(TestTimeouts.Hang);
        return tool.ExitCode == 0
            ? await output.WaitAsync(TestTimeouts.Hang)
            : throw new InvalidOperationException($"tools/postgres {command} failed: {await errors.WaitAsync(TestTimeouts.Hang)}");
    }
}
