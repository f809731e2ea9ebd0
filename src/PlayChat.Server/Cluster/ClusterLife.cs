using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Core;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Server.Configuration;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Replies;
using PlayChat.Server.Sessions;

namespace PlayChat.Server.Cluster;

/// <summary>One life of a node, from its registration to its stop or to the loss of its lease. Thread-safe.</summary>
internal sealed class ClusterLife : IAsyncDisposable
{
    // Some seconds of a busy log: a message is stored sooner.
    private const int BatchesReadBack = 4096;

    private static readonly TimeSpan s_reload = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(50);

    private readonly PlayChatServer _server;
    private readonly LifeMeters _meters;
    private readonly RoomBackplane _backplane;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly ShardFeed[] _feeds;
    private readonly List<IAsyncDisposable> _subscriptions = [];
    private readonly TaskCompletionSource _fenced = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _renewed; // a timestamp
    private long _lastNumber;
    private int _isFenced;

    public ClusterLife(
        PlayChatServer server,
        IClusterDirectory directory,
        NodeLease lease,
        IClusterEngine engine,
        IMeterFactory meters,
        ClusterSettings settings,
        ShutdownState shutdown,
        TimeProvider time,
        ILogger logger)
    {
        _server = server;
        Directory = directory;
        Lease = lease;
        _meters = new LifeMeters(meters);
        _backplane = engine.CreateBackplane(lease.Origin, _meters);
        _time = time;
        _renewed = time.GetTimestamp();
        _logger = logger;
        _feeds = new ShardFeed[_backplane.ShardCount];
        for (int i = 0; i < _feeds.Length; i++)
        {
            _feeds[i] = new ShardFeed(this, settings, time);
        }

        Players = new PlayerRecords(server, lease.Origin);
        Probe = new LogProbe(this, time);
        Leaves = new ClusterLeaves(this, shutdown, time, logger);
    }

    public IClusterDirectory Directory { get; }

    public NodeLease Lease { get; }

    public RecordOrigin Origin => Lease.Origin;

    /// <summary>Asks the log whether it answers.</summary>
    public LogProbe Probe { get; }

    /// <summary>What the log has for single sessions, and from operators.</summary>
    public PlayerRecords Players { get; }

    /// <summary>The memberships that have ended on this node, and not yet in the directory.</summary>
    public ClusterLeaves Leaves { get; }

    /// <summary>Whether the node has lost its place in the cluster.</summary>
    public bool IsFenced => Volatile.Read(ref _isFenced) != 0;

    /// <summary>Completes when it is fenced.</summary>
    public Task Fenced => _fenced.Task;

    public IReadOnlyList<ShardFeed> Feeds => _feeds;

    public RoomBackplane Backplane => _backplane;

    /// <summary>Batches that were read twice and dropped.</summary>
    public long Duplicates => _backplane.Meter.Duplicates;

    /// <summary>Time since the lease was renewed; zero for one that has no end.</summary>
    public TimeSpan LeaseAge =>
        Lease.Duration == Timeout.InfiniteTimeSpan ? TimeSpan.Zero : _time.GetElapsedTime(Interlocked.Read(ref _renewed));

    /// <summary>The lease was renewed by a call that began at a timestamp.</summary>
    public void NoteRenewed(long timestamp) => Interlocked.Exchange(ref _renewed, timestamp);

    /// <summary>
    /// Begins to read the logs, some way before their ends: the node then knows messages that are sent again, although their first copies
    /// are not stored yet. Completes when everything is read that the logs hold now.
    /// </summary>
    public async Task ReadAsync(CancellationToken cancellationToken)
    {
        Task<IAsyncDisposable>[] subscribing = [.. _feeds.Select((feed, shard) => SubscribeAsync(shard, feed, cancellationToken))];
        _subscriptions.AddRange(await Task.WhenAll(subscribing));
        await Task.WhenAll(_feeds.Select(static feed => feed.Marked)).WaitAsync(cancellationToken);
    }

    public ShardFeed FeedOf(long roomId) => _feeds[RoomShard.Of(roomId, _feeds.Length)];

    /// <summary>A number that this life of the node has not used.</summary>
    public long NextNumber() => Interlocked.Increment(ref _lastNumber);

    /// <summary>The content of a record that a session of this node causes.</summary>
    public RoomEntryBody BodyOf(long number, long sessionId, string name, string text = "") =>
        new(number, Origin, sessionId, _time.GetUtcNow().ToUnixTimeMilliseconds(), name, text);

