namespace PlayChat.Benchmark.Run;

/// <summary>Runs an action for each of many connections, a bounded number at a time.</summary>
internal static class ConnectionCrowd
{
    /// <summary>The default: far below any backlog, so that connecting does not affect the run.</summary>
    public const int AtOnce = 256;

    public static Task ForEachAsync(
        int count, Func<int, CancellationToken, Task> action, CancellationToken cancellationToken, int atOnce = AtOnce) =>
        Parallel.ForEachAsync(
            Enumerable.Range(0, count),
            new ParallelOptions { MaxDegreeOfParallelism = atOnce, CancellationToken = cancellationToken },
            (index, token) => new ValueTask(action(index, token)));

    public static ConnectorOptions CreateOptions(int connections)
    {
        var options = new ConnectorOptions();
        options.Connections.MaxConnections = Math.Max(options.Connections.MaxConnections, connections);
        return options;
    }

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

/// <summary>The end of a run: nothing is sent, and outstanding messages arrive.</summary>
internal static class Drain
{
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(10);

    /// <summary>Waits until every message has arrived.</summary>
    /// <returns><see langword="false"/> at the timeout.</returns>
    public static async Task<bool> WaitAsync(Func<bool> allCame, TimeSpan timeout)
    {
        long began = Stopwatch.GetTimestamp();
        while (!allCame())
        {
            if (Stopwatch.GetElapsedTime(began) >= timeout)
            {
                return false;
            }

            await Task.Delay(s_step);
        }

        return true;
    }
}

/// <summary>Gives the body of a frame in one piece. For one receive loop.</summary>
internal struct FrameScratch
{
    private byte[]? _bytes;

    /// <summary>The body; valid until the next call, or until the frame's handler returns.</summary>
    public ReadOnlySpan<byte> Read(Frame frame)
    {
        if (frame.TryGetSpan(out ReadOnlySpan<byte> body))
        {
            return body;
        }

        // Across a seam of the receive buffer, which is rare.
        if (_bytes is null || _bytes.Length < frame.BodyBytes)
        {
            _bytes = new byte[Math.Max(frame.BodyBytes, 2 * ChatLimits.MaxTextBytes)];
        }

        frame.CopyTo(_bytes);
        return _bytes.AsSpan(0, frame.BodyBytes);
    }
}
