using System.Diagnostics.Metrics;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Sessions;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.Membership;
using PlayChat.Core;

namespace PlayChat.Chat.Cluster;

/// <summary>What the chat has of one life of its node: the rooms' feeds, the players' records, and the leaves. Thread-safe.</summary>
internal sealed class ClusterLife : IAsyncDisposable
{
    // Some seconds of a busy log: a message is stored sooner.
    private const int BatchesReadBack = 4096;

    private static readonly TimeSpan s_reload = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(50);

    private readonly PlayChatServer _server;
    private readonly RoomBackplane _backplane;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly ShardFeed[] _feeds;
    private readonly TaskCompletionSource _sessionsEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _lastNumber;

    public ClusterLife(
        PlayChatServer server,
        IClusterDirectory directory,
        NodeLife node,
        ClusterSettings settings,
        ShutdownState shutdown,
        TimeProvider time,
        ILogger logger)
    {
        _server = server;
        Directory = directory;
        Node = node;
        _backplane = (RoomBackplane)node.Backplane; // as the engine has made it
        _time = time;
        _logger = logger;
        _feeds = new ShardFeed[_backplane.ShardCount];
        for (int i = 0; i < _feeds.Length; i++)
        {
            _feeds[i] = new ShardFeed(this, settings, time);
        }

        Players = new PlayerRecords(server, Origin);
        Leaves = new ClusterLeaves(this, shutdown, time, logger);
    }

    public IClusterDirectory Directory { get; }

    public NodeLife Node { get; }

    public RecordOrigin Origin => Node.Origin;

    /// <summary>What the log has for single sessions, and from operators.</summary>
    public PlayerRecords Players { get; }

    /// <summary>The memberships that have ended on this node, and not yet in the directory.</summary>
    public ClusterLeaves Leaves { get; }

    /// <summary>Whether the node has lost its place in the cluster.</summary>
    public bool IsFenced => Node.IsFenced;

    /// <summary>Completes when the sessions have ended after <see cref="EndSessions"/>.</summary>
    public Task SessionsEnded => _sessionsEnded.Task;

    public IReadOnlyList<ShardFeed> Feeds => _feeds;

    public RoomBackplane Backplane => _backplane;

    /// <summary>Batches that were read twice and dropped.</summary>
    public long Duplicates => _backplane.Meter.Duplicates;

    /// <inheritdoc cref="NodeLife.LeaseAge"/>
    public TimeSpan LeaseAge => Node.LeaseAge;

    /// <summary>
    /// Begins to read the logs, some way before their ends: the node then knows messages that are sent again, although their first copies
    /// are not stored yet. Completes when everything is read that the logs hold now.
    /// </summary>
    public async Task ReadAsync(CancellationToken cancellationToken)
    {
        await Task.WhenAll(_feeds.Select((feed, shard) => SubscribeAsync(shard, feed, cancellationToken)));
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

    /// <summary>Tells a node that one of its sessions has been taken over.</summary>
    /// <returns><see langword="false"/> when the log does not take that now.</returns>
    public bool PublishKick(long userId, SessionPlace older) => TryPublish(
        RoomEntryKind.Kick, userId, userId, token: 0, new RoomEntryBody(0, older.Node, older.SessionId, 0, "", ""));

    /// <summary>Tells the other nodes that a player has continued a session here.</summary>
    /// <returns><see langword="false"/> when the log does not take that now.</returns>
    public bool PublishMoved(long userId, string tokenHash) =>
        TryPublish(RoomEntryKind.Continued, userId, userId, token: 0, BodyOf(number: 0, sessionId: 0, name: "", tokenHash));

    /// <summary>Ends the session of this node that a player has continued on another one.</summary>
    public void EndContinued(long userId, string tokenHash)
    {
        foreach (Session session in _server.Sessions.FindAllOfUser(userId))
        {
            if (((ChatUser)session.User!).TokenHash == tokenHash)
            {
                Kick(session.Id);
            }
        }
    }

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

    /// <inheritdoc cref="NodeLife.Fence"/>
    public void Fence(string why) => Node.Fence(why);

    /// <summary>The directory has said that the node has no lease any more.</summary>
    public void FenceWithoutLease() => Fence("its lease has ended");

    /// <summary>Closes every client so that it goes to another node, after a fence.</summary>
    public void EndSessions() => _ = Task.Run(EndSessionsNow);

    public ValueTask DisposeAsync() => Leaves.DisposeAsync();

    private async Task SubscribeAsync(int shard, ShardFeed feed, CancellationToken cancellationToken)
    {
        LogPosition end = await FindEndAsync(shard, cancellationToken);
        SubscribeFrom from = end.Offset <= BatchesReadBack
            ? SubscribeFrom.Earliest
            : SubscribeFrom.After(new LogPosition(end.Epoch, end.Offset - BatchesReadBack, Index: 0));
        await Node.SubscribeAsync(shard, from, feed, cancellationToken);
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

    private void EndSessionsNow()
    {
        _server.Sessions.CloseAll(CloseReason.NodeFenced);
        foreach (Session away in _server.Sessions.Away.ToArray())
        {
            _ = _server.Sessions.EndAsync(away, CloseReason.NodeFenced).AsTask(); // a room that hangs must not hold up the fence
        }

        foreach (LogOrder room in _feeds.SelectMany(static feed => feed.Rooms))
        {
            room.CloseIfUnused();
        }

        _sessionsEnded.TrySetResult();
    }
}