    /// <summary>Hands a record to the log. Never waits.</summary>
    /// <returns><see langword="false"/> when the record was refused: it will not appear in the log.</returns>
    public bool TryPublish(RoomEntryKind kind, long roomId, long userId, ulong token, in RoomEntryBody body)
    {
        if (IsFenced)
        {
            return false;
        }

        var record = new RoomRecord { Kind = (byte)kind, RoomId = roomId, UserId = userId, Token = token, Body = body.Encode() };
        return _backplane.Publish(RoomShard.Of(roomId, _feeds.Length), record) == PublishResult.Accepted;
    }

    /// <summary>Hands a record to the log that changes nothing, and that this node reads back.</summary>
    /// <returns><see langword="false"/> when the record was refused.</returns>
    public bool PublishMark(int shard)
    {
        var body = new RoomEntryBody(NextNumber(), Origin, SessionId: 0, SentAtUnixMs: 0, "", "");
        var mark = new RoomRecord { Kind = (byte)RoomEntryKind.Mark, Body = body.Encode() };
        return _backplane.Publish(shard, mark) == PublishResult.Accepted;
    }

    /// <summary>Tells another node that one of its sessions has been taken over.</summary>
    /// <returns><see langword="false"/> when the log does not take that now.</returns>
    public bool PublishKick(long userId, SessionPlace older) => TryPublish(
        RoomEntryKind.Kick, userId, userId, token: 0, new RoomEntryBody(0, older.Node, older.SessionId, 0, "", ""));

    /// <summary>Ends a session of this node, because the player has another one.</summary>
    public void Kick(long sessionId) => _ = Task.Run(async () =>
    {
        if (_server.Sessions.Find(sessionId) is { User: { } user } session)
        {
            await _server.Sessions.EndAsync(session, CloseReason.TakenOver);
            CloseNotices.Tell(session.Connection, CloseReason.TakenOver, $"{user.Name} has logged in from elsewhere.");
            session.Connection.Close(CloseReason.TakenOver);
        }
    });

    /// <summary>Logs that records of a shard are missing.</summary>
    public void NoteGap(LogPosition wanted, LogPosition found, GapReason reason) =>
        ServerLog.ClusterLogGap(_logger, reason.ToString(), wanted.Offset, found.Offset);

    /// <summary>Reads the rosters of rooms again, because joins and leaves may be among missing records.</summary>
    public void ReloadRosters(LogOrder[] rooms) => _ = Task.Run(async () =>
    {
        foreach (LogOrder room in rooms)
        {
            while (!IsFenced)
            {
                try
                {
                    room.SetRoster(await Directory.GetMembersAsync(room.RoomId));
                    break;
                }
                catch (ClusterDirectoryException)
                {
                    await Task.Delay(s_reload, _time);
                }
            }
        }
    });

    /// <summary>Stops all writing, and closes every client so that it goes to another node. Only the first call counts.</summary>
    /// <param name="why">For the log: ends the sentence "The node has left the cluster: …".</param>
    public void Fence(string why)
    {
        if (Interlocked.Exchange(ref _isFenced, 1) != 0)
        {
            return;
        }

        ServerLog.ClusterFenced(_logger, Origin.NodeId, Origin.Incarnation, why);
        _ = Task.Run(EndSessionsAsync);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await Leaves.DisposeAsync();
        foreach (IAsyncDisposable subscription in _subscriptions)
        {
            await subscription.DisposeAsync();
        }

        await _backplane.DisposeAsync();
        _meters.Dispose();
    }

    private async Task<IAsyncDisposable> SubscribeAsync(int shard, ShardFeed feed, CancellationToken cancellationToken)
    {
        LogPosition end = await FindEndAsync(shard, cancellationToken);
        SubscribeFrom from = end.Offset <= BatchesReadBack
            ? SubscribeFrom.Earliest
            : SubscribeFrom.After(new LogPosition(end.Epoch, end.Offset - BatchesReadBack, Index: 0));
        return await _backplane.SubscribeAsync(shard, from, feed, cancellationToken);
    }

    private async Task<LogPosition> FindEndAsync(int shard, CancellationToken cancellationToken)
    {
        var end = new LogEnd(Origin);
        await using IAsyncDisposable subscription = await _backplane.SubscribeAsync(shard, SubscribeFrom.Tail, end, cancellationToken);
        while (!PublishMark(shard))
        {
            await Task.Delay(s_pause, _time, cancellationToken);
        }

        return await end.Found.WaitAsync(cancellationToken);
    }

    private async Task EndSessionsAsync()
    {
        _server.Sessions.CloseAll(CloseReason.NodeFenced);
        foreach (Session away in _server.Sessions.Away.ToArray())
        {
            await _server.Sessions.EndAsync(away, CloseReason.NodeFenced);
        }

        foreach (LogOrder room in _feeds.SelectMany(static feed => feed.Rooms))
        {
            room.CloseIfUnused();
        }

        _fenced.TrySetResult();
    }
}
