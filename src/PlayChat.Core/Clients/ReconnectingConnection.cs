using PlayChat.Core.Hosting;

namespace PlayChat.Core.Clients;

/// <summary>A client's connection that is made again after a break. Made by <c>PlayChatConnector.ConnectLastingAsync</c>.</summary>
/// <remarks>
/// <para>
/// Thread-safe. At most one connection exists at a time: the next attempt begins when the connection before it has ended and its last
/// handler has returned. So no frame of an older connection arrives beside those of the new one. A handler of its connection finds this
/// object by <c>connection.Get&lt;ReconnectingConnection&gt;()</c>.
/// </para>
/// <para>
/// A break is an end that neither side wanted: <see cref="CloseReason.PeerClosed"/>, <see cref="CloseReason.PeerReset"/>,
/// <see cref="CloseReason.SlowConsumer"/>, <see cref="CloseReason.IdleTimeout"/>, <see cref="CloseReason.HandlerFault"/>,
/// <see cref="CloseReason.TransportFault"/>, <see cref="CloseReason.TlsFailed"/> and <see cref="CloseReason.FrameTimeout"/>. A planned stop
/// counts as well: <see cref="CloseReason.ServerShutdown"/> with the advice to come back (<see cref="ExpectClose"/>). Every other end, and
/// every attempt that is refused for good, ends this object. It ends exactly once.
/// </para>
/// </remarks>
// One loop owns the life of all connections, one after the other, so there is nothing to lock and no older link to tell apart.
public sealed class ReconnectingConnection : IAsyncDisposable
{
    private static readonly TimeSpan s_maxAdvice = TimeSpan.FromHours(1);

    private readonly CancellationTokenSource _closing = new();
    private readonly TaskCompletionSource<ReconnectEnd> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Func<ReconnectingConnection, CancellationToken, Task<Connection>> _connect;
    private readonly Func<Connection, ReconnectAttempt?, CancellationToken, ValueTask> _enter;
    private readonly ReconnectOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private volatile Farewell? _farewell; // of the only connection there is
    private Connection? _current;
    private int _hasLeft;

    internal ReconnectingConnection(
        Func<ReconnectingConnection, CancellationToken, Task<Connection>> connect,
        Func<Connection, ReconnectAttempt?, CancellationToken, ValueTask> enter,
        ReconnectOptions options,
        TimeProvider time,
        ILogger logger)
    {
        _connect = connect;
        _enter = enter;
        _options = options;
        _time = time;
        _logger = logger;
    }

    /// <summary>
    /// The connection that was entered; <see langword="null"/> while there is none. It may break at any moment: a send tells as well.
    /// </summary>
    public Connection? Current => Volatile.Read(ref _current);

    /// <summary>Completes with the end, after <see cref="ReconnectOptions.Ended"/>. Never faults.</summary>
    public Task<ReconnectEnd> Closed => _closed.Task;

    /// <summary>
    /// Says that the server has announced why it is about to close. Call it in the handler of that frame; it counts for the end of the
    /// frame's connection alone.
    /// </summary>
    /// <param name="reason">Takes the place of the reason that the link shows; <see cref="CloseReason.None"/> leaves that.</param>
    /// <param name="message">The server's sentence for a person.</param>
    /// <param name="returnAfter">
    /// With <see cref="CloseReason.ServerShutdown"/>: how long the server asks to wait before the first attempt to return. Waits of more
    /// than 1 hour count as 1 hour. Zero, the default: it does not ask for a return.
    /// </param>
    public void ExpectClose(CloseReason reason, string? message = null, TimeSpan returnAfter = default)
    {
        TimeSpan advice = reason == CloseReason.ServerShutdown && returnAfter > TimeSpan.Zero ? returnAfter : TimeSpan.Zero;
        _farewell = new Farewell(reason, message, advice < s_maxAdvice ? advice : s_maxAdvice);
    }

    /// <summary>
    /// Closes the connection in order (see <see cref="ReconnectOptions.Leaving"/>), or ends the attempts to return, and waits for the end.
    /// May be repeated. Do not await it in a handler or callback of this connection: the end waits for them.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        await _closing.CancelAsync().ConfigureAwait(false);
        if (Current is { } connection)
        {
            Leave(connection);
        }

