using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers;
using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;

namespace PlayChat.Benchmark.Run;

/// <summary>Runs an action for each of many connections, a bounded number at a time.</summary>
internal static class ConnectionCrowd
{
    /// <summary>The default: far below any backlog, so that connecting does not affect the run.</summary>
    public const int AtOnce = 256;

    /// <summary>Runs an action for 0 to <paramref name="count"/> − 1.</summary>
    public static Task ForEachAsync(
        int count, Func<int, CancellationToken, Task> action, CancellationToken cancellationToken, int atOnce = AtOnce) =>
        Parallel.ForEachAsync(
            Enumerable.Range(0, count),
            new ParallelOptions { MaxDegreeOfParallelism = atOnce, CancellationToken = cancellationToken },
            (index, token) => new ValueTask(action(index, token)));

    /// <summary>Connects.</summary>
    /// <exception cref="UsageException">The connect failed.</exception>
    public static async Task<Connection> ConnectAsync<TState>(
        PlayChatConnector connector, ServerAddress server, TState state, CancellationToken cancellationToken)
        where TState : class
    {
        try
        {
            return await connector.ConnectAsync(server.Host, server.Port, connection => connection.Set(state), cancellationToken);
        }
        catch (ConnectFailedException e)
        {
            throw new UsageException(e.Message);
        }
    }
}
