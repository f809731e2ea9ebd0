using System.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Dispatch;

/// <summary>Handles a frame as bytes and may wait; the sender's next frame is handled when it is done.</summary>
/// <param name="connection">Where it came from.</param>
/// <param name="header">The frame's header fields.</param>
/// <param name="body">A view of its content, valid until the task completes.</param>
/// <param name="cancellationToken">Cancelled when the link ends.</param>
public delegate ValueTask AsyncFrameHandler(
    Connection connection, FrameHeader header, ReadOnlySequence<byte> body, CancellationToken cancellationToken);
