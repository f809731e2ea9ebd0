using System.Diagnostics.Metrics;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using PlayChat.Cluster.Directory;
using PlayChat.Core;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Server.ChatLog;
using PlayChat.Server.Configuration;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Sessions;
using PlayChat.Storage;

namespace PlayChat.Server.Cluster;

/// <summary>
/// Keeps the server in its cluster: renews its lease, removes nodes that have ended, and starts another life after a fence.
/// </summary>
internal sealed class ClusterNode : IHostedLifecycleService, IAsyncDisposable
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    private readonly PlayChatServer _server;
    private readonly ServerSettings _settings;
    private readonly IClusterEngine _engine;
    private readonly IClusterDirectory _directory;
    private readonly IChatStore _store;
    private readonly ShutdownState _shutdown;
    private readonly OtherNodes _others;
    private readonly NodeSweep _sweep;
    private readonly NodeStop _stop;
    private readonly IMeterFactory _meters;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _stopping = new();
    private Task _running = Task.CompletedTask;
    private volatile Standing _standing = new(Life: null, EarlierDuplicates: 0);

    public ClusterNode(
        PlayChatServer server,
        ServerSettings settings,
        IClusterEngine engine,
        IChatStore store,
        ChatLogGate log,
        ShutdownState shutdown,
        OtherNodes others,
        IMeterFactory meters,
        TimeProvider time,
        ILogger<ClusterNode> logger)
    {
        _server = server;
        _settings = settings;
        _engine = engine;
        _directory = engine.CreateDirectory();
        _store = store;
        _shutdown = shutdown;
        _others = others;
        _meters = meters;
        _time = time;
        _logger = logger;
        _sweep = new NodeSweep(settings.Cluster.SweepInterval, others, log, EmptiedAsync, time, logger, _stopping.Token);
        _stop = new NodeStop(settings.Sessions.ReturnWithin, others, time, logger);
    }

    /// <summary>The node's life, while it has a place in the cluster.</summary>
    public ClusterLife? Life => _standing.Life is { IsFenced: false } life ? life : null;

    /// <summary>Batches of the log that were read twice and dropped, since the server started.</summary>
    public long Duplicates => _standing.Duplicates;

    /// <summary>How long the log and the directory may take until the node has a place in the cluster. Then it begins anew.</summary>
    /// <remarks>A log that was deleted and made again while the node began to read it never gives back what the node waits for.</remarks>
    public TimeSpan StartTimeout { get; set; } = TimeSpan.FromSeconds(60);

    /// <inheritdoc cref="NodeStop.FindWayOut"/>
    public string? FindWayOut() => _stop.FindWayOut();

    /// <summary>Called when a room has lost its last member in the cluster, to remove it.</summary>
    public Func<ClusterLife, long, Task>? RoomEmptied { get; set; }

    /// <summary>The server joins the cluster in its own start, when its addresses are bound: a second start of a server that runs fails
    /// before that, and takes nothing from the one that runs.</summary>
    /// <param name="cancellationToken">Unused.</param>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        _server.OnSessionEnded(OnSessionEnded).OnBound(JoinAsync);
        return Task.CompletedTask;
    }

    private async Task JoinAsync(CancellationToken cancellationToken)
    {
        ClusterLife life;
        try
        {
            life = await BeginAsync(cancellationToken);
        }
        catch (Exception e) when (e is ClusterDirectoryException or NodeIdInUseException)
        {
            throw new StartException(e.Message, e);
        }

        _running = Task.Run(() => RunAsync(life), CancellationToken.None);
    }

    /// <inheritdoc/>
    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Before anything else stops: the other nodes send no more clients here, and new ones are sent to them.</summary>
    /// <param name="cancellationToken">Ends the host's patience.</param>
    public Task StoppingAsync(CancellationToken cancellationToken) => _stop.DrainAsync(Life, cancellationToken);

    /// <summary>
    /// After the server has stopped: the node leaves the cluster when its clients have resumed elsewhere, so that the others need not wait
    /// for the end of its lease.
    /// </summary>
    /// <param name="cancellationToken">Ends the host's patience.</param>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (Life is { } left)
        {
            await _stop.WaitForReturnsAsync(left, cancellationToken);
        }

        await LeaveAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await LeaveAsync(CancellationToken.None); // a start that fails later than this part's own is followed by no stop
        await _directory.DisposeAsync();
        _stopping.Dispose();
    }

    private async Task LeaveAsync(CancellationToken cancellationToken)
    {
        if (!_stopping.IsCancellationRequested)
        {
            await _stopping.CancelAsync();
        }

        await _running;
        if (_standing.Life is { } life)
        {
            End();
            await life.DisposeAsync();
            await _stop.UnregisterAsync(life, cancellationToken);
        }
    }

    /// <summary>Makes a session the only one of its player in the cluster. The older one ends soon: later when the log is away.</summary>
    /// <exception cref="ClusterDirectoryException">The directory is away.</exception>
    /// <exception cref="NodeFencedException">The node has lost its place.</exception>
    public async Task BindAsync(ClusterLife life, Session session, CancellationToken cancellationToken)
    {
        if (!await TryBindAsync(life, session, cancellationToken))
        {
            BindLater(life, session);
        }
    }

    /// <summary>
    /// Does the same for a player that is let in already: tries until it is done, the session has ended, or the life has.
    /// </summary>
    /// <remarks>Not at once, so that the player joins its rooms first: the end of the older session would be its leave.</remarks>
    public void BindLater(ClusterLife life, Session session)
    {
        _ = BindWhenBackAsync(_stopping.Token);

        async Task BindWhenBackAsync(CancellationToken stopping)
        {
            bool isDone = false;
            while (!isDone)
            {
                await Task.Delay(s_pause, _time, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (stopping.IsCancellationRequested || life.IsFenced || _server.Sessions.Find(session.Id) is null)
                {
                    return;
                }

                try
                {
                    isDone = await TryBindAsync(life, session, stopping);
                }
                catch (NodeFencedException)
                {
                    life.Fence("its lease has ended");
                }
                catch (Exception e) when (e is ClusterDirectoryException or OperationCanceledException)
                {
                    // The first try has logged why.
                }
            }

            if (_server.Sessions.Find(session.Id) is null)
            {
                await UnbindAsync(life, session.User!.Id, session.Id); // it has ended meanwhile, maybe before the directory had it
            }
        }
    }

    /// <returns>Whether it is done, for good also where the player has an older session on another node: the log has its end.</returns>
    private static async Task<bool> TryBindAsync(ClusterLife life, Session session, CancellationToken cancellationToken)
    {
        long userId = session.User!.Id;
        return await life.Directory.BindSessionAsync(userId, session.Id, cancellationToken) is not { } older
            || older.Node == life.Origin
            || life.PublishKick(userId, older);
    }

    private async Task<ClusterLife> BeginAsync(CancellationToken cancellationToken)
    {
        string endpoint = _settings.Cluster.AdvertisedEndpoint.Length > 0
            ? _settings.Cluster.AdvertisedEndpoint
            : _server.Options.Endpoints[0].Address;
        NodeLease lease = await _directory.RegisterWhenFreeAsync(_settings.Cluster.NodeId, endpoint, _logger, _time, cancellationToken);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(StartTimeout);
        try
        {
            return await BeginAsync(lease, endpoint, patience);
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            throw new ClusterDirectoryException(
                $"The cluster's log or directory did not answer within {StartTimeout.TotalSeconds:0} seconds. Start it first.", e);
        }
    }

    private async Task<ClusterLife> BeginAsync(NodeLease lease, string endpoint, CancellationTokenSource patience)
    {
        CancellationToken cancellationToken = patience.Token;
        var life = new ClusterLife(
            _server, _directory, lease, _engine, _meters, _settings.Cluster, _shutdown, _time, _logger);
        life.Leaves.Emptied = roomId => EmptiedAsync(life, roomId);
        Task reading = life.ReadAsync(cancellationToken);
        try
        {
            while (!reading.IsCompleted)
            {
                await Task.WhenAny(reading, Task.Delay(lease.Duration / 3, _time, cancellationToken));
                if (!reading.IsCompleted && !await _directory.RenewAsync(cancellationToken))
                {
                    throw new ClusterDirectoryException("The node has lost its lease while it read the log.");
                }
            }

            await reading;
            await _others.ReadAsync(life, cancellationToken);
        }
        catch
        {
            await patience.CancelAsync();
            await reading.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // it still adds subscriptions to the life
            await life.DisposeAsync();
            await _stop.UnregisterAsync(life, CancellationToken.None);
            throw;
        }

        _standing = _standing with { Life = life };
        ServerLog.ClusterJoined(_logger, lease.Origin.NodeId, lease.Origin.Incarnation, endpoint);
        return life;
    }

    /// <summary>The node has no place in the cluster any more.</summary>
    private void End() => _standing = new Standing(Life: null, _standing.Duplicates);

    private async Task RunAsync(ClusterLife life)
    {
        while (!_stopping.IsCancellationRequested)
        {
            await LiveAsync(life);
            if (_stopping.IsCancellationRequested)
            {
                return;
            }

            await life.Fenced;
            while (life.Feeds.Any(static feed => feed.Rooms.Length > 0) && !_stopping.IsCancellationRequested)
            {
                await Task.Delay(s_look, _time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }

            await life.DisposeAsync(); // it counts no more duplicates
            End();
            while (!_stopping.IsCancellationRequested)
            {
                try
                {
                    life = await BeginAsync(_stopping.Token);
                    break;
                }
                catch (Exception e) when (e is not OperationCanceledException)
                {
                    ServerLog.ClusterDirectoryFailed(_logger, e.Message);
                    await Task.Delay(s_pause, _time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                }
                catch (OperationCanceledException)
                {
                    return;
                }
            }
        }
    }

    /// <summary>Renews the lease, sweeps, and fails overdue requests, until the life ends.</summary>
    private async Task LiveAsync(ClusterLife life)
    {
        TimeSpan lease = life.Lease.Duration;
        bool hasEnd = lease != Timeout.InfiniteTimeSpan;
        TimeSpan end = lease * 0.8;
        TimeSpan ask = end - LogProbe.Patience > lease / 2 ? end - LogProbe.Patience : lease / 2;
        long lastTry = _time.GetTimestamp();
        life.NoteRenewed(lastTry);
        Task renewing = Task.CompletedTask;
        while (!life.IsFenced && !_stopping.IsCancellationRequested)
        {
            await Task.Delay(s_look, _time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            TimeSpan age = life.LeaseAge;
            // While the node reads the log, the log tells it when another node has declared it dead. Its clients can stay until then.
            if (hasEnd && age > ask && life.Probe.IsSilent() && age > end)
            {
                life.Fence("it could not renew its lease in time, and the log does not answer");
                return;
            }

            if (hasEnd && renewing.IsCompleted && age >= lease / 3.5 && _time.GetElapsedTime(lastTry) >= lease / 10)
            {
                lastTry = _time.GetTimestamp();
                renewing = RenewAsync();
            }

            _sweep.SweepIfDue(life);
            FailOverdue(life);
        }

        async Task RenewAsync()
        {
            long before = _time.GetTimestamp();
            try
            {
                if (await life.Directory.RenewAsync(_stopping.Token))
                {
                    life.NoteRenewed(before);
                }
                else
                {
                    life.Fence("its lease has ended");
                }
            }
            catch (OperationCanceledException)
            {
                // The server stops.
            }
            catch (Exception e)
            {
                ServerLog.ClusterDirectoryFailed(_logger, e.Message);
            }
        }
    }

    private void FailOverdue(ClusterLife life)
    {
        // A request that would be late at the next look is told now.
        TimeSpan timeout = _settings.Cluster.AnswerTimeout;
        TimeSpan wait = timeout > s_look * 4 ? timeout - (s_look * 2) : timeout / 2;
        long overdue = _time.GetTimestamp() - (long)(wait.TotalSeconds * _time.TimestampFrequency);
        foreach (ShardFeed feed in life.Feeds)
        {
            foreach (LogOrder room in feed.Rooms)
            {
                if (room.OldestPending is var oldest && oldest != 0 && oldest <= overdue)
                {
                    room.NoteOverdue(overdue);
                }
            }
        }
    }

    private Task EmptiedAsync(ClusterLife life, long roomId) => RoomEmptied?.Invoke(life, roomId) ?? Task.CompletedTask;

    private void OnSessionEnded(Session session, CloseReason reason)
    {
        if (session.User is { } user && Life is { } life && !_shutdown.IsStopping)
        {
            _ = UnbindAsync(life, user.Id, session.Id);
        }
    }

    private async Task UnbindAsync(ClusterLife life, long userId, long sessionId)
    {
        try
        {
            await life.Directory.UnbindSessionAsync(userId, sessionId, _stopping.Token);
        }
        catch (Exception e)
        {
            // The next login of the player, or the end of this node, replaces it.
            ServerLog.ClusterDirectoryFailed(_logger, e.Message);
        }
    }

    /// <summary>The node's life, and what those before it have counted: one reference, so that a reader sees both of one moment.</summary>
    private sealed record Standing(ClusterLife? Life, long EarlierDuplicates)
    {
        public long Duplicates => EarlierDuplicates + (Life?.Duplicates ?? 0);
    }
}
