using System.Diagnostics.Metrics;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Sessions;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.Membership;
using PlayChat.Core;

namespace PlayChat.Chat.Cluster;

/// <summary>
/// The chat server as a node of its cluster: makes what belongs to a life of the node, and ends it. Binds players to their sessions.
/// </summary>
internal sealed class ClusterNode : IHostedLifecycleService, INodeService, IAsyncDisposable
{
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    private readonly PlayChatServer _server;
    private readonly ServerSettings _settings;
    private readonly IClusterEngine _engine;
    private readonly IClusterDirectory _directory;
    private readonly ShutdownState _shutdown;
    private readonly OtherNodes _others;
    private readonly LostNodes _lost;
    private readonly NodeMembership _membership;
    private readonly NodeStop _stop;
    private readonly IMeterFactory _meterFactory;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _stopping = new();
    private LifeMeters? _meters; // of the present life
    private volatile ClusterLife? _present; // from the beginning of a life to its end
    private volatile Standing _standing = new(Life: null, EarlierDuplicates: 0);

    public ClusterNode(
        PlayChatServer server,
        ServerSettings settings,
        IClusterEngine engine,
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
        _shutdown = shutdown;
        _others = others;
        _meterFactory = meters;
        _time = time;
        _logger = logger;
        _lost = new LostNodes(log, time, logger);
        _membership = new NodeMembership(this, _directory, settings.Cluster.SweepInterval, time, logger);
        _stop = new NodeStop(settings.Sessions.ReturnWithin, others, time, logger);
    }

    /// <summary>The node's life, while it has a place in the cluster.</summary>
    public ClusterLife? Life => _standing.Life is { IsFenced: false } life ? life : null;

    /// <summary>Batches of the log that were read twice and dropped, since the server started.</summary>
    public long Duplicates => _standing.Duplicates;

    /// <inheritdoc cref="NodeMembership.StartTimeout"/>
    public TimeSpan StartTimeout
    {
        get => _membership.StartTimeout;
        set => _membership.StartTimeout = value;
    }

    /// <inheritdoc cref="NodeStop.FindWayOut"/>
    public string? FindWayOut() => _stop.FindWayOut();

    /// <summary>Called when a room has lost its last member in the cluster, to remove it.</summary>
    public Func<ClusterLife, long, Task>? RoomEmptied { get; set; }

