namespace PlayChat.Cluster.Directory;

/// <summary>Keeps what the nodes of a cluster must agree on: which nodes live, the members of every room, the place of every session, and
/// which node owns a room of a game. One object serves one node. Thread-safe.</summary>
/// <remarks>
/// <para>A node is live while it renews its lease; the clock is the directory's own, so the nodes' clocks do not matter. A node whose lease
/// has ended is lost when another node sweeps it. Until then it may renew the lease. A directory that was away loses no node: only a node
/// that has renewed its own lease for the time of one lease, never later than half a lease after the time before, declares others lost. All
/// nodes have leases of the same duration. Every write is <i>fenced</i>: the directory does it only while the node's incarnation is not
/// lost, and throws <see cref="NodeFencedException"/> otherwise. A node that was frozen and wakes up can therefore not change what others
/// have taken over.</para>
/// <para>Every call throws <see cref="ClusterDirectoryException"/> when the directory is unreachable,
/// <see cref="ArgumentException"/> for a value outside its range, and <see cref="ObjectDisposedException"/> after disposal. Calls that say
/// they are fenced throw <see cref="InvalidOperationException"/> before <see cref="RegisterAsync"/>. Cancelling a call leaves it done or
/// not done, and every call is safe to repeat.</para>
/// <para>Disposal does not unregister: to the other nodes it looks like a crash.</para>
/// </remarks>
public interface IClusterDirectory : IAsyncDisposable
{
    /// <summary>The largest node id.</summary>
    const int MaxNodeId = ushort.MaxValue;

    /// <summary>The most characters of an endpoint.</summary>
    const int MaxEndpointLength = 1000;

    /// <summary>The most characters of a member's name.</summary>
    const int MaxNameLength = 100;

    /// <summary>How long an orphaned room waits for a node that has its state: 3 seconds (<see cref="AcquireRoomAsync"/>).</summary>
    /// <remarks>A node that has the state asks many times a second, so normally the wait ends only if no node has it.</remarks>
    static readonly TimeSpan OrphanWait = TimeSpan.FromSeconds(3);

    /// <summary>Makes this object's node live, with a new incarnation. Call it again after the node was lost.</summary>
    /// <remarks>An earlier incarnation of the node is lost by this. Its members still count until its lease would have ended, so that they
    /// can resume elsewhere; then <see cref="SweepAsync"/> reports it.</remarks>
    /// <param name="nodeId">The node's number, 1 to <see cref="MaxNodeId"/>.</param>
    /// <param name="endpoint">Where clients reach the node, 1 to <see cref="MaxEndpointLength"/> characters.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="NodeIdInUseException">Another node has the id and has renewed its lease in the last half of one, whatever its
    /// endpoint is; it may be an earlier run of this node that was killed. See
    /// <see cref="ClusterDirectoryExtensions.RegisterWhenFreeAsync"/>. Only an earlier incarnation of this object is replaced at
    /// once.</exception>
    Task<NodeLease> RegisterAsync(int nodeId, string endpoint, CancellationToken cancellationToken = default);

    /// <summary>Prolongs the lease by its duration.</summary>
    /// <returns><see langword="false"/> if the node is lost: it must close its clients and register again.</returns>
    /// <exception cref="InvalidOperationException">The node has not been registered.</exception>
    Task<bool> RenewAsync(CancellationToken cancellationToken = default);

    /// <summary>Marks the node as draining, so that other nodes send it no more clients. Fenced.</summary>
    Task DrainAsync(CancellationToken cancellationToken = default);

    /// <summary>Ends the node's lease at once. Memberships that it still has become lost, and the next sweep reports them. Does nothing if
    /// the node is lost.</summary>
    /// <exception cref="InvalidOperationException">The node has not been registered.</exception>
    Task UnregisterAsync(CancellationToken cancellationToken = default);

    /// <summary>The nodes with a valid lease, in the order of their ids.</summary>
    Task<IReadOnlyList<NodeInfo>> GetNodesAsync(CancellationToken cancellationToken = default);

    /// <summary>The lives of nodes that are not forgotten, in the order of their incarnations: those that are registered, also if their
    /// leases have ended, and those that are lost and not confirmed (<see cref="ConfirmLostAsync"/>).</summary>
    /// <remarks>A life that began before one of them and is not among them is dead, and all logs say so.</remarks>
    Task<IReadOnlyList<RecordOrigin>> GetLivesAsync(CancellationToken cancellationToken = default);

    /// <summary>Makes a user a member of a room through a session of this node. Fenced.</summary>
    /// <remarks>A user may be a member through several sessions, on any nodes, and counts once. Write to the directory first, and publish
    /// to the room's log after that.</remarks>
    /// <param name="roomId">The room.</param>
    /// <param name="member">The user and its session on this node.</param>
    /// <param name="maxMembers">The room's capacity in the whole cluster, 1 or more. Of any number of nodes that join at once, exactly as
    /// many succeed as there is room for.</param>
    /// <param name="cancellationToken">Gives up.</param>
    Task<JoinOutcome> JoinAsync(long roomId, ClusterMember member, int maxMembers, CancellationToken cancellationToken = default);

