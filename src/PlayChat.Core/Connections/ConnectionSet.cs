namespace PlayChat.Core.Connections;

/// <summary>
/// The connections of a server or a connector, the limit of their number, and the one timer that serves all their deadlines.
/// </summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class ConnectionSet : IDisposable
{
    private readonly ConcurrentDictionary<long, Connection> _connections = new();
    private readonly ConnectionOptions _options;
    private readonly TimeProvider _time;
    private readonly Action<Connection, long>? _inspect;
    private readonly int _most;
    private readonly ITimer _timer;
    private readonly object _gate = new();
    private int _count;
    private TaskCompletionSource? _empty; // made when the set is closed; guarded by _gate
    private int _sweeping;

    /// <summary>Makes the set and starts its sweep.</summary>
    /// <param name="options">The limit of the application.</param>
    /// <param name="time">The clock of all deadlines.</param>
    /// <param name="interval">How often deadlines are looked at: how late one may be served.</param>
    /// <param name="inspect">Looks at one connection at the given timestamp.</param>
    /// <param name="most">The limit of the system, whatever the options say.</param>
    internal ConnectionSet(
        ConnectionOptions options, TimeProvider time, TimeSpan interval, Action<Connection, long>? inspect, int most = int.MaxValue)
    {
        _options = options;
        _time = time;
        _inspect = inspect;
        _most = most;
        _timer = time.CreateTimer(static state => ((ConnectionSet)state!).Sweep(), this, interval, interval);
    }

    internal int Count => Volatile.Read(ref _count);

    internal IEnumerable<Connection> All => _connections.Select(static entry => entry.Value); // Values would lock and copy them

    public void Dispose() => _timer.Dispose();

    /// <summary>The most connections that it takes in now.</summary>
    internal int Limit => Math.Min(_options.MaxConnections, _most);

    internal Connection? Find(long id) => _connections.GetValueOrDefault(id);

    /// <summary>Takes a connection in, unless a limit is reached.</summary>
    /// <returns><see cref="CloseReason.None"/>, or why not.</returns>
    internal CloseReason TryAdd(Connection connection)
    {
        lock (_gate)
        {
            if (_empty is not null)
            {
                return CloseReason.ServerShutdown;
            }

            if (_count >= Limit)
            {
                return CloseReason.ServerFull;
            }

            _count++;
            // Under the gate: once the set is closed, all that count are found and can be told.
            _connections.TryAdd(connection.Id, connection);
        }

        return CloseReason.None;
    }

    internal void Remove(Connection connection)
    {
        if (!_connections.TryRemove(connection.Id, out _))
        {
            return;
        }

        TaskCompletionSource? empty = null;
        lock (_gate)
        {
            if (--_count == 0)
            {
                empty = _empty;
            }
        }

        empty?.TrySetResult();
    }

    /// <summary>Takes nothing more in.</summary>
    /// <returns>Completes when the last connection has gone.</returns>
    internal Task CloseAsync()
    {
        lock (_gate)
        {
            _empty ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            if (_count == 0)
            {
                _empty.TrySetResult();
            }

            return _empty.Task;
        }
    }

    private void Sweep()
    {
        // A sweep that outlasts the interval is not joined by a second one.
        if (Interlocked.Exchange(ref _sweeping, 1) == 1)
        {
            return;
        }

        try
        {
            long now = _time.GetTimestamp();
            foreach (KeyValuePair<long, Connection> entry in _connections)
            {
                entry.Value.CheckDeadlines(now);
                _inspect?.Invoke(entry.Value, now);
            }
        }
        finally
        {
            Volatile.Write(ref _sweeping, 0);
        }
    }
}