    /// <summary>The server joins the cluster in its own start, when its addresses are bound: a second start of a server that runs fails
    /// before that, and takes nothing from the one that runs.</summary>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        _server.OnSessionEnded(OnSessionEnded).OnBound(JoinAsync);
        return Task.CompletedTask;
    }

    private async Task JoinAsync(CancellationToken cancellationToken)
    {
        string endpoint = _settings.Cluster.AdvertisedEndpoint.Length > 0
            ? _settings.Cluster.AdvertisedEndpoint
            : _server.Options.Endpoints[0].Address;
        try
        {
            await _membership.JoinAsync(_settings.Cluster.NodeId, endpoint, cancellationToken);
        }
        catch (Exception e) when (e is ClusterDirectoryException or NodeIdInUseException)
        {
            throw new StartException(e.Message, e);
        }
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Before anything else stops: the other nodes send no more clients here, and new ones are sent to them.</summary>
    public Task StoppingAsync(CancellationToken cancellationToken) => _stop.DrainAsync(Life, cancellationToken);

    /// <summary>
    /// After the server has stopped: the node leaves the cluster when its clients have resumed elsewhere, so that the others need not wait
    /// for the end of its lease.
    /// </summary>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (Life is { } left)
        {
            await _stop.WaitForReturnsAsync(left, cancellationToken);
        }

        await LeaveAsync(cancellationToken);
    }

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

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

        await _membership.LeaveAsync(cancellationToken);
    }

    public IRoomBackplane CreateBackplane(RecordOrigin origin)
    {
        _meters = new LifeMeters(_meterFactory);
        return _engine.CreateBackplane(origin, _meters);
    }

    public async Task BeginAsync(NodeLife life, CancellationToken cancellationToken)
    {
        var begun = new ClusterLife(_server, _directory, life, _settings.Cluster, _shutdown, _time, _logger);
        begun.Leaves.Emptied = roomId => EmptiedAsync(begun, roomId);
        _present = begun;
        await begun.ReadAsync(cancellationToken);
        await _others.ReadAsync(begun, cancellationToken);
    }

    public void OnBegun(NodeLife life) => _standing = _standing with { Life = _present };

    public void OnFenced(NodeLife life)
    {
        // A call that was under way may learn it after the node has stopped.
        if (_present is { } fenced && fenced.Node == life)
        {
            fenced.EndSessions();
        }
    }

    public void OnLook(NodeLife life)
    {
        // A request that would be late at the next look is told now.
        TimeSpan timeout = _settings.Cluster.AnswerTimeout;
        TimeSpan wait = timeout > NodeMembership.LookInterval * 4 ? timeout - (NodeMembership.LookInterval * 2) : timeout / 2;
        long overdue = _time.GetTimestamp() - (long)(wait.TotalSeconds * _time.TimestampFrequency);
        foreach (ShardFeed feed in _present!.Feeds)
        {
            feed.ForgetDead();
            foreach (LogOrder room in feed.Rooms)
            {
                if (room.OldestPending is var oldest && oldest != 0 && oldest <= overdue)
                {
                    room.NoteOverdue(overdue);
                }
            }
        }
    }

    public Task OnSweepingAsync(NodeLife life, CancellationToken cancellationToken) => _others.ReadAsync(_present!, cancellationToken);

    public Task AnnounceAsync(NodeLife life, LostNode lost, CancellationToken cancellationToken) =>
        _lost.AnnounceAsync(_present!, lost, cancellationToken);

    public async Task OnForgottenAsync(NodeLife life, LostNode lost, CancellationToken cancellationToken)
    {
        foreach (long roomId in lost.Members.Select(static member => member.RoomId).Distinct())
        {
            await EmptiedAsync(_present!, roomId);
        }
    }

    public async Task EndAsync(NodeLife life)
    {
        ClusterLife ended = _present!;
        if (life.IsFenced)
        {
            await ended.SessionsEnded;
        }

        CloseUnused(ended);
        while (life.IsFenced && ended.Feeds.Any(static feed => feed.Rooms.Length > 0) && !_stopping.IsCancellationRequested)
        {
            await Task.Delay(NodeMembership.LookInterval, _time, _stopping.Token)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            CloseUnused(ended);
        }

        await ended.DisposeAsync();
        _standing = new Standing(Life: null, _standing.Duplicates);
        _present = null;
        _meters?.Dispose();
    }

    /// <summary>Makes a session known in the cluster. Those of its player that are too many now, and the one that it continues, end soon:
    /// later when the log is away.</summary>
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
                    life.FenceWithoutLease();
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

    /// <returns>Whether it is done, for good also where the player has older sessions: the log has their end.</returns>
    private async Task<bool> TryBindAsync(ClusterLife life, Session session, CancellationToken cancellationToken)
    {
        var user = (ChatUser)session.User!;
        IReadOnlyList<SessionPlace> older = await life.Directory.BindSessionAsync(
            user.Id, session.Id, _settings.PlayChat.Sessions.MaxPerUser, cancellationToken);
        return older.All(place => life.PublishKick(user.Id, place))
            && (user.ContinuedTokenHash is not { } continued || life.PublishMoved(user.Id, continued));
    }

    /// <summary>Ends the replicas, and what waits for an answer of the log: a session ends when its handler has returned.</summary>
    private static void CloseUnused(ClusterLife ended)
    {
        foreach (LogOrder room in ended.Feeds.SelectMany(static feed => feed.Rooms))
        {
            room.NoteOverdue(long.MaxValue);
            room.CloseIfUnused();
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
        public long Duplicates => EarlierDuplicates + (Life?.Backplane.Meter.Duplicates ?? 0);
    }
}
