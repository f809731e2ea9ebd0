using System.Collections.Concurrent;
using PlayChat.Chat.Sessions;

namespace PlayChat.Chat.Cluster;

/// <summary>Ends memberships in the directory and then in the log, some side by side. Thread-safe.</summary>
/// <remarks>
/// The leaves of one player from one room keep their order. They wait while the directory is away. There are at most as many as this node
/// had memberships, because joins need the directory too. If the node ends first, another node removes the memberships.
/// </remarks>
internal sealed class ClusterLeaves(ClusterLife life, ShutdownState shutdown, TimeProvider time, ILogger logger) : IAsyncDisposable
{
    // One after the other, 50,000 leaves would let a player wait for a minute until it can join again. The directory in PostgreSQL has
    // eight connections: half of them stay free for joins.
    private const int MaxAtOnce = 4;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(500);

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2); // with a database that does not answer

    private readonly ConcurrentDictionary<(long RoomId, long UserId), Task> _waiting = []; // the newest leave of each
    private readonly SemaphoreSlim _places = new(MaxAtOnce);
    private readonly object _gate = new();
    private readonly HashSet<(long RoomId, long UserId)> _departed = []; // guarded by _gate: members that may resume elsewhere
    private readonly HashSet<(long RoomId, long UserId)> _moved = []; // guarded by _gate: those that have, since the stop began
    private readonly CancellationTokenSource _disposed = new();

    /// <summary>Called when a room has lost its last member in the cluster.</summary>
    public Func<long, Task>? Emptied { get; set; }

    /// <summary>Whether a player that the stop of this node has disconnected has not resumed elsewhere.</summary>
    public bool HasDeparted
    {
        get
        {
            lock (_gate)
            {
                return _departed.Count > 0;
            }
        }
    }

    /// <summary>A player is a member through a session of another node.</summary>
    public void NoteMoved(long roomId, long userId)
    {
        if (shutdown.IsStopping)
        {
            lock (_gate)
            {
                _moved.Add((roomId, userId)); // the end of its session here may come later
                _departed.Remove((roomId, userId));
            }
        }
    }

    public void Add(ClusterLeave leave)
    {
        (long RoomId, long UserId) key = (leave.RoomId, leave.Member.UserId);
        if (leave.MayReturn && shutdown.IsStopping)
        {
            lock (_gate)
            {
                if (!_moved.Contains(key))
                {
                    _departed.Add(key);
                }
            }
        }
        else if (!life.IsFenced) // otherwise the node is lost, and so are its members that have not come back elsewhere
        {
            var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            Task before;
            lock (_gate)
            {
                before = WaitAsync(key.RoomId, key.UserId);
                _waiting[key] = done.Task;
            }

            _ = RunAsync(leave, before, done);
        }
    }

    /// <summary>Waits until the directory knows that a player has left, so that the player can join again.</summary>
    public Task WaitAsync(long roomId, long userId) => _waiting.GetValueOrDefault((roomId, userId)) ?? Task.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        await _disposed.CancelAsync();
        await Task.WhenAll(_waiting.Values);
        _disposed.Dispose();
        _places.Dispose();
    }

    private async Task RunAsync(ClusterLeave leave, Task before, TaskCompletionSource done)
    {
        bool hasPlace = false;
        try
        {
            await before.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller is in a room's turn
            await leave.Marked.WaitAsync(s_patience, time, _disposed.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await _places.WaitAsync(_disposed.Token);
            hasPlace = true;
            while (!life.IsFenced && !await TryLeaveAsync(leave))
            {
                await Task.Delay(s_pause, time, _disposed.Token);
            }
        }
        catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
        {
            // The life of the node has ended: another node removes the membership.
        }
        finally
        {
            if (hasPlace)
            {
                _places.Release();
            }

            _waiting.TryRemove(new((leave.RoomId, leave.Member.UserId), done.Task));
            done.SetResult();
        }
    }

    /// <returns>Whether it is done.</returns>
    private async Task<bool> TryLeaveAsync(ClusterLeave leave)
    {
        (long userId, long sessionId, string name) = (leave.Member.UserId, leave.Member.SessionId, leave.Member.Name);
        try
        {
            await life.Directory.LeaveAsync(leave.RoomId, userId, sessionId, _disposed.Token);
            if (!life.TryPublish(
                RoomEntryKind.Left,
                leave.RoomId,
                userId,
                token: 0,
                life.BodyOf(leave.WasAnnounced ? life.NextNumber() : 0, sessionId, name, leave.Farewell)))
            {
                return false;
            }

            await (Emptied?.Invoke(leave.RoomId) ?? Task.CompletedTask);
            return true;
        }
        catch (ClusterDirectoryException e)
        {
            ServerLog.ClusterDirectoryFailed(logger, e.Message);
            return false;
        }
        catch (NodeFencedException)
        {
            life.FenceWithoutLease();
            return true;
        }
    }
}
