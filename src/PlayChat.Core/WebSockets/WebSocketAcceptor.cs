namespace PlayChat.Core.WebSockets;

/// <summary>Reads the HTTP request of an accepted link, and upgrades the link to WebSocket or answers and closes it.</summary>
/// <remarks>
/// An upgrade whose request is there already completes at once, and allocates the new link alone: in a rush of connections, what each of
/// them leaves behind is the memory of the server until the next collection.
/// </remarks>
/// <param name="upgrade">Decides about requests.</param>
/// <param name="maxMessageBytes">The longest message that a client may send.</param>
/// <param name="json">For clients that speak JSON; <see langword="null"/> where none can.</param>
/// <param name="proxies">The proxies whose requests name their clients; empty for none.</param>
/// <param name="answered">Called when a client gets an answer that is no upgrade, before it is sent.</param>
internal sealed class WebSocketAcceptor(
    WebSocketUpgrade upgrade,
    int maxMessageBytes,
    PacketJson? json,
    IReadOnlyList<IPNetwork> proxies,
    Action<EndPoint?, HttpAnswer> answered)
{
    // A client may still be sending when it is refused. Its bytes are read, so that the system does not drop the answer with a reset.
    private const int MaxDroppedBytes = 64 * 1024;

    /// <summary>The note for a request that did not come in time. Its link was aborted, so it is not sent.</summary>
    internal static HttpAnswer TookTooLong { get; } = HttpAnswer.Refuse("408 Request Timeout", "The request took too long.");

    /// <summary>Upgrades a link. The caller bounds the time by aborting the link.</summary>
    /// <param name="link">Owned by the result; disposed when there is none.</param>
    /// <param name="admit">
    /// Called with the link and the address of its client, where the link is one of a trusted proxy; returns <see langword="false"/> when
    /// it has refused and disposed the link. <see langword="null"/> for every other link.
    /// </param>
    /// <returns>The new link, unless the link was not upgraded; and whether the client was told why, or was refused.</returns>
    internal async ValueTask<(TransportConnection? Upgraded, bool WasAnswered)> AcceptAsync(
        TransportConnection link, Func<TransportConnection, bool>? admit)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(HttpRequestHead.MaxBytes);
        try
        {
            int read = await ReadHeadAsync(link, buffer.AsMemory(0, HttpRequestHead.MaxBytes)).ConfigureAwait(false);
            if (read == 0)
            {
                link.Dispose();
                return (null, false);
            }

            HttpAnswer? unclear = null;
            if (admit is not null)
            {
                unclear = FindClient(link.RemoteEndPoint, buffer.AsSpan(0, read), out EndPoint? client);
                link = ProxiedConnection.Of(link, client);
                if (!admit(link))
                {
                    return (null, true);
                }
            }

            WebSocketConnection? upgraded = null;
            int responseBytes = 0;
            HttpAnswer? answer = unclear ?? Judge(link, buffer, read, out upgraded, out responseBytes);
            if (answer is null)
            {
                if (await link.SendAsync(buffer.AsMemory(0, responseBytes)).ConfigureAwait(false))
                {
                    return (upgraded, false);
                }
            }
            else
            {
                answered(link.RemoteEndPoint, answer);
                await AnswerAsync(link, answer, buffer).ConfigureAwait(false);
            }

            link.Dispose();
            return (null, answer is not null);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>Finds the client of a proxy's request, as far as the request tells it.</summary>
    /// <returns>What the proxy gets where the request does not tell it for certain.</returns>
    private HttpAnswer? FindClient(EndPoint? peer, Span<byte> received, out EndPoint? client)
    {
        client = peer;
        int headBytes = HttpRequestHead.FindEnd(received);
        Span<char> text = stackalloc char[Math.Max(headBytes, 0)];
        return headBytes >= 0
            && HttpRequestHead.Parse(received[..headBytes], text, out HttpRequestHead request) is null
            && !ForwardedClient.TryFind(request, proxies, peer, out client)
                ? HttpAnswer.Refuse("400 Bad Request", ForwardedClient.Problem)
                : null; // an invalid request is answered like every other one
    }

    /// <summary>
    /// Judges what was received. If it is accepted, the upgraded link owns the other one, and the buffer has the response, which the client
    /// gets first.
    /// </summary>
    /// <returns>What the client gets where the request is not accepted.</returns>
    private HttpAnswer? Judge(
        TransportConnection link, Span<byte> buffer, int read, out WebSocketConnection? upgraded, out int responseBytes)
    {
        upgraded = null;
        responseBytes = 0;
        int headBytes = HttpRequestHead.FindEnd(buffer[..read]);
        if (headBytes < 0)
        {
            return HttpRequestHead.CanBegin(buffer[..read])
                ? HttpAnswer.Refuse(
                    "431 Request Header Fields Too Large", $"The head of a request may have {HttpRequestHead.MaxBytes} bytes.")
                : HttpAnswer.Refuse("400 Bad Request", "This port takes WebSocket clients; TCP clients of PlayChat use another one.");
        }

        Span<char> text = stackalloc char[headBytes];
        if (HttpRequestHead.Parse(buffer[..headBytes], text, out HttpRequestHead request) is { } problem)
        {
            return HttpAnswer.Refuse("400 Bad Request", problem);
        }

        if (upgrade.Judge(request, out ReadOnlySpan<char> key, out string? subprotocol) is { } answer)
        {
            return answer;
        }

        byte[] rest = buffer[headBytes..read].ToArray(); // before the response takes its place
        upgraded = new WebSocketConnection(link, maxMessageBytes, rest, subprotocol == WebSocketUpgrade.Json ? CreateTranscoder() : null);
        responseBytes = WebSocketUpgrade.WriteResponse(key, subprotocol, buffer);
        return null;
    }

    // Apart, so that a server whose clients speak no JSON does not load the library for it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private JsonTranscoder CreateTranscoder() => new(json!);

    /// <summary>Receives until the head of a request is whole, the buffer is full, or it is clear that no request comes.</summary>
    /// <returns>How many bytes were received; 0 when the link has ended before.</returns>
    private static async ValueTask<int> ReadHeadAsync(TransportConnection link, Memory<byte> buffer)
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

    private static async ValueTask AnswerAsync(TransportConnection link, HttpAnswer answer, byte[] buffer)
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
