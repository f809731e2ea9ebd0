using System.Collections.Concurrent;
using PlayChat.Cluster.Log;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Postgres;

/// <summary>Notes what a subscription is told.</summary>
internal sealed class RecordList : IShardHandler
{
    private readonly ConcurrentQueue<(LogPosition Position, int NodeId, ulong Token)> _records = new();

    public IReadOnlyCollection<(LogPosition Position, int NodeId, ulong Token)> Records => _records;

    public ConcurrentQueue<GapReason> Gaps { get; } = new();

    public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record) =>
        _records.Enqueue((position, origin.NodeId, record.Token));

    public void OnGap(LogPosition wanted, LogPosition found, GapReason reason) => Gaps.Enqueue(reason);

    public void OnNodeDown(RecordOrigin origin)
    {
        // No test here declares a node dead.
    }

    public Task WaitAsync(int count) => Eventually.TrueAsync(() => _records.Count >= count);
}
