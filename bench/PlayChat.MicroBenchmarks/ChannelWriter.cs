using System.Buffers.Binary;
using System.Threading.Channels;

namespace PlayChat.MicroBenchmarks;

/// <summary>The outbound queue that is written first: a channel of frames, each an array of its own, gathered into one buffer.</summary>
internal sealed class ChannelWriter
{
    private readonly Channel<byte[]> _frames = Channel.CreateBounded<byte[]>(new BoundedChannelOptions(1024) { SingleReader = true });
    private readonly byte[] _buffer = new byte[64 * 1024];

    internal int Send(byte[] body)
    {
        Post(body);
        return Flush();
    }

    internal int SendAll(byte[][] bodies)
    {
        foreach (byte[] body in bodies)
        {
            Post(body);
        }

        return Flush();
    }

    private void Post(byte[] body)
    {
        byte[] frame = new byte[sizeof(int) + body.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, body.Length);
        body.CopyTo(frame, sizeof(int));
        _frames.Writer.TryWrite(frame);
    }

    private int Flush()
    {
        int bytes = 0;
        while (_frames.Reader.TryRead(out byte[]? frame))
        {
            frame.CopyTo(_buffer, bytes);
            bytes += frame.Length;
        }

        return bytes;
    }
}
