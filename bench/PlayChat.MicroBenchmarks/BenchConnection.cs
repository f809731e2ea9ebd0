namespace PlayChat.MicroBenchmarks;

/// <summary>Connections on stub links: everything between the transport and the handler, and no system call.</summary>
internal sealed class BenchConnection
{
    internal BenchConnection(FrameFormat format, FrameCall handler, PacketSet? packets = null)
    {
        Services = new ConnectionServices
        {
            Format = format,
            Packets = packets ?? new PacketSet(),
            Handler = new RecordingHandler { OnFrame = handler },
            Options = new ConnectionOptions(),
            Pool = Pool,
            Metrics = Metrics,
            Time = TimeProvider.System,
            Logger = NullLogger.Instance,
        };
    }

    internal SegmentPool Pool { get; } = new();

    internal ServerMetrics Metrics { get; } = new();

    internal ConnectionServices Services { get; }

    internal (Connection Connection, StubLink Link) Open()
    {
        var link = new StubLink();
        var connection = new Connection(link, Services);
        connection.Start();
        return (connection, link);
    }

    internal static byte[] Frames(FrameFormat format, int count, int bodyBytes, FrameHeader header = default) =>
        Frames(format, count, new byte[bodyBytes], header);

    internal static byte[] Frames(FrameFormat format, int count, byte[] body, FrameHeader header)
    {
        byte[] frames = new byte[count * format.GetEncodedBytes(body.Length)];
        for (int at = 0; at < frames.Length;)
        {
            at += format.Encode(body, header, frames.AsSpan(at));
        }

        return frames;
    }
}
