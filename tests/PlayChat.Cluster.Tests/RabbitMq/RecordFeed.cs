using System.Collections.Concurrent;
using PlayChat.Cluster.Log;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>Notes what a subscription is told, and completes a task when it was told enough.</summary>
internal sealed class RecordFeed : IShardHandler
{
    private readonly object _gate = new();
    private readonly List<(LogPosition Position, int NodeId, ulong Token)> _records = []; // guarded by _gate
    private readonly List<(int Count, TaskCompletionSource Done)> _waits = []; // guarded by _gate

    public ConcurrentQueue<GapReason> Gaps { get; } = new();

    public IReadOnlyList<(LogPosition Position, int NodeId, ulong Token)> Records
    {
        get
        {
            lock (_gate)
            {
                return _records.ToArray();
            }
        }
    }

    public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record)
    {
        lock (_gate)
        {
            _records.Add((position, origin.NodeId, record.Token));
            foreach ((int count, TaskCompletionSource done) in _waits)
            {
                if (_records.Count >= count)
                {
                    done.TrySetResult();
                }
            }
        }
    }

    public void OnGap(LogPosition wanted, LogPosition found, GapReason reason) => Gaps.Enqueue(reason);

    public void OnNodeDown(RecordOrigin origin)
    {
        // No test here declares a node dead.
    }

    public Task WaitAsync(int count)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_records.Count >= count)
            {
                return Task.CompletedTask;
            }

            _waits.Add((count, done));
        }

        return done.Task.WaitAsync(TestTimeouts.Hang);
    }
}
