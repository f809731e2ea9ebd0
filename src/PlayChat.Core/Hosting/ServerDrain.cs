using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Rooms;

namespace PlayChat.Core.Hosting;

/// <summary>
/// Stops a server in order: accepts nothing new, runs what the rooms have queued, hands over, tells the sessions, delivers, ends the rooms.
/// When <see cref="PlayChatOptions.StopTimeout"/> is over, or the caller's token is cancelled, it aborts what is left.
/// </summary>
/// <remarks>Thread-safe. Invariant: at most one drain begins, and none before the start has ended or had its time.</remarks>
/// <param name="options">How long the drain may take.</param>
/// <param name="time">Its clock.</param>
/// <param name="logger">Not used if the server has never served.</param>
/// <param name="endpoints">Accept clients until the drain begins.</param>
/// <param name="sessions">Of the server.</param>
/// <param name="rooms">Of the server.</param>
/// <param name="roomServices">Disposed to wake the rooms that wait for their flush interval.</param>
/// <param name="connections">Of the server.</param>
/// <param name="refused">The connections that are told why they are refused.</param>
/// <param name="parts">In the order of their start.</param>
/// <param name="free">Frees the server when nothing of it runs any more.</param>
internal sealed class ServerDrain(
    PlayChatOptions options,
    TimeProvider time,
    ILogger logger,
    EndpointSet endpoints,
    SessionRegistry sessions,
    RoomRegistry rooms,
    RoomServices roomServices,
    ConnectionSet connections,
    ConnectionSet refused,
    IReadOnlyList<IServerPart> parts,
    Action free) : IAsyncDisposable
{
    // How long the application's code may still run when the stop timeout is over and its token is cancelled.
    private static readonly TimeSpan s_lastPatience = TimeSpan.FromSeconds(5);

    private readonly object _gate = new();
    private readonly CancellationTokenSource _asked = new(); // not disposed: it has no timer, and a start may still look at it
    private readonly TaskCompletionSource _startEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task? _stopping; // written under _gate
    private volatile bool _hasServed;

    /// <summary>Cancelled when a stop was asked for.</summary>
    internal CancellationToken Asked => _asked.Token;

    /// <summary>Whether the server has started, and does not stop.</summary>
    internal bool IsServing => _hasServed && Volatile.Read(ref _stopping) is null;

    internal void BeginServing() => _hasServed = true;

    /// <summary>Lets a stop proceed that was asked for during the start.</summary>
    internal void EndStart() => _startEnded.TrySetResult();

    /// <summary>Stops without patience.</summary>
    public async ValueTask DisposeAsync() => await StopAsync(new CancellationToken(canceled: true)).ConfigureAwait(false);

    /// <summary>Begins the drain, or hurries the one under way if the token is cancelled.</summary>
    internal Task StopAsync(CancellationToken cancellationToken)
    {
        bool hurry;
        Task stopping;
        _asked.Cancel();
        lock (_gate)
        {
            hurry = _stopping is { IsCompleted: false } && cancellationToken.IsCancellationRequested;
            // On the thread pool: a drain calls the application, which must not happen under the gate.
            stopping = _stopping ??= Task.Run(() => DrainAsync(cancellationToken), CancellationToken.None);
        }

        if (hurry)
        {
            AbortAll();
        }

        return stopping;
    }

    private async Task DrainAsync(CancellationToken cancellationToken)
    {
        // Also with a cancelled token: the start has been asked to end.
        await _startEnded.Task.WaitAsync(s_lastPatience, time, CancellationToken.None)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // A failed start throws its own error, and had nothing to drain that a log should mention.
        ILogger log = _hasServed ? logger : NullLogger.Instance;
        using var timeout = new CancellationTokenSource(options.StopTimeout, time);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeout.Token);
        HostingLog.Stopping(log, connections.Count);
        await endpoints.DisposeAsync().ConfigureAwait(false);
        sessions.StopResuming();
        Task empty = Task.WhenAll(connections.CloseAsync(), refused.CloseAsync());
        try
        {
            patience.Token.ThrowIfCancellationRequested();
            // Frames that were received before are handled, so their jobs are queued in rooms; a room drains when it has run them.
            await rooms.DrainAsync(patience.Token).ConfigureAwait(false);
            foreach (IServerPart part in parts)
            {
                await part.HandOverAsync(patience.Token).ConfigureAwait(false);
            }

            foreach (Connection connection in connections.All)
            {
                connection.TellAndClose(CloseReason.ServerShutdown);
            }

            await empty.WaitAsync(patience.Token).ConfigureAwait(false);
            // The sessions have ended. Rooms learn of it in one more turn, and then end as well.
            await rooms.EndAsync(patience.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            HostingLog.Aborting(log, connections.Count);
            AbortAll();
            await HandlersReturnedAsync(empty, log).ConfigureAwait(false);
            roomServices.Dispose();
            await RoomsEndedAsync(log).ConfigureAwait(false);
        }

        foreach (IServerPart part in parts)
        {
            await part.DisposeAsync().ConfigureAwait(false);
        }

        free();
        HostingLog.Stopped(log);
    }

    /// <summary>
    /// Waits a bounded time for handlers that still run: every link is aborted, so only those that ignore their token do.
    /// </summary>
    private async Task HandlersReturnedAsync(Task empty, ILogger log)
    {
        try
        {
            await empty.WaitAsync(s_lastPatience, time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            HostingLog.HandlersLeft(log, connections.Count);
        }
    }

    /// <summary>Ends the rooms, and waits a bounded time: a turn that does not return must not delay the stop without end.</summary>
    private async Task RoomsEndedAsync(ILogger log)
    {
        using var patience = new CancellationTokenSource(s_lastPatience, time);
        try
        {
            await rooms.EndAsync(patience.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            HostingLog.RoomsLeft(log);
        }
    }

    private void AbortAll()
    {
        foreach (Connection connection in connections.All.Concat(refused.All))
        {
            connection.Abort(CloseReason.ServerShutdown);
        }
    }
}
