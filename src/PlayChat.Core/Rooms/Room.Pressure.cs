using PlayChat.Core.Connections;

namespace PlayChat.Core.Rooms;

// Back pressure to the senders. A broadcast multiplies, so a room that went on while its members' queues grow would turn what it takes in
// into many times that in memory, and in the end close members who read. Instead its turn waits, its queue fills, and its
// senders are not read any further.
public abstract partial class Room
{
    // Of a large room so many members are looked at, spread evenly: a look at each would cost as much as a small turn.
    private const int MaxLooks = 64;

    private static readonly TimeSpan s_holdStep = TimeSpan.FromMilliseconds(1);

    // They may be dead: then it is they who are late, and they must get what makes them slow consumers.
    private static readonly TimeSpan s_maxHold = TimeSpan.FromSeconds(1);

    private readonly long _maxHoldTicks;
    private int _behind; // members with much still waiting after this turn's flush
    private bool _isPressed; // many of them were, after the last flush
    private long? _heldSince; // since when many have been behind without a pause
    private long _queuedBytes;
    private TaskCompletionSource? _bytesFreed;

    // One who is behind is slow, and ends as a slow consumer. When many are, it is the server that is slow, or its network. An eighth, because
    // readers who share a processor are served in turns: half of them can be far behind while the others have nothing waiting.
    private static bool AreMany(int behind, int members) => behind > 1 && behind * 8 > members;

    /// <summary>Whether half of what a turn may broadcast still waits for a member.</summary>
    private bool IsBehind(Connection connection) => connection.OutboundBytes > _services.MaxTurnBytes / 2;

    /// <summary>Whether the next turn has to wait until members have been sent what they have queued.</summary>
    private bool MustHold()
    {
        if (!_isPressed || !ManyAreBehindNow())
        {
            _isPressed = false;
            _heldSince = null;
            return false;
        }

        long now = _services.Time.GetTimestamp();
        _heldSince ??= now;
        return now - _heldSince < _maxHoldTicks;
    }

    private bool ManyAreBehindNow()
    {
        int step = Math.Max(1, _memberCount / MaxLooks);
        int looks = 0;
        int behind = 0;
        for (int m = 0; m < _memberCount; m += step)
        {
            looks++;
            if (IsBehind(_links[m]))
            {
                behind++;
            }
        }

        return AreMany(behind, looks);
    }

    /// <summary>Takes room for a frame's bytes. One larger than the bound passes when it is alone: refused, it would wait for ever.</summary>
    private bool TryTake(int bytes)
    {
        if (bytes == 0)
        {
            return true;
        }

        // Nothing is taken that would have to be given back: that would wake who else waits, and he the next.
        long queued = Interlocked.Read(ref _queuedBytes);
        while (queued == 0 || queued + bytes <= _services.Options.QueueBytes)
        {
            long seen = Interlocked.CompareExchange(ref _queuedBytes, queued + bytes, queued);
            if (seen == queued)
            {
                return true;
            }

            queued = seen;
        }

        return false;
    }

    private void GiveBack(long bytes)
    {
        // The add is a full barrier before the look, as the exchange is in BytesFreedAsync: one of the two sees the other.
        if (bytes > 0 && Interlocked.Add(ref _queuedBytes, -bytes) < _services.Options.QueueBytes && Volatile.Read(ref _bytesFreed) is not null)
        {
            Interlocked.Exchange(ref _bytesFreed, null)?.SetResult();
        }
    }

    /// <summary>Completes when it is worth trying again to take room.</summary>
    private Task BytesFreedAsync(int bytes)
    {
        TaskCompletionSource? freed = Volatile.Read(ref _bytesFreed);
        if (freed is null)
        {
            var made = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            freed = Interlocked.CompareExchange(ref _bytesFreed, made, null) ?? made;
        }

        long queued = Interlocked.Read(ref _queuedBytes);
        return queued == 0 || queued + bytes <= _services.Options.QueueBytes ? Task.CompletedTask : freed.Task;
    }
}
