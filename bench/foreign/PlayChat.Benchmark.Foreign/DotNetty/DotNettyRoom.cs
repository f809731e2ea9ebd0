using DotNetty.Buffers;
using DotNetty.Transport.Channels;
using PlayChat.Benchmark.Baselines;

namespace PlayChat.Benchmark.Foreign.DotNetty;

/// <summary>Connections that hear each other. Deliveries have one order for all members, as PlayChat's rooms have. Thread-safe.</summary>
internal sealed class DotNettyRoom(BaselineCounters counters)
{
    private readonly object _gate = new();
    private readonly HashSet<IChannel> _members = []; // guarded by _gate

    public void Enter(IChannel member)
    {
        lock (_gate)
        {
            _members.Add(member);
        }
    }

    public void Leave(IChannel member)
    {
        lock (_gate)
        {
            _members.Remove(member);
        }
    }

    /// <summary>Sends frames to every member.</summary>
    /// <param name="frames">Whole frames; released here.</param>
    /// <param name="count">How many.</param>
    public void Broadcast(IByteBuffer frames, int count)
    {
        // Under the lock, so that a member's event loop gets the writes in the room's order.
        lock (_gate)
        {
            foreach (IChannel member in _members)
            {
                if (member.IsWritable)
                {
                    _ = member.WriteAndFlushAsync(frames.RetainedDuplicate());
                }
                else
                {
                    counters.OnSlowConsumer();
                    _ = member.CloseAsync();
                }
            }

            counters.OnDelivered((long)count * _members.Count);
            counters.OnSent((long)frames.ReadableBytes * _members.Count, operations: 0); // DotNetty gathers on its own
        }

        frames.Release();
    }
}
