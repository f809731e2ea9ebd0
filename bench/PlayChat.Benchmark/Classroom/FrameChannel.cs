using System.Buffers;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;

namespace PlayChat.Benchmark.Classroom;

/// <summary>A connection of <see cref="FrameNetwork"/>.</summary>
internal sealed class FrameChannel(ClassroomLink link, PlayChatConnector connector) : IClassroomChannel
{
    private readonly FrameHeader _header = new(SenderId: (ushort)link.Index);
    private Connection? _connection;
    private byte[]? _scratch;

    /// <summary>What it carries messages for.</summary>
    public ClassroomLink Link { get; } = link;

    public async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken) =>
        _connection = await ConnectionCrowd.ConnectAsync(connector, server, this, cancellationToken);

    public bool Send(int bytes, SpanAction<byte, ClassroomLink> write) => _connection!.Send(_header, bytes, Link, write);

    /// <summary>Handles a frame, on the connection's receive loop.</summary>
    public void OnFrame(Frame frame) => Link.OnMessage(Body(frame), frame.Header.SenderId);

    private ReadOnlySpan<byte> Body(Frame frame)
    {
        if (frame.TryGetSpan(out ReadOnlySpan<byte> body))
        {
            return body;
        }

        // Across a seam of the receive buffer, which is rare.
        if (_scratch is null || _scratch.Length < frame.BodyBytes)
        {
            _scratch = new byte[frame.BodyBytes];
        }

        frame.CopyTo(_scratch);
        return _scratch.AsSpan(0, frame.BodyBytes);
    }
}
