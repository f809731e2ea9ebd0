using System.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

// What an application calls to send.
public sealed partial class Connection
{
    /// <summary>Sends a received frame back: the same header fields, a copy of the body. Never waits.</summary>
    /// <param name="frame">Of any connection; its header fields are written as far as this connection's format has them.</param>
    /// <returns>See <see cref="Send(ReadOnlySpan{byte}, FrameHeader)"/>.</returns>
    /// <exception cref="ArgumentException">The body is larger than this connection's format can carry.</exception>
    public bool Send(in Frame frame)
    {
        // One of the same format goes back as it came, without a second look at its header; to its sender even without a copy.
        if (frame.TryGetEncoded(_services.Format, _headerBytes, out int start, out int bytes))
        {
            if (frame.Sink is HandlerThread thread && TryRelay(thread, start, bytes))
            {
                return true;
            }

            FramePlace place = Reserve(bytes, out Span<byte> destination);
            if (place == FramePlace.None)
            {
                return OnFull();
            }

            frame.Encoded(start, bytes).CopyTo(destination);
            return EndFrame(place, bytes, flush: true);
        }

        if (frame.TryGetSpan(out ReadOnlySpan<byte> body))
        {
            return Send(body, frame.Header);
        }

        return Send(frame.Header, frame.BodyBytes, frame.Body, static (destination, sequence) => sequence.CopyTo(destination));
    }

    /// <summary>Sends one frame; the body is copied. Never waits.</summary>
    /// <param name="body">The frame's content.</param>
    /// <param name="header">What the format writes beside it; fields that it does not have are left out.</param>
    /// <returns>
    /// <see langword="false"/> when the frame will not go out: the connection has ended or is ending, or its queue was full and
    /// <see cref="ConnectionOptions.SlowConsumer"/> acted. <see langword="true"/> does not mean that it has arrived.
    /// </returns>
    /// <exception cref="ArgumentException">The body is larger than this connection's format can carry, or contains its delimiter.</exception>
    public bool Send(ReadOnlySpan<byte> body, FrameHeader header = default)
    {
        return TrySend(body, header) || OnFull();
    }

    /// <summary>Sends one frame that is written in place, without a buffer in between. Never waits.</summary>
    /// <param name="header">What the format writes beside the body.</param>
    /// <param name="bodyBytes">Exactly how long the body is.</param>
    /// <param name="state">Handed to <paramref name="write"/>, so that it can be static.</param>
    /// <param name="write">Fills the whole span; short, without calls back into PlayChat and without waiting for a lock of yours: the connection may be locked meanwhile.</param>
    /// <returns>See <see cref="Send(ReadOnlySpan{byte}, FrameHeader)"/>.</returns>
    /// <exception cref="ArgumentException">The body is larger than this connection's format can carry.</exception>
    public bool Send<TState>(FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write)
    {
        ArgumentNullException.ThrowIfNull(write);
        return Enqueue(header, bodyBytes, state, write, flush: true);
    }

    /// <summary>
    /// Sends one frame; under <see cref="SlowConsumerPolicy.Wait"/> it waits for room in the queue, under the other policies it is
    /// the same as <see cref="Send(ReadOnlySpan{byte}, FrameHeader)"/>.
    /// </summary>
    /// <param name="body">The frame's content; copied when it is queued, so not to be changed until then.</param>
    /// <param name="header">What the format writes beside it.</param>
    /// <param name="cancellationToken">Gives up waiting; the frame is then not sent.</param>
    /// <returns>As for the plain send.</returns>
    /// <exception cref="ArgumentException">The body is larger than this connection's format can carry, or than its whole queue.</exception>
    /// <exception cref="OperationCanceledException">Cancelled while it waited.</exception>
    public ValueTask<bool> SendAsync(ReadOnlyMemory<byte> body, FrameHeader header = default, CancellationToken cancellationToken = default)
    {
        if (_services.Options.SlowConsumer != SlowConsumerPolicy.Wait)
        {
            return new ValueTask<bool>(Send(body.Span, header));
        }

        int bytes = _headerBytes + body.Length + _trailerBytes;
        if (bytes > _services.Options.MaxOutboundBytes)
        {
            throw new ArgumentException(
                $"The frame has {bytes} bytes, but the outbound queue takes {_services.Options.MaxOutboundBytes}.", nameof(body));
        }

        return SendWhenRoomAsync(body, header, _services.Options.MaxOutboundBytes - bytes, cancellationToken);
    }

    /// <summary>Queues a frame without sending: a room's turn flushes each touched connection once, at its end.</summary>
    internal bool Enqueue<TState>(FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, bool flush = false)
    {
        return TryEnqueue(header, bodyBytes, state, write, flush) || OnFull();
    }

    private bool TryEnqueue<TState>(FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, bool flush)
    {
        FramePlace place = BeginFrame(header, bodyBytes, out Span<byte> destination);
        if (place == FramePlace.None)
        {
            return false;
        }

        try
        {
            write(destination, state);
            RequireCarries(destination);
        }
        catch
        {
            AbandonFrame(place);
            throw;
        }

        return EndFrame(place, _headerBytes + bodyBytes + _trailerBytes, flush);
    }

    private async ValueTask<bool> SendWhenRoomAsync(
        ReadOnlyMemory<byte> body, FrameHeader header, int roomFrom, CancellationToken cancellationToken)
    {
        while (IsOpen)
        {
            if (TrySend(body.Span, header))
            {
                return true;
            }

            if (InOwnBatch)
            {
                UncorkEarly(); // what fills the queue must be on its way, or there will never be room
            }

            await WaitUntilQueuedAsync(roomFrom, cancellationToken).ConfigureAwait(false);
        }

        return false;
    }

    private bool TrySend(ReadOnlySpan<byte> body, FrameHeader header)
    {
        RequireCarries(body);
        FramePlace place = BeginFrame(header, body.Length, out Span<byte> destination);
        if (place == FramePlace.None)
        {
            return false;
        }

        body.CopyTo(destination);
        return EndFrame(place, _headerBytes + body.Length + _trailerBytes, flush: true);
    }
}
