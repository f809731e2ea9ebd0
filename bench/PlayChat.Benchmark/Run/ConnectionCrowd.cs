using PlayChat.Benchmark.Servers;
using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;

namespace PlayChat.Benchmark.Run;

/// <summary>Does something for each of many connections, a bounded number at a time.</summary>
internal static class ConnectionCrowd
{
    /// <summary>The standard: far below any backlog, so that connecting itself is no experiment.</summary>
    public const int AtOnce = 256;

    /// <summary>Runs an action for 0 to <paramref name="count"/> − 1.</summary>
    public static Task ForEachAsync(int count, Func<int, CancellationToken, Task> action, CancellationToken cancellationToken, int atOnce = AtOnce) =>
        Parallel.ForEachAsync(
            Enumerable.Range(0, count),
            new ParallelOptions { MaxDegreeOfParallelism = atOnce, CancellationToken = cancellationToken },
            (index, token) => new ValueTask(action(index, token)));

    /// <summary>Connects.</summary>
    /// <exception cref="UsageException">The server cannot be reached.</exception>
    public static async Task<Connection> ConnectAsync(
        PlayChatConnector connector, ServerAddress server, object tag, CancellationToken cancellationToken)
    {
        try
        {
            return await connector.ConnectAsync(server.Host, server.Port, tag, cancellationToken);
        }
        catch (ConnectFailedException e)
        {
            throw new UsageException(e.Message);
        }
    }
}
