using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>A directory that its node cannot reach while the test says so.</summary>
internal sealed class SwitchedDirectory(IClusterDirectory inner) : IClusterDirectory
{
    private volatile bool _isAway;
    private volatile bool _refusesPlaces;
    private long _refusedRoom;
    private long _sweeps;

    public bool IsAway
    {
        get => _isAway;
        set => _isAway = value;
    }

    /// <summary>Whether it takes no places of sessions, although it is there.</summary>
    public bool RefusesPlaces
    {
        get => _refusesPlaces;
        set => _refusesPlaces = value;
    }

    /// <summary>The room that it lets no player into, although it is there; 0 for none.</summary>
    public long RefusedRoom
    {
        get => Interlocked.Read(ref _refusedRoom);
        set => Interlocked.Exchange(ref _refusedRoom, value);
    }

    /// <summary>What the leaves of a player wait for; by default nothing. Set it before any leave.</summary>
    public Func<long, Task> LeavesWaitFor { get; set; } = static _ => Task.CompletedTask;

    /// <summary>How many sweeps have ended.</summary>
    public long Sweeps => Interlocked.Read(ref _sweeps);

    private IClusterDirectory Inner => _isAway ? Away() : inner;

    public Task<NodeLease> RegisterAsync(int nodeId, string endpoint, CancellationToken cancellationToken = default) =>
        Run(() => Inner.RegisterAsync(nodeId, endpoint, cancellationToken));

    public Task<bool> RenewAsync(CancellationToken cancellationToken = default) => Run(() => Inner.RenewAsync(cancellationToken));

    public Task DrainAsync(CancellationToken cancellationToken = default) => Inner.DrainAsync(cancellationToken);

    public Task UnregisterAsync(CancellationToken cancellationToken = default) => Inner.UnregisterAsync(cancellationToken);

    public Task<IReadOnlyList<NodeInfo>> GetNodesAsync(CancellationToken cancellationToken = default) =>
        Run(() => Inner.GetNodesAsync(cancellationToken));

    public Task<IReadOnlyList<RecordOrigin>> GetLivesAsync(CancellationToken cancellationToken = default) =>
        Run(() => Inner.GetLivesAsync(cancellationToken));

    public Task<JoinOutcome> JoinAsync(long roomId, ClusterMember member, int maxMembers, CancellationToken cancellationToken = default) =>
        Run(() => (RefusedRoom == roomId ? Away() : Inner).JoinAsync(roomId, member, maxMembers, cancellationToken));

    public async Task LeaveAsync(long roomId, long userId, long sessionId, CancellationToken cancellationToken = default)
    {
        await LeavesWaitFor(userId);
        await Inner.LeaveAsync(roomId, userId, sessionId, cancellationToken);
    }

    public Task<IReadOnlyList<ClusterMember>> GetMembersAsync(long roomId, CancellationToken cancellationToken = default) =>
        Run(() => Inner.GetMembersAsync(roomId, cancellationToken));

    public Task<IReadOnlyList<RoomPopulation>> GetRoomsAsync(
        long afterRoomId, int limit, CancellationToken cancellationToken = default) =>
        Run(() => Inner.GetRoomsAsync(afterRoomId, limit, cancellationToken));

    public Task<IReadOnlyList<SessionPlace>> BindSessionAsync(
        long userId, long sessionId, int maxSessions, CancellationToken cancellationToken = default) =>
        Run(() => (_refusesPlaces ? Away() : Inner).BindSessionAsync(userId, sessionId, maxSessions, cancellationToken));

    public async Task UnbindSessionAsync(long userId, long sessionId, CancellationToken cancellationToken = default) =>
        await Inner.UnbindSessionAsync(userId, sessionId, cancellationToken);

    public Task<IReadOnlyList<SessionPlace>> FindSessionsAsync(long userId, CancellationToken cancellationToken = default) =>
        Run(() => Inner.FindSessionsAsync(userId, cancellationToken));

    public Task<RecordOrigin?> AcquireRoomAsync(long roomId, bool hasState, CancellationToken cancellationToken = default) =>
        Run(() => Inner.AcquireRoomAsync(roomId, hasState, cancellationToken));

    public Task<bool> ReleaseRoomAsync(long roomId, bool isOver, CancellationToken cancellationToken = default) =>
        Run(() => Inner.ReleaseRoomAsync(roomId, isOver, cancellationToken));

    public async Task<IReadOnlyList<LostNode>> SweepAsync(CancellationToken cancellationToken = default)
    {
        IReadOnlyList<LostNode> lost = await Run(() => Inner.SweepAsync(cancellationToken));
        Interlocked.Increment(ref _sweeps);
        return lost;
    }

    public Task ConfirmLostAsync(RecordOrigin node, CancellationToken cancellationToken = default) =>
        Inner.ConfirmLostAsync(node, cancellationToken);

    public ValueTask DisposeAsync() => inner.DisposeAsync();

    private static IClusterDirectory Away() => throw new ClusterDirectoryException("The test has taken the directory away.");

    private static async Task<T> Run<T>(Func<Task<T>> call) => await call();
}