        await Closed.ConfigureAwait(false);
    }

    /// <summary>Makes the first connection.</summary>
    internal async Task OpenAsync(CancellationToken cancellationToken)
    {
        Connection connection;
        try
        {
            connection = await ConnectAsync(attempt: null, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            _closed.TrySetResult(new ReconnectEnd(CloseReason.LocalClose, message: null, e)); // for a handler that has called DisposeAsync
            throw;
        }

        _ = RunAsync(connection);
    }

    private async Task RunAsync(Connection first)
    {
        Connection? connection = first;
        ReconnectEnd end;
        do
        {
            // A full fence: either DisposeAsync, which cancels first, sees the connection, or the cancellation is seen below.
            Interlocked.Exchange(ref _current, connection);
            if (connection != first)
            {
                Tell(_options.Reconnected, connection);
            }

            if (_closing.IsCancellationRequested)
            {
                Leave(connection);
            }

            CloseReason seen = await connection.Closed.ConfigureAwait(false);
            Volatile.Write(ref _current, null);
            (connection, end) = await ReturnAsync(EndOf(seen)).ConfigureAwait(false);
        }
        while (connection is not null);

        Tell(_options.Ended, end);
        _closed.SetResult(end);
    }

    /// <summary>Makes attempts until one succeeds.</summary>
    /// <returns>The connection, or <see langword="null"/> and the end.</returns>
    private async Task<(Connection? Connection, ReconnectEnd End)> ReturnAsync(Farewell broken)
    {
        var end = new ReconnectEnd(broken.Reason, broken.Message, error: null);
        if (_closing.IsCancellationRequested
            || !(ReconnectPolicy.IsBreak(broken.Reason) || broken.IsPlannedStop)
            || !Ask(_options.ShouldReturn, broken.Reason, otherwise: true))
        {
            return (null, end);
        }

        long start = _time.GetTimestamp();
        TimeSpan advice = broken.ReturnAfter;
        for (int number = 1; ; number++)
        {
            TimeSpan delay = advice > TimeSpan.Zero ? advice : ReconnectPolicy.DelayBefore(_options, number);
            var attempt = new ReconnectAttempt(number, delay, broken.Reason, broken.Message);
            Tell(_options.Reconnecting, attempt);
            try
            {
                await Task.Delay(delay, _time, _closing.Token).ConfigureAwait(false);
                return (await ConnectAsync(attempt, _closing.Token).ConfigureAwait(false), end);
            }
            catch (Exception e) when (_closing.IsCancellationRequested || e is ObjectDisposedException)
            {
                return (null, new ReconnectEnd(CloseReason.LocalClose, message: null, error: null)); // this side has closed meanwhile
            }
            catch (Exception e)
            {
                HostingLog.ReconnectFailed(_logger, number, e.Message);
                bool mayPass = MayPass(e);
                if (!mayPass || _time.GetElapsedTime(start) >= _options.GiveUpAfter + broken.ReturnAfter)
                {
                    return (null, e is ConnectionClosedException closed && !mayPass
                        ? new ReconnectEnd(closed.Reason, _farewell?.Message, e)
                        : end with { Error = e });
                }

                advice = _farewell?.ReturnAfter ?? TimeSpan.Zero;
            }
        }
    }

    /// <summary>Makes one attempt. When it fails, its connection has ended.</summary>
    private async Task<Connection> ConnectAsync(ReconnectAttempt? attempt, CancellationToken cancellationToken)
    {
        _farewell = null;
        Connection connection = await _connect(this, cancellationToken).ConfigureAwait(false);
        using var entering = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, connection.Aborted);
        try
        {
            await _enter(connection, attempt, entering.Token).ConfigureAwait(false);
            return connection;
        }
        catch (Exception e)
        {
            bool hasEnded = !connection.IsOpen;
            connection.Abort();
            CloseReason seen = await connection.Closed.ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            if (hasEnded && e is OperationCanceledException or ConnectionClosedException)
            {
                throw new ConnectionClosedException(connection.Id, EndOf(seen).Reason);
            }

            throw;
        }
    }

    private Farewell EndOf(CloseReason seen) => _farewell switch
    {
        null => new Farewell(seen, Message: null, ReturnAfter: TimeSpan.Zero),
        { Reason: CloseReason.None } told => told with { Reason = seen },
        { } told => told,
    };

    private bool MayPass(Exception exception) => exception is ConnectionClosedException && _farewell is { IsPlannedStop: true }
        || ReconnectPolicy.MayPass(exception)
        || (exception is not ConnectionClosedException && Ask(_options.MayPass, exception, otherwise: false));

    // DisposeAsync and the loop may both come here, with the same connection: a close by the second would overtake the goodbye of the
    // first.
    private void Leave(Connection connection)
    {
        if (Interlocked.Exchange(ref _hasLeft, 1) == 0)
        {
            Tell(_options.Leaving, connection);
            connection.Close();
        }
    }

    private void Tell<T>(Action<T>? callback, T about) =>
        Ask(callback is null ? null : told => { callback(told); return true; }, about, otherwise: true);

    private bool Ask<T>(Func<T, bool>? callback, T about, bool otherwise)
    {
        try
        {
            return callback is null ? otherwise : callback(about);
        }
        catch (Exception e)
        {
            // The application's code: its exception must not end the loop.
            HostingLog.ReconnectCallbackFault(_logger, e);
            return false;
        }
    }

    /// <summary>How a connection ended, or is about to.</summary>
    private sealed record Farewell(CloseReason Reason, string? Message, TimeSpan ReturnAfter)
    {
        public bool IsPlannedStop => ReturnAfter > TimeSpan.Zero;
    }
}
