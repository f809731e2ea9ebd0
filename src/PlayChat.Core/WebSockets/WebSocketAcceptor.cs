using System.Buffers;
using PlayChat.Core.Transport;

namespace PlayChat.Core.WebSockets;

/// <summary>Reads the HTTP request of an accepted link, and upgrades the link to WebSocket or answers and closes it.</summary>
/// <param name="upgrade">Decides about requests.</param>
/// <param name="maxMessageBytes">The longest message that a client may send.</param>
/// <param name="json">For clients that speak JSON; <see langword="null"/> where none can.</param>
internal sealed class WebSocketAcceptor(WebSocketUpgrade upgrade, int maxMessageBytes, PacketJson? json)
{
    // A client may still be sending when it is refused. Its bytes are read, so that the system does not drop the answer with a reset.
    private const int MaxDroppedBytes = 64 * 1024;

    /// <summary>The note for a request that did not come in time. Its link was aborted, so it is not sent.</summary>
    internal static HttpAnswer TookTooLong { get; } = HttpAnswer.Refuse("408 Request Timeout", "The request took too long.");

    /// <summary>Upgrades a link. The caller bounds the time by aborting the link.</summary>
    /// <param name="link">Owned by the result; disposed when there is none.</param>
    /// <param name="answered">Called when the client gets an answer that is no upgrade, before it is sent.</param>
    /// <returns><see langword="null"/> when the link was not upgraded.</returns>
    internal async Task<TransportConnection?> AcceptAsync(TransportConnection link, Action<HttpAnswer> answered)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(HttpRequestHead.MaxBytes);
        try
        {
            int read = await ReadHeadAsync(link, buffer.AsMemory(0, HttpRequestHead.MaxBytes)).ConfigureAwait(false);
            if (read == 0)
            {
                link.Dispose();
                return null;
            }

            int headBytes = HttpRequestHead.FindEnd(buffer.AsSpan(0, read));
            if (TryAccept(buffer.AsSpan(0, read), headBytes, out HttpAnswer answer, out byte[] response, out string? subprotocol))
            {
                if (await link.SendAsync(response).ConfigureAwait(false))
                {
                    return new WebSocketConnection(
                        link,
                        maxMessageBytes,
                        buffer.AsSpan(headBytes, read - headBytes).ToArray(),
                        subprotocol == WebSocketUpgrade.Json ? new JsonTranscoder(json!) : null);
                }
            }
            else
            {
                answered(answer);
                await AnswerAsync(link, answer, buffer).ConfigureAwait(false);
            }

            link.Dispose();
            return null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private bool TryAccept(
        ReadOnlySpan<byte> bytes, int headBytes, out HttpAnswer answer, out byte[] response, out string? subprotocol)
    {
        string problem = "";
        if (headBytes > 0 && HttpRequestHead.Parse(bytes[..headBytes], out problem) is { } request)
        {
            return upgrade.TryAccept(request, out answer, out response, out subprotocol);
        }

        answer = headBytes > 0 ? HttpAnswer.Refuse("400 Bad Request", problem)
            : HttpRequestHead.CanBegin(bytes) ? HttpAnswer.Refuse(
                "431 Request Header Fields Too Large", $"The head of a request may have {HttpRequestHead.MaxBytes} bytes.")
            : HttpAnswer.Refuse("400 Bad Request", "This port takes WebSocket clients; TCP clients of PlayChat use another one.");
        (response, subprotocol) = ([], null);
        return false;
    }

    /// <summary>Receives until the head of a request is whole, the buffer is full, or it is clear that no request comes.</summary>
    /// <returns>How many bytes were received; 0 when the link has ended before.</returns>
    private static async Task<int> ReadHeadAsync(TransportConnection link, Memory<byte> buffer)
    {
        int read = 0;
        do
        {
            int received = await link.ReceiveAsync(buffer[read..]).ConfigureAwait(false);
            if (received == 0)
            {
                return 0;
            }

            read += received;
        }
        while (read < buffer.Length
            && HttpRequestHead.CanBegin(buffer.Span)
            && HttpRequestHead.FindEnd(buffer.Span[..read]) < 0);

        return read;
    }

    private static async Task AnswerAsync(TransportConnection link, HttpAnswer answer, byte[] buffer)
    {
        if (!await link.SendAsync(answer.EncodeHead()).ConfigureAwait(false)
            || !(answer.IsHeadOnly || answer.Body.IsEmpty || await link.SendAsync(answer.Body).ConfigureAwait(false)))
        {
            return;
        }

        link.Shutdown();
        int dropped = 0;
        while (dropped < MaxDroppedBytes && await link.ReceiveAsync(buffer).ConfigureAwait(false) is var received and > 0)
        {
            dropped += received;
        }
    }
}
