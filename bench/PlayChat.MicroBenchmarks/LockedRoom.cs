using System.Buffers.Binary;

namespace PlayChat.MicroBenchmarks;

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