    /// <summary>Ends the membership that a user has through a session of this node. Fenced.</summary>
    Task LeaveAsync(long roomId, long userId, long sessionId, CancellationToken cancellationToken = default);

    /// <summary>The members of a room on all nodes that are not lost, in the order of their user ids: one for each session.</summary>
    Task<IReadOnlyList<ClusterMember>> GetMembersAsync(long roomId, CancellationToken cancellationToken = default);

    /// <summary>The rooms that have members on nodes that are not lost, by rising id, a page at a time.</summary>
    /// <param name="afterRoomId">Exclusive; 0 begins with the first room.</param>
    /// <param name="limit">The most rooms, 1 or more.</param>
    /// <param name="cancellationToken">Gives up.</param>
    Task<IReadOnlyList<RoomPopulation>> GetRoomsAsync(long afterRoomId, int limit, CancellationToken cancellationToken = default);

    /// <summary>Notes a session of this node as the newest one of its user. Fenced.</summary>
    /// <param name="userId">The user.</param>
    /// <param name="sessionId">The session. Noting it again leaves its place among the user's sessions.</param>
    /// <param name="maxSessions">How many sessions a user may have in the cluster, 1 or more.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>The places of the sessions that are too many, which must be closed now: the oldest ones, on nodes that are not lost. They
    /// stay noted until <see cref="UnbindSessionAsync"/>. Of two nodes that note sessions of the same user at once, one sees the other's.
    /// </returns>
    Task<IReadOnlyList<SessionPlace>> BindSessionAsync(
        long userId, long sessionId, int maxSessions, CancellationToken cancellationToken = default);

    /// <summary>Forgets a session of this node. Fenced.</summary>
    Task UnbindSessionAsync(long userId, long sessionId, CancellationToken cancellationToken = default);

    /// <summary>Finds the sessions of a user on nodes that are not lost, the oldest first.</summary>
    Task<IReadOnlyList<SessionPlace>> FindSessionsAsync(long userId, CancellationToken cancellationToken = default);

    /// <summary>Makes this node the owner of a room, unless another node owns it or the room waits for a node with its state. Of any number
    /// of nodes that ask at once, one becomes the owner. Fenced.</summary>
    /// <remarks>
    /// <para>A node that has ended, or has begun a new life, stays the owner until <see cref="ConfirmLostAsync"/>: all nodes can know
    /// then that it is lost.</para>
    /// <para>A room is <i>orphaned</i> when its owner is lost or has handed it over. A node that has the state becomes the owner at once. A
    /// node that does not have it becomes the owner after <see cref="OrphanWait"/>, or at once if no other node is registered. From then on
    /// the room is like one that never had an owner.</para>
    /// </remarks>
    /// <param name="roomId">The room.</param>
    /// <param name="hasState">Whether this node could continue the room from its last state.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>The owner now: this node, also if it was the owner before, or another one. <see langword="null"/> while an orphaned room
    /// waits for a node that has its state.</returns>
    Task<RecordOrigin?> AcquireRoomAsync(long roomId, bool hasState, CancellationToken cancellationToken = default);

    /// <summary>Ends the ownership of a room, if it is this node's. Fenced.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="isOver">Whether there is no state to continue from: any node may begin the room anew at once. Otherwise the room is
    /// orphaned.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns><see langword="false"/> if this node does not own the room.</returns>
    Task<bool> ReleaseRoomAsync(long roomId, bool isOver, CancellationToken cancellationToken = default);

    /// <summary>Declares nodes lost whose lease has ended, and takes the task of announcing what was lost. Any node may sweep at any time;
    /// a lost node is given to one of them. Fenced.</summary>
    /// <remarks>
    /// <para>A node that has registered less than one lease ago, or has renewed its lease late since then, declares no node lost, because
    /// the directory may have been away for the others as well. It is given those that are lost already, while its own lease is valid.
    /// </para>
    /// <para>Announce in this order: that the node is down, in every shard; then that its members have left; then call
    /// <see cref="ConfirmLostAsync"/>. A lost node that is not confirmed within the sweeper's lease duration is given out again, so
    /// announcements may repeat after a crash.</para>
    /// </remarks>
    Task<IReadOnlyList<LostNode>> SweepAsync(CancellationToken cancellationToken = default);

    /// <summary>Forgets a lost node and its memberships, after their end was announced; the rooms that it owned are orphaned. Does nothing
    /// if the node is forgotten already. Fenced.</summary>
    Task ConfirmLostAsync(RecordOrigin node, CancellationToken cancellationToken = default);
}
