using System.Security.Claims;

namespace PlayChat.Core.WebSockets;

/// <summary>A link inside a WebSocket over another link, which it owns: what is received and sent is the content of messages.</summary>
/// <remarks>
/// <para>
/// Receiving decodes in the caller's memory, so it holds no memory of its own. Each send is one message: a header in front of the caller's
/// bytes. A small message is copied behind its header, because that costs less than a gathered send.
/// </para>
/// <para>
/// A close frame takes the place of FIN in both directions. The server's follows everything that was sent, names the close reason, and is
/// followed by a FIN. A client that has broken a rule of WebSocket is told by <see cref="TakeViolation"/>'s caller in the same way.
/// </para>
/// <para>Pongs are sent between messages. At most one waits: a newer ping takes the place of one that was not answered yet.</para>
/// </remarks>
internal sealed class WebSocketConnection : TransportConnection
{
    // What is copied behind its header. The system copies small sends as well, and a second piece costs about as much as copying this.
    private const int MaxCopiedBytes = 4096;

    // A peer that does not read gets no close frame, and must not hold the link.
    private static readonly TimeSpan s_shutdownTimeout = TimeSpan.FromSeconds(5);

    [ThreadStatic]
    private static List<ArraySegment<byte>>? s_pieces;

    private readonly TransportConnection _inner;
    private readonly WebSocketOpcode _opcode;
    private readonly JsonTranscoder? _json; // null where messages hold the bytes themselves
    private WebSocketDecoder _decoder;
    private SendGate _gate;
    private ReadOnlyMemory<byte> _rest; // what came behind the request for the upgrade
    private byte[]? _pong; // the frame that is sent next, if any
    private Task _pongs = Task.CompletedTask; // the sends of pongs that do not complete at once
    private Task _shutdown = Task.CompletedTask;
    private int _overheadBytes; // received, and no payload
    private bool _wasViolationTaken;
    private volatile bool _isShutdown;
    private int _endReason;

    /// <param name="inner">Owned from now on.</param>
    /// <param name="maxMessageBytes">The longest message that the client may send.</param>
    /// <param name="rest">What was received behind the request for the upgrade.</param>
    /// <param name="json">Makes messages text, each a packet as JSON; <see langword="null"/> for binary messages.</param>
    internal WebSocketConnection(
        TransportConnection inner, int maxMessageBytes, ReadOnlyMemory<byte> rest = default, JsonTranscoder? json = null)
    {
        _inner = inner;
        _json = json;
        _opcode = json is null ? WebSocketOpcode.Binary : WebSocketOpcode.Text;
        _rest = rest;
        _decoder = new WebSocketDecoder(_opcode, maxMessageBytes, stopsAtMessageEnd: json is not null);
    }

    public override EndPoint? RemoteEndPoint => _inner.RemoteEndPoint;

    public override EndPoint? LocalEndPoint => _inner.LocalEndPoint;

    public override CloseReason EndReason =>
        (CloseReason)Volatile.Read(ref _endReason) is var own and not CloseReason.None ? own : _inner.EndReason;

    public override bool KnowsReadiness => _inner.KnowsReadiness;

    internal override X509Certificate2? PeerCertificate => _inner.PeerCertificate;

    internal override int MaxSynchronousReceives => _inner.MaxSynchronousReceives;

    internal override bool BringsRecords => _inner.BringsRecords;

    internal override ClaimsPrincipal? User => _inner.User;

    internal override int UnfinishedBytes => _decoder.IsBetweenMessages ? 0 : 1 + (_json?.GatheredBytes ?? 0);

    // What the next receive would return without asking the inner link.
    private bool HasMore => !_rest.IsEmpty || (_decoder.HasEnded && !_wasViolationTaken) || _json is { HasPackets: true };

    public override ValueTask WaitForDataAsync() => HasMore ? ValueTask.CompletedTask : _inner.WaitForDataAsync();

    public override bool? TryWaitForData(IThreadPoolWorkItem reader) => HasMore ? false : _inner.TryWaitForData(reader);

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        if (HasMore)
        {
            return new ValueTask<int>(ReceiveRest(buffer.Span));
        }

