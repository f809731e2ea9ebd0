namespace PlayChat.MicroBenchmarks;

/// <summary>Messages of 64 bytes to every member of a room; figures are those of one message.</summary>
[MemoryDiagnoser]
public class BroadcastBenchmarks
{
    private const int Messages = 64;

    private readonly byte[] _body = new byte[64];
    private BenchRoom _room = null!;
    private LockedRoom _locked = null!;

    [Params(10, 100, 1000)]
    public int Members { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _room = BenchRooms.Create(Members);
        _locked = new LockedRoom(Members);
    }

    /// <summary>
    /// Posted from outside, encoded once a turn, handed to each member's connection, which sends it to a link that does nothing.
    /// </summary>
    [Benchmark(OperationsPerInvoke = Messages)]
    public void Room() => _room.Run(_body, Messages);

    /// <summary>The simplest thing: a lock, and a copy into each member's buffer; it has no queue, no connections and no sends.</summary>
    [Benchmark(Baseline = true, OperationsPerInvoke = Messages)]
    public void Lock_and_copy() => _locked.Run(_body, Messages);
}

/// <summary>
/// A room as it is written first: a lock, and a copy of each message into each member's buffer, which the last message empties.
/// </summary>
internal sealed class LockedRoom
{
    private readonly object _gate = new();
    private readonly byte[][] _buffers;
    private int _written;

    internal LockedRoom(int members)
    {
        _buffers = new byte[members][];
        for (int i = 0; i < members; i++)
        {
            _buffers[i] = new byte[8 * 1024];
        }
    }

    internal void Run(byte[] body, int messages)
    {
        for (int i = 0; i < messages; i++)
        {
            Broadcast(body);
        }

        lock (_gate)
        {
            _written = 0;
        }
    }

    private void Broadcast(byte[] body)
    {
        lock (_gate)
        {
            foreach (byte[] buffer in _buffers)
            {
                Span<byte> frame = buffer.AsSpan(_written);
                BinaryPrimitives.WriteInt32BigEndian(frame, body.Length);
                body.CopyTo(frame[sizeof(int)..]);
            }

            _written += sizeof(int) + body.Length;
        }
    }
}
