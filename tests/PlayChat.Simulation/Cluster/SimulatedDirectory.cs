using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Simulation.Cluster;

/// <summary>A node's way to the directory of the world, the product's <see cref="LocalDirectoryStore"/>: questions and answers take their
/// time, and some are lost. What rooms of a cluster do not ask is not supported.</summary>
internal sealed class SimulatedDirectory(ClusterNode node, LocalDirectoryStore store, ClusterPlan plan, Dice dice) : IClusterDirectory
{
    private NodeLease? _lease;

    private ClusterWorld World => node.World;

    private RecordOrigin Origin => _lease?.Origin ?? throw new InvalidOperationException("The node is not registered.");

    public async Task<NodeLease> RegisterAsync(int nodeId, string endpoint, CancellationToken cancellationToken = default)
    {
        RecordOrigin? own = _lease?.Origin;
        return _lease = await RunAsync(
            () =>
            {
                NodeLease lease = store.Register(nodeId, endpoint, "", own);
                World.OnRegistered(node);
                return lease;
            },
            cancellationToken,
            isOfLease: true);
    }

    public Task<bool> RenewAsync(CancellationToken cancellationToken = default)
    {
        RecordOrigin origin = Origin;
        return RunAsync(() => store.Renew(origin), cancellationToken, isOfLease: true);
    }

    public Task UnregisterAsync(CancellationToken cancellationToken = default)
    {
        RecordOrigin origin = Origin;
        node.NoteOwnTrouble(); // if it fails, the others take the node for dead
        return RunAsync(() => store.Unregister(origin), cancellationToken);
    }

    public Task<RecordOrigin?> AcquireRoomAsync(long roomId, bool hasState, CancellationToken cancellationToken = default)
    {
        RecordOrigin origin = Origin;
        return RunAsync(
            () =>
            {
                RecordOrigin? owner = store.AcquireRoom(origin, roomId, hasState);
                World.History.OnNamed(roomId, origin, owner);
                return owner;
            },
            cancellationToken);
    }

    public Task<bool> ReleaseRoomAsync(long roomId, bool isOver, CancellationToken cancellationToken = default)
    {
        RecordOrigin origin = Origin;
        return RunAsync(
            () =>
            {
                bool isReleased = store.ReleaseRoom(origin, roomId, isOver);
                World.History.OnReleased(roomId, origin, isReleased);
                return isReleased;
            },
            cancellationToken);
    }

    public Task<IReadOnlyList<LostNode>> SweepAsync(CancellationToken cancellationToken = default)
    {
        RecordOrigin origin = Origin;
        return RunAsync(() => store.Sweep(origin), cancellationToken);
    }

    public Task ConfirmLostAsync(RecordOrigin node, CancellationToken cancellationToken = default)
    {
        RecordOrigin origin = Origin;
        return RunAsync(
            () =>
            {
                store.ConfirmLost(origin, node);
                World.History.OnForgotten(node);
            },
            cancellationToken);
    }

    // A question and its answer at once: a node asks once, at its start.
    public Task<IReadOnlyList<RecordOrigin>> GetLivesAsync(CancellationToken cancellationToken = default) =>
        IsAway ? Task.FromException<IReadOnlyList<RecordOrigin>>(Away()) : Task.FromResult(store.GetLives());

    public Task DrainAsync(CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public Task<IReadOnlyList<NodeInfo>> GetNodesAsync(CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public Task<JoinOutcome> JoinAsync(long roomId, ClusterMember member, int maxMembers, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public Task LeaveAsync(long roomId, long userId, long sessionId, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public Task<IReadOnlyList<ClusterMember>> GetMembersAsync(long roomId, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public Task<IReadOnlyList<RoomPopulation>> GetRoomsAsync(
        long afterRoomId, int limit, CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public Task<IReadOnlyList<SessionPlace>> BindSessionAsync(
        long userId, long sessionId, int maxSessions, CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public Task UnbindSessionAsync(long userId, long sessionId, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public Task<IReadOnlyList<SessionPlace>> FindSessionsAsync(long userId, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public ValueTask DisposeAsync() => default;

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
        if (!node.Process.IsDead)
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
            Tell(dice.Chance(0.5) ? TimeSpan.Zero : dice.Between(0, plan.Lease.TotalSeconds / 4), () => answer.TrySetException(away));
            return;
        }

        bool fails = World.IsChaos && plan.Has(NodeFaults.DirectoryErrors) && dice.Chance(plan.DirectoryErrors);
        if (fails)
        {
            World.Count("directory errors");
            node.NoteTrouble();
            if (isOfLease)
            {
                node.NoteOwnTrouble();
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

    private bool IsAway => World.IsDirectoryAway || node.IsCutFromDirectory;

    private static ClusterDirectoryException Away() => new("The directory is away.");

    private void Tell(TimeSpan after, Action told) => World.Clock.After(after, () => node.Process.Enter(told));

    private TimeSpan DrawDelay() => TimeSpan.FromMilliseconds(dice.Next((int)plan.DirectoryDelay.TotalMilliseconds + 1));
}
