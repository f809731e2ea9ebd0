using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Simulation.Cluster;

/// <summary>A node's way to the directory of the world, the product's <see cref="LocalDirectoryStore"/>: questions and answers take their
/// time, and some are lost.</summary>
internal sealed class SimulatedDirectory(Machine machine, Dice dice) : IClusterDirectory
{
    private readonly LocalDirectoryStore _store = machine.Fleet.Directory;
    private readonly ClusterPlan _plan = machine.Fleet.Plan;
    private NodeLease? _lease;

    private SimulatedWorld World => machine.World;

    private RecordOrigin Origin => _lease?.Origin ?? throw new InvalidOperationException("The node is not registered.");

    public async Task<NodeLease> RegisterAsync(int nodeId, string endpoint, CancellationToken cancellationToken = default)
    {
        RecordOrigin? own = _lease?.Origin;
        return _lease = await RunAsync(
            () =>
            {
                NodeLease lease = _store.Register(nodeId, endpoint, "", own);
                machine.Fleet.OnRegistered(machine);
                return lease;
            },
            cancellationToken,
            isOfLease: true);
    }

    public Task<bool> RenewAsync(CancellationToken cancellationToken = default)
    {
        RecordOrigin origin = Origin;
        return RunAsync(() => _store.Renew(origin), cancellationToken, isOfLease: true);
    }

    public Task UnregisterAsync(CancellationToken cancellationToken = default)
    {
        machine.NoteOwnTrouble(); // if it fails, the others take the node for dead
        return AskAsync(_store.Unregister, cancellationToken);
    }

    public Task<RecordOrigin?> AcquireRoomAsync(long roomId, bool hasState, CancellationToken cancellationToken = default) => AskAsync(
        origin =>
        {
            RecordOrigin? owner = _store.AcquireRoom(origin, roomId, hasState);
            machine.Fleet.Rooms?.OnNamed(roomId, origin, owner);
            return owner;
        },
        cancellationToken);

    public Task<bool> ReleaseRoomAsync(long roomId, bool isOver, CancellationToken cancellationToken = default) => AskAsync(
        origin =>
        {
            bool isReleased = _store.ReleaseRoom(origin, roomId, isOver);
            machine.Fleet.Rooms?.OnReleased(roomId, origin, isReleased);
            return isReleased;
        },
        cancellationToken);

    public Task<IReadOnlyList<LostNode>> SweepAsync(CancellationToken cancellationToken = default) =>
        AskAsync(origin => _store.Sweep(origin), cancellationToken);

    public Task ConfirmLostAsync(RecordOrigin node, CancellationToken cancellationToken = default) => AskAsync(
        origin =>
        {
            _store.ConfirmLost(origin, node);
            machine.Fleet.Rooms?.OnForgotten(node);
        },
        cancellationToken);

    // A question and its answer at once: a node asks once, at its start.
    public Task<IReadOnlyList<RecordOrigin>> GetLivesAsync(CancellationToken cancellationToken = default) =>
        IsAway ? Task.FromException<IReadOnlyList<RecordOrigin>>(Away()) : Task.FromResult(_store.GetLives());

    public Task DrainAsync(CancellationToken cancellationToken = default) => AskAsync(_store.Drain, cancellationToken);

    public Task<IReadOnlyList<NodeInfo>> GetNodesAsync(CancellationToken cancellationToken = default) =>
        RunAsync(_store.GetNodes, cancellationToken);

    public Task<JoinOutcome> JoinAsync(long roomId, ClusterMember member, int maxMembers, CancellationToken cancellationToken = default) =>
        AskAsync(origin => _store.Join(origin, roomId, member, maxMembers), cancellationToken);

    public Task LeaveAsync(long roomId, long userId, long sessionId, CancellationToken cancellationToken = default) =>
        AskAsync(origin => _store.Leave(origin, roomId, userId, sessionId), cancellationToken);

    public Task<IReadOnlyList<ClusterMember>> GetMembersAsync(long roomId, CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.GetMembers(roomId), cancellationToken);

    public Task<IReadOnlyList<RoomPopulation>> GetRoomsAsync(
        long afterRoomId, int limit, CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.GetRooms(afterRoomId, limit), cancellationToken);

    public Task<IReadOnlyList<SessionPlace>> BindSessionAsync(
        long userId, long sessionId, int maxSessions, CancellationToken cancellationToken = default) =>
        AskAsync(origin => _store.BindSession(origin, userId, sessionId, maxSessions), cancellationToken);

    public Task UnbindSessionAsync(long userId, long sessionId, CancellationToken cancellationToken = default) =>
        AskAsync(origin => _store.UnbindSession(origin, userId, sessionId), cancellationToken);

    public Task<IReadOnlyList<SessionPlace>> FindSessionsAsync(long userId, CancellationToken cancellationToken = default) =>
        RunAsync(() => _store.FindSessions(userId), cancellationToken);

    public ValueTask DisposeAsync() => default;

    private Task<bool> AskAsync(Action<RecordOrigin> call, CancellationToken cancellationToken)
    {
        RecordOrigin origin = Origin;
        return RunAsync(() => call(origin), cancellationToken);
    }

    private Task<T> AskAsync<T>(Func<RecordOrigin, T> call, CancellationToken cancellationToken)
    {
        RecordOrigin origin = Origin;
        return RunAsync(() => call(origin), cancellationToken);
    }

    private Task<bool> RunAsync(Action call, CancellationToken cancellationToken) => RunAsync(
        () =>
        {
            call();
            return true;
        },
        cancellationToken);

    private Task<T> RunAsync<T>(Func<T> call, CancellationToken cancellationToken, bool isOfLease = false)
    {
        var answer = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        if (!machine.Process.IsDead)
        {
            World.Clock.After(DrawDelay(), () => Answer(call, answer, isOfLease));
        }

        return answer.Task.WaitAsync(cancellationToken);
    }

    /// <summary>The question has reached the directory, or has not.</summary>
    private void Answer<T>(Func<T> call, TaskCompletionSource<T> answer, bool isOfLease)
    {
        ClusterDirectoryException away = Away();
        if (IsAway)
        {
            // A question that hangs ends well before the lease does, as a driver's timeout sees to.
            Tell(dice.Chance(0.5) ? TimeSpan.Zero : dice.Between(0, _plan.Lease.TotalSeconds / 4), () => answer.TrySetException(away));
            return;
        }

        bool fails = World.IsChaos && _plan.Has(NodeFaults.DirectoryErrors) && dice.Chance(_plan.DirectoryErrors);
        if (fails)
        {
            World.Count("directory errors");
            machine.NoteTrouble();
            if (isOfLease)
            {
                machine.NoteOwnTrouble();
            }
        }

        Action told = () => answer.TrySetException(away);
        if (!fails || dice.Chance(0.5))
        {
            try
            {
                T result = call();
                told = fails ? told : () => answer.TrySetResult(result);
            }
            catch (Exception e) when (e is NodeFencedException or NodeIdInUseException)
            {
                told = fails ? told : () => answer.TrySetException(e);
            }
        }

        Tell(DrawDelay(), told);
    }

    private bool IsAway => machine.Fleet.IsDirectoryAway || machine.IsCutFromDirectory;

    private static ClusterDirectoryException Away() => new("The directory is away.");

    private void Tell(TimeSpan after, Action told) => World.Clock.After(after, () => machine.Process.Enter(told));

    private TimeSpan DrawDelay() => TimeSpan.FromMilliseconds(dice.Next((int)_plan.DirectoryDelay.TotalMilliseconds + 1));
}
