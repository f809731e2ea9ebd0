using PlayChat.Core.Cluster;

namespace PlayChat.Core.SharedRooms;

/// <summary>Hands records of one room to the log in order, and keeps those that the log refuses, within a bound. Not thread-safe: the
/// room's turn uses it, and after the last turn the task that lets another node own the room.</summary>
internal sealed class ClusterSender(long roomId)
{
    private const int MaxUnsentBytes = 4 << 20; // as many as the log itself keeps by default

    private readonly Queue<(ClusterEntryKind Kind, byte[] Body)> _unsent = new();
    private int _unsentBytes;
    private ClusterLife? _life;

    /// <summary>Whether records wait.</summary>
    internal bool HasUnsent => _unsent.Count > 0;

    /// <summary>Whether records were dropped. The owner of the flag clears it.</summary>
    internal bool HasOverflowed { get; set; }

    /// <summary>Begins with another life of the node, or with none. What waits is dropped.</summary>
    internal void Begin(ClusterLife? life)
    {
        _life = life;
        _unsent.Clear();
        _unsentBytes = 0;
        HasOverflowed = false;
    }

    internal void Send(ClusterEntryKind kind, byte[] body)
    {
        if (_life is null)
        {
            return;
        }

        if (_unsentBytes + body.Length > MaxUnsentBytes)
        {
            _unsent.Clear();
            _unsentBytes = 0;
            HasOverflowed = true;
            return;
        }

        _unsent.Enqueue((kind, body));
        _unsentBytes += body.Length;
        Flush();
    }

    internal void Flush()
    {
        while (_life is { } life
            && _unsent.TryPeek(out (ClusterEntryKind Kind, byte[] Body) next)
            && life.TryPublish(roomId, next.Kind, next.Body))
        {
            _unsent.Dequeue();
            _unsentBytes -= next.Body.Length;
        }
    }
}
