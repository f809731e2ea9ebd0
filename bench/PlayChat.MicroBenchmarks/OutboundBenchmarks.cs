namespace PlayChat.MicroBenchmarks;

/// <summary>Frames from elsewhere than the receive loop into a connection's queue and out of it.</summary>
[MemoryDiagnoser]
public class OutboundBenchmarks
{
    private const int FramesPerSend = 32;

    private readonly byte[] _body = new byte[64];
    private readonly byte[][] _bodies = new byte[FramesPerSend][];
    private readonly ChannelWriter _rival = new();
    private Connection _connection = null!;
    private Segment _block = null!;

    /// <summary>Opens the connection.</summary>
    [GlobalSetup]
    public void Setup()
    {
        var bench = new BenchConnection(FrameFormat.LengthPrefixed(), static (Connection _, in Frame _) => default);
        (_connection, _) = bench.Open();
        _block = bench.Pool.RentSegment(4096);
        _block.Written = 4096;
        Array.Fill(_bodies, _body);
    }

    /// <summary>A frame that is sent at once.</summary>
    [Benchmark]
    public bool Send() => _connection.Send(_body);

    /// <summary>The usual way: a copy of the frame into a channel, taken out again and written into a buffer.</summary>
    [Benchmark(Baseline = true)]
    public int Channel_of_arrays() => _rival.Send(_body);

    /// <summary>32 of them, taken out when all are there; figures are those of one.</summary>
    [Benchmark(OperationsPerInvoke = FramesPerSend)]
    public int Channel_of_arrays_32_frames_a_send() => _rival.SendAll(_bodies);

    /// <summary>What a room's turn hands to one member.</summary>
    [Benchmark]
    public bool Send_a_shared_block_of_4_KB() => _connection.SendShared(_block, frames: 1, flush: true);
}

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
