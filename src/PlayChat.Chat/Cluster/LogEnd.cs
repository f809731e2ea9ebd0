using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>Finds where a log ends: the place of a mark that the node has published.</summary>
internal sealed class LogEnd(RecordOrigin self) : IShardHandler
{
    private readonly TaskCompletionSource<LogPosition> _found = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes with the mark's place.</summary>
    public Task<LogPosition> Found => _found.Task;

    public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record)
    {
        if (origin == self && record.Kind == (byte)RoomEntryKind.Mark)
        {
            _found.TrySetResult(position);
        }
    }

    public void OnGap(LogPosition wanted, LogPosition found, GapReason reason)
    {
        // What lies before the end is read next.
    }

    public void OnNodeDown(RecordOrigin origin)
    {
        // The feed reads it again.
    }
}