        ValueTask<int> receive = _inner.ReceiveAsync(buffer);
        return receive.IsCompletedSuccessfully
            ? new ValueTask<int>(OnReceived(buffer.Span, receive.Result))
            : ReceiveSlowlyAsync(receive, buffer);
    }

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        if (_json is not null)
        {
            return SendJsonAsync(_json.Encode(buffer.Span));
        }

        return _gate.TryBeginMessage() ? SendMessage(buffer) : SendBehindPongAsync(buffer);
    }

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        if (_json is not null)
        {
            return SendJsonAsync(_json.Encode(buffers.SelectMany(static buffer => buffer).ToArray()));
        }

        return _gate.TryBeginMessage() ? SendMessage(buffers) : SendBehindPongAsync(buffers);
    }

    public override void Shutdown() => Shutdown(CloseReason.None);

    internal override bool TellsReason => true;

    public override void Abort() => _inner.Abort();

    internal override void Shutdown(CloseReason reason)
    {
        if (_isShutdown)
        {
            return;
        }

        _isShutdown = true;
        _shutdown = ShutdownAsync(
            _decoder.Fault != WebSocketFault.None ? WebSocketClose.Frame(_decoder.Fault, _json?.Problem)
            : _decoder.IsClosed ? WebSocketClose.Answer(_decoder.CloseCode)
            : WebSocketClose.Frame(reason));
    }

    internal override CloseReason TakeViolation()
    {
        if (_decoder.Fault == WebSocketFault.None || _wasViolationTaken)
        {
            return CloseReason.None;
        }

        _wasViolationTaken = true;
        return WebSocketClose.Of(_decoder.Fault).Reason;
    }

    internal override int TakeOverheadBytes()
    {
        int bytes = _overheadBytes;
        _overheadBytes = 0;
        return bytes;
    }

    protected override void Dispose(bool disposing)
    {
        if (!disposing)
        {
            return;
        }

        if (_shutdown.IsCompleted && _pongs.IsCompleted)
        {
            _inner.Dispose();
        }
        else
        {
            _ = DisposeLaterAsync();
        }
    }

    // While the close frame or a pong is on its way, the link still has something to send.
    private async Task DisposeLaterAsync()
    {
        await _shutdown.WaitAsync(s_shutdownTimeout).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!_shutdown.IsCompleted || !_pongs.IsCompleted)
        {
            _inner.Abort(); // ends the send
        }

        await Task.WhenAll(_shutdown, _pongs).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _inner.Dispose();
    }

    private int ReceiveRest(Span<byte> buffer)
    {
        if (_json?.Take(buffer) is { } packets and > 0)
        {
            return packets;
        }

        if (_decoder.HasEnded)
        {
            return OnEnded();
        }

        int taken = Math.Min(_rest.Length, buffer.Length);
        _rest.Span[..taken].CopyTo(buffer);
        _rest = _rest[taken..];
        return OnReceived(buffer, taken);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> ReceiveSlowlyAsync(ValueTask<int> receive, Memory<byte> buffer)
    {
        int received = await receive.ConfigureAwait(false);
        return OnReceived(buffer.Span, received);
    }

    /// <summary>Decodes what the inner link has received.</summary>
    private int OnReceived(Span<byte> buffer, int received)
    {
        if (received <= 0 || _decoder.HasEnded)
        {
            return received == 0 ? 0 : NothingYet; // what follows the end is dropped until the link ends
        }

        int payload = _json is null ? _decoder.Decode(buffer[..received], out _) : DecodeJson(_json, buffer, received);
        _overheadBytes += Math.Max(received - payload, 0);
        if (_decoder.TryTakePing(out ReadOnlySpan<byte> ping) && !_isShutdown)
        {
            Answer(ping);
        }

        return payload > 0 ? payload : _decoder.HasEnded ? OnEnded() : NothingYet;
    }

    private int DecodeJson(JsonTranscoder json, Span<byte> buffer, int received)
    {
        Span<byte> rest = buffer[..received];
        while (!rest.IsEmpty && !_decoder.HasEnded)
        {
            int payload = _decoder.Decode(rest, out int consumed);
            if (payload > 0 || _decoder.EndsMessage)
            {
                _decoder.Fail(json.Add(rest[..payload], _decoder.EndsMessage));
            }

            rest = rest[consumed..];
        }

        return json.Take(buffer);
    }

    private async ValueTask<bool> SendJsonAsync(ReadOnlyMemory<byte> messages)
    {
        await _gate.BeginMessageAsync().ConfigureAwait(false);
        try
        {
            return await _inner.SendAsync(messages).ConfigureAwait(false);
        }
        finally
        {
            EndMessage();
        }
    }

    private int OnEnded()
    {
        _rest = default;
        if (_decoder.Fault != WebSocketFault.None)
        {
            return NothingYet; // the caller asks for the violation
        }

        Interlocked.CompareExchange(ref _endReason, (int)CloseReason.PeerClosed, (int)CloseReason.None);
        return 0;
    }

    private ValueTask<bool> SendMessage(ReadOnlyMemory<byte> message) =>
        message.Length <= MaxCopiedBytes ? SendCopied(message.Span) : SendGathered(message);

    private ValueTask<bool> SendMessage(IList<ArraySegment<byte>> buffers)
    {
        long bytes = BytesOf(buffers);
        return bytes <= MaxCopiedBytes ? SendCopied(buffers, (int)bytes) : SendGathered(buffers, bytes);
    }

    private ValueTask<bool> SendCopied(ReadOnlySpan<byte> message)
    {
        byte[] frame = ArrayPool<byte>.Shared.Rent(WebSocketHeader.MaxBytes + message.Length);
        int headerBytes = WebSocketHeader.Write(frame, _opcode, message.Length);
        message.CopyTo(frame.AsSpan(headerBytes));
        return Send(frame, headerBytes + message.Length);
    }

    private ValueTask<bool> SendCopied(IList<ArraySegment<byte>> buffers, int bytes)
    {
        byte[] frame = ArrayPool<byte>.Shared.Rent(WebSocketHeader.MaxBytes + bytes);
        int filled = WebSocketHeader.Write(frame, _opcode, bytes);
        for (int i = 0; i < buffers.Count; i++)
        {
            buffers[i].AsSpan().CopyTo(frame.AsSpan(filled));
            filled += buffers[i].Count;
        }

        return Send(frame, filled);
    }

    private ValueTask<bool> Send(byte[] frame, int bytes)
    {
        ValueTask<bool> send = _inner.SendAsync(frame.AsMemory(0, bytes));
        if (!send.IsCompletedSuccessfully)
        {
            return EndSlowlyAsync(send, frame, pieces: null);
        }

        bool sent = send.Result;
        ArrayPool<byte>.Shared.Return(frame);
        EndMessage();
        return new ValueTask<bool>(sent);
    }

    private ValueTask<bool> SendGathered(ReadOnlyMemory<byte> message)
    {
        if (!MemoryMarshal.TryGetArray(message, out ArraySegment<byte> array))
        {
            return SendCopied(message.Span);
        }

        List<ArraySegment<byte>> pieces = BeginGathered(message.Length);
        pieces.Add(array);
        return SendPieces(pieces);
    }

    private ValueTask<bool> SendGathered(IList<ArraySegment<byte>> buffers, long bytes)
    {
        List<ArraySegment<byte>> pieces = BeginGathered(bytes);
        for (int i = 0; i < buffers.Count; i++)
        {
            pieces.Add(buffers[i]);
        }

        return SendPieces(pieces);
    }

    private List<ArraySegment<byte>> BeginGathered(long bytes)
    {
        List<ArraySegment<byte>> pieces = s_pieces ?? [];
        s_pieces = null;
        byte[] header = ArrayPool<byte>.Shared.Rent(WebSocketHeader.MaxBytes);
        pieces.Add(new ArraySegment<byte>(header, 0, WebSocketHeader.Write(header, _opcode, bytes)));
        return pieces;
    }

    private ValueTask<bool> SendPieces(List<ArraySegment<byte>> pieces)
    {
        byte[] header = pieces[0].Array!;
        ValueTask<bool> send = _inner.SendAsync(pieces);
        if (!send.IsCompletedSuccessfully)
        {
            return EndSlowlyAsync(send, header, pieces);
        }

        bool sent = send.Result;
        Free(header, pieces);
        EndMessage();
        return new ValueTask<bool>(sent);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> EndSlowlyAsync(ValueTask<bool> send, byte[] rented, List<ArraySegment<byte>>? pieces)
    {
        try
        {
            return await send.ConfigureAwait(false);
        }
        finally
        {
            Free(rented, pieces);
            EndMessage();
        }
    }

    private async ValueTask<bool> SendBehindPongAsync(ReadOnlyMemory<byte> message)
    {
        await _gate.BeginMessageAsync().ConfigureAwait(false);
        return await SendMessage(message).ConfigureAwait(false);
    }

    private async ValueTask<bool> SendBehindPongAsync(IList<ArraySegment<byte>> buffers)
    {
        await _gate.BeginMessageAsync().ConfigureAwait(false);
        return await SendMessage(buffers).ConfigureAwait(false);
    }

    private static void Free(byte[] rented, List<ArraySegment<byte>>? pieces)
    {
        ArrayPool<byte>.Shared.Return(rented);
        if (pieces is not null)
        {
            pieces.Clear();
            s_pieces = pieces;
        }
    }

    private static long BytesOf(IList<ArraySegment<byte>> buffers)
    {
        long bytes = 0;
        for (int i = 0; i < buffers.Count; i++)
        {
            bytes += buffers[i].Count;
        }

        return bytes;
    }

    private void EndMessage()
    {
        if (_gate.EndMessage())
        {
            _pongs = SendPongsAsync();
        }
    }

    private void Answer(ReadOnlySpan<byte> ping)
    {
        Interlocked.Exchange(ref _pong, WebSocketHeader.CreateControlFrame(WebSocketOpcode.Pong, ping));
        if (_gate.TryBeginPong())
        {
            _pongs = SendPongsAsync();
        }
    }

    /// <summary>Sends what is in <c>_pong</c> until there is nothing. The caller has its turn.</summary>
    private async Task SendPongsAsync()
    {
        do
        {
            try
            {
                while (!_isShutdown && Interlocked.Exchange(ref _pong, null) is { } pong)
                {
                    if (!await _inner.SendAsync(pong).ConfigureAwait(false))
                    {
                        break; // the link has ended, which the receive under way reports
                    }
                }
            }
            finally
            {
                _gate.EndPong();
            }
        }
        while (!_isShutdown && Volatile.Read(ref _pong) is not null && _gate.TryBeginPong());
    }

    private async Task ShutdownAsync(byte[] frame)
    {
        await _gate.BeginMessageAsync().ConfigureAwait(false); // never given back: nothing follows a close frame
        await _inner.SendAsync(frame).ConfigureAwait(false);
        _inner.Shutdown();
    }
}
