using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Connections;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Hosting;

/// <summary>
/// Stops a server in order: accepts nothing new, runs what the rooms have queued, hands over, tells the sessions, delivers, ends the rooms.
/// When <see cref="PlayChatOptions.StopTimeout"/> is over, or the caller's token is cancelled, it aborts what is left.
/// </summary>
/// <remarks>Thread-safe. Invariant: at most one drain begins, and none before the start has ended or had its time.</remarks>
internal sealed class ServerDrain : IAsyncDisposable
{
    // How long the application's code may still run when the stop timeout is over and its token is cancelled.
    private static readonly TimeSpan s_lastPatience = TimeSpan.FromSeconds(5);

    private readonly object _gate = new();
    private readonly CancellationTokenSource _asked = new(); // not disposed: it has no timer, and a start may still look at it
    private readonly TaskCompletionSource _startEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task? _stopping; // written under _gate
    private volatile bool _hasServed;

    internal required PlayChatOptions Options { get; init; }

    internal required TimeProvider Time { get; init; }

    internal required ILogger Logger { get; init; }

    internal required EndpointSet Endpoints { get; init; }

    internal required SessionRegistry Sessions { get; init; }

    internal required RoomRegistry Rooms { get; init; }

    /// <summary>Disposed when the rooms get their last time: that wakes those that wait for their flush interval.</summary>
    internal required RoomServices RoomServices { get; init; }

    internal required ConnectionSet Connections { get; init; }

    /// <summary>The connections that are told why they are refused.</summary>
    internal required ConnectionSet Refused { get; init; }

    /// <summary>In the order of their start.</summary>
    internal required IReadOnlyList<IServerPart> Parts { get; init; }

    /// <summary>Frees the server when nothing of it runs any more.</summary>
    internal required Action Free { get; init; }

    /// <summary>Cancelled when a stop was asked for.</summary>
    internal CancellationToken Asked => _asked.Token;

    /// <summary>Whether the server has started, and does not stop.</summary>
    internal bool IsServing => _hasServed && Volatile.Read(ref _stopping) is null;

    /// <summary>The server accepts clients.</summary>
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
        await _startEnded.Task.WaitAsync(s_lastPatience, Time, CancellationToken.None)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // A failed start throws its own error, and had nothing to drain that a log should mention.
        ILogger logger = _hasServed ? Logger : NullLogger.Instance;
        using var timeout = new CancellationTokenSource(Options.StopTimeout, Time);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeout.Token);
        HostingLog.Stopping(logger, Connections.Count);
        await Endpoints.DisposeAsync().ConfigureAwait(false);
        Sessions.StopResuming();
        Task empty = Task.WhenAll(Connections.CloseAsync(), Refused.CloseAsync());
        try
        {
            patience.Token.ThrowIfCancellationRequested();
            // Frames that were received before are handled, so their jobs are queued in rooms; a room drains when it has run them.
            await Rooms.DrainAsync(patience.Token).ConfigureAwait(false);
            foreach (IServerPart part in Parts)
            {
                await part.HandOverAsync(patience.Token).ConfigureAwait(false);
            }

            foreach (Connection connection in Connections.All)
            {
                connection.TellAndClose(CloseReason.ServerShutdown);
            }

            await empty.WaitAsync(patience.Token).ConfigureAwait(false);
            // The sessions have ended. Rooms learn of it in one more turn, and then end as well.
            await Rooms.EndAsync(patience.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            HostingLog.Aborting(logger, Connections.Count);
            AbortAll();
            await HandlersReturnedAsync(empty, logger).ConfigureAwait(false);
            RoomServices.Dispose();
            await RoomsEndedAsync(logger).ConfigureAwait(false);
        }

        foreach (IServerPart part in Parts)
        {
            await part.DisposeAsync().ConfigureAwait(false);
        }

        Free();
        HostingLog.Stopped(logger);
    }

    /// <summary>
    /// Waits a bounded time for handlers that still run: every link is aborted, so only those that ignore their token do.
    /// </summary>
    private async Task HandlersReturnedAsync(Task empty, ILogger logger)
    {
        try
        {
            await empty.WaitAsync(s_lastPatience, Time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            HostingLog.HandlersLeft(logger, Connections.Count);
        }
    }

    /// <summary>Ends the rooms, and waits a bounded time: a turn that does not return must not delay the stop without end.</summary>
    private async Task RoomsEndedAsync(ILogger logger)
    {
        using var patience = new CancellationTokenSource(s_lastPatience, Time);
        try
        {
            await Rooms.EndAsync(patience.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            HostingLog.RoomsLeft(logger);
        }
    }

    private void AbortAll()
    {
        foreach (Connection connection in Connections.All.Concat(Refused.All))
        {
            connection.Abort(CloseReason.ServerShutdown);
        }
    }
}
