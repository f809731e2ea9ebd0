using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace PlayChat.Core.Connections;

/// <summary>The connections of a server or a connector, their limits, and the one timer that serves all their deadlines.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class ConnectionSet : IDisposable
{
    // So many bytes of an IPv6 address are the network's: a host that has one address of the network has all of them.
    private const int NetworkBytes = 8;

    private readonly ConcurrentDictionary<long, Connection> _connections = new();
    private readonly ConcurrentDictionary<IPAddress, int> _perAddress = new();
    private readonly ConnectionOptions _options;
    private readonly TimeProvider _time;
    private readonly Action<Connection, long>? _inspect;
    private readonly bool _countsAddresses; // not where there is no limit for one: a count costs two objects a connection
    private readonly ITimer _timer;
    private readonly object _gate = new();
    private int _count;
    private bool _closed; // guarded by _gate
    private TaskCompletionSource? _empty; // guarded by _gate
    private int _sweeping;

    /// <summary>Makes the set and starts its sweep.</summary>
    /// <param name="options">The limits.</param>
    /// <param name="time">The clock of all deadlines.</param>
    /// <param name="interval">How often deadlines are looked at: how late one may be served.</param>
    /// <param name="inspect">Looks at one connection at the given timestamp.</param>
    internal ConnectionSet(ConnectionOptions options, TimeProvider time, TimeSpan interval, Action<Connection, long>? inspect)
    {
        _options = options;
        _time = time;
        _inspect = inspect;
        _countsAddresses = options.MaxConnectionsPerAddress < options.MaxConnections;
        _timer = time.CreateTimer(static state => ((ConnectionSet)state!).Sweep(), this, interval, interval);
    }

    internal int Count => Volatile.Read(ref _count);

    internal IEnumerable<Connection> All
    {
        get
        {
            foreach (KeyValuePair<long, Connection> entry in _connections)
            {
                yield return entry.Value;
            }
        }
    }

    public void Dispose() => _timer.Dispose();

    /// <summary>Looks one up by its id.</summary>
    internal Connection? Find(long id) => _connections.GetValueOrDefault(id);

    /// <summary>Takes a connection in, unless a limit is reached.</summary>
    /// <returns><see cref="CloseReason.None"/>, or why not.</returns>
    internal CloseReason TryAdd(Connection connection)
    {
        lock (_gate)
        {
            if (_closed)
            {
                return CloseReason.ServerShutdown;
            }

            if (_count >= _options.MaxConnections)
            {
                return CloseReason.ServerFull;
            }

            if (AddressOf(connection) is { } address)
            {
                int there = _perAddress.GetValueOrDefault(address);
                if (there >= _options.MaxConnectionsPerAddress)
                {
                    return CloseReason.AddressFull;
                }

                _perAddress[address] = there + 1;
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
            if (AddressOf(connection) is { } address && --_perAddress[address] == 0)
            {
                _perAddress.TryRemove(address, out _);
            }

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
            _closed = true;
            if (_count == 0)
            {
                return Task.CompletedTask;
            }

            _empty ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _empty.Task;
        }
    }

    /// <summary>What a connection counts for; <see langword="null"/> when that is nothing.</summary>
    private IPAddress? AddressOf(Connection connection) =>
        _countsAddresses && connection.RemoteEndPoint is IPEndPoint { Address: var address } ? NetworkOf(address) : null;

    private static IPAddress NetworkOf(IPAddress address)
    {
        if (address.IsIPv4MappedToIPv6)
        {
            return address.MapToIPv4(); // it came to an IPv6 socket
        }

        if (address.AddressFamily != AddressFamily.InterNetworkV6)
        {
            return address;
        }

        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out _);
        bytes[NetworkBytes..].Clear();
        return new IPAddress(bytes);
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
                entry.Value.CheckCloseDeadline(now);
                _inspect?.Invoke(entry.Value, now);
            }
        }
        finally
        {
            Volatile.Write(ref _sweeping, 0);
        }
    }
}
