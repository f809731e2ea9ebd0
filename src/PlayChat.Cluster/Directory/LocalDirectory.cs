namespace PlayChat.Cluster.Directory;

/// <summary>A directory in the memory of the process: for a server that is one node, and for tests of several nodes in one
/// process.</summary>
/// <remarks>Every call completes synchronously.</remarks>
public sealed class LocalDirectory : IClusterDirectory
{
    private readonly LocalDirectoryStore _store;
    private readonly string _version;
    private volatile NodeLease? _lease;
    private volatile bool _disposed;

    /// <summary>Creates the directory of one node.</summary>
    /// <param name="store">The tables. Nodes of one process that share them form a cluster; by default the node is alone, and its lease
    /// never ends.</param>
    /// <param name="version">The version of the node's program, for <see cref="NodeInfo.Version"/>.</param>
    public LocalDirectory(LocalDirectoryStore? store = null, string version = "")
    {
        ArgumentNullException.ThrowIfNull(version);
        _store = store ?? new LocalDirectoryStore(Timeout.InfiniteTimeSpan);
        _version = version;
    }

    /// <inheritdoc/>
    public Task<NodeLease> RegisterAsync(int nodeId, string endpoint, CancellationToken cancellationToken = default)
    {
        DirectoryArguments.CheckRegister(nodeId, endpoint);
        return RunAsync(() => _lease = _store.Register(nodeId, endpoint, _version, _lease?.Origin), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<bool> RenewAsync(CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.Renew(Origin()), cancellationToken);

    /// <inheritdoc/>
    public Task DrainAsync(CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.Drain(Origin()), cancellationToken);

    /// <inheritdoc/>
    public Task UnregisterAsync(CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.Unregister(Origin()), cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<NodeInfo>> GetNodesAsync(CancellationToken cancellationToken = default) =>
        RunAsync(_store.GetNodes, cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<RecordOrigin>> GetLivesAsync(CancellationToken cancellationToken = default) =>
        RunAsync(_store.GetLives, cancellationToken);

    /// <inheritdoc/>
    public Task<JoinOutcome> JoinAsync(long roomId, ClusterMember member, int maxMembers, CancellationToken cancellationToken = default)
    {
        DirectoryArguments.CheckJoin(member, maxMembers);
        return RunAsync(() => _store.Join(Origin(), roomId, member, maxMembers), cancellationToken);
    }

    /// <inheritdoc/>
    public Task LeaveAsync(long roomId, long userId, long sessionId, CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.Leave(Origin(), roomId, userId, sessionId), cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<ClusterMember>> GetMembersAsync(long roomId, CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.GetMembers(roomId), cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<RoomPopulation>> GetRoomsAsync(long afterRoomId, int limit, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        return RunAsync(() => _store.GetRooms(afterRoomId, limit), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<SessionPlace>> BindSessionAsync(
        long userId, long sessionId, int maxSessions, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxSessions, 1);
        return RunAsync(() => _store.BindSession(Origin(), userId, sessionId, maxSessions), cancellationToken);
    }

    /// <inheritdoc/>
    public Task UnbindSessionAsync(long userId, long sessionId, CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.UnbindSession(Origin(), userId, sessionId), cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<SessionPlace>> FindSessionsAsync(long userId, CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.FindSessions(userId), cancellationToken);

    /// <inheritdoc/>
    public Task<RecordOrigin?> AcquireRoomAsync(long roomId, bool hasState, CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.AcquireRoom(Origin(), roomId, hasState), cancellationToken);

    /// <inheritdoc/>
    public Task<bool> ReleaseRoomAsync(long roomId, bool isOver, CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.ReleaseRoom(Origin(), roomId, isOver), cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<LostNode>> SweepAsync(CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.Sweep(Origin()), cancellationToken);

    /// <inheritdoc/>
    public Task ConfirmLostAsync(RecordOrigin node, CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.ConfirmLost(Origin(), node), cancellationToken);

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _disposed = true;
        return ValueTask.CompletedTask;
    }

    private RecordOrigin Origin() => _lease?.Origin
        ?? throw new InvalidOperationException($"Call {nameof(RegisterAsync)} first: only a registered node may change the directory.");

    private Task<bool> RunAsync(Action work, CancellationToken cancellationToken) => RunAsync(
        () =>
        {
            work();
            return true;
        },
        cancellationToken);

    private Task<T> RunAsync<T>(Func<T> work, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (cancellationToken.IsCancellationRequested)
        {
            return Task.FromCanceled<T>(cancellationToken);
        }

        try
        {
            return Task.FromResult(work());
        }
        catch (Exception exception) when (exception is NodeFencedException or NodeIdInUseException)
        {
            return Task.FromException<T>(exception);
        }
    }
}
