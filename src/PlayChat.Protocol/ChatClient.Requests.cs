using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Protocol;

// Requests: each has an id of its own, waits its turn and its time, and leaves nothing behind however it ends.
public sealed partial class ChatClient
{
    private static int MaxBodyBytes(int maxFrameBytes) => FrameFormat.Packet(maxFrameBytes).MaxBodyBytes;

    private Task<TAnswer> RequestAsync<TRequest, TAnswer>(PacketType<TRequest> packet, TRequest request, CancellationToken cancellationToken)
        where TAnswer : class =>
        RequestAsync<TRequest, TAnswer>(packet, request, _options.RequestTimeout, cancellationToken);

    private async Task<TAnswer> RequestAsync<TRequest, TAnswer>(
        PacketType<TRequest> packet, TRequest request, TimeSpan timeout, CancellationToken cancellationToken)
        where TAnswer : class
    {
        RequireFits(packet, request);
        using var patience = new CancellationTokenSource(timeout, _time);
        using CancellationTokenRegistration cancelled = cancellationToken.UnsafeRegister(
            static source => ((CancellationTokenSource)source!).Cancel(), patience);
        try
        {
            await _turns.WaitAsync(patience.Token).ConfigureAwait(false);
            try
            {
                return await ExchangeAsync<TRequest, TAnswer>(packet, request, patience.Token).ConfigureAwait(false);
            }
            finally
            {
                _turns.Release();
            }
        }
        catch (OperationCanceledException e) when (patience.IsCancellationRequested)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new TimeoutException($"The server did not answer {packet.Name} within {timeout.TotalSeconds:0.###} seconds.", e);
        }
    }

    private async Task<TAnswer> ExchangeAsync<TRequest, TAnswer>(PacketType<TRequest> packet, TRequest request, CancellationToken cancellationToken)
        where TAnswer : class
    {
        var pending = new PendingRequest<TRequest, TAnswer>(packet, request);
        ushort id = _pending.Add(pending, out Connection? connection);
        try
        {
            // When the connection is ending, its end says what becomes of what is pending; while there is none, it goes out with the next.
            if (connection is not null && !pending.Send(connection, id) && connection.IsOpen)
            {
                throw new ChatErrorException(
                    ErrorCode.ServerBusy, "The server does not take what is sent to it as fast as it comes: try again in a moment, more slowly.");
            }

            return await pending.Answer.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _pending.Remove(id);
        }
    }

    private void RequireFits<TRequest>(PacketType<TRequest> packet, TRequest request)
    {
        int bytes = packet.GetBodyBytes(request);
        int maxBytes = Volatile.Read(ref _maxBodyBytes);
        if (bytes > maxBytes)
        {
            // Sent, it would end the connection.
            throw new ArgumentException($"{packet.Name} would have {bytes} bytes, but the server takes at most {maxBytes}.", nameof(request));
        }
    }
}
