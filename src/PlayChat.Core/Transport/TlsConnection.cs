using System.Net.Security;
using System.Security.Authentication;

namespace PlayChat.Core.Transport;

/// <summary>A link with TLS over another link, which it owns.</summary>
/// <remarks>
/// A gathered send of small buffers becomes few writes of up to 32 KB, because each write costs a record. The ciphertext of
/// several writes leaves in one send, because each send of the inner link costs a system call and may wake the peer. A shutdown sends
/// close_notify, not while bytes are decrypted (<see cref="DecryptionGate"/>); an abort sends none.
/// </remarks>
internal sealed class TlsConnection : TransportConnection
{
    // SslStream encrypts so much at once on Unix, as two records. On Windows it makes two writes of it.
    private const int GatherBytes = 32 * 1024;

    // A peer that does not read gets no close_notify, and must not hold the link.
    private static readonly TimeSpan s_shutdownTimeout = TimeSpan.FromSeconds(5);

    private readonly TransportConnection _inner;
    private readonly TransportStream _innerStream;
    private readonly SslStream _stream;
    private readonly DecryptionGate _gate;
    private bool _mayHoldData = true; // SslStream may have bytes, or the end, that were not received yet. Only the reader uses it
    private int _endReason;
    private Task _shutdown = Task.CompletedTask;

    private TlsConnection(TransportConnection inner, TransportStream innerStream, SslStream stream)
    {
        _inner = inner;
        _innerStream = innerStream;
        _stream = stream;
        KnowsReadiness = stream.SslProtocol == SslProtocols.Tls13 && inner.KnowsReadiness;
        _gate = new DecryptionGate(() => _shutdown = ShutdownAsync());
        innerStream.Gate = _gate;
        PeerCertificate = stream.RemoteCertificate as X509Certificate2;
    }

    public override EndPoint? RemoteEndPoint => _inner.RemoteEndPoint;

    public override EndPoint? LocalEndPoint => _inner.LocalEndPoint;

    public override CloseReason EndReason =>
        (CloseReason)Volatile.Read(ref _endReason) is var own and not CloseReason.None ? own : _inner.EndReason;

    // With TLS 1.3 a receive that was not filled has taken every complete record, because all of them look like data from outside. With an
    // older version SslStream stops before a record of another kind. A TLS 1.3 peer that sends such a record breaks the protocol: its link
    // ends with the next byte.
    public override bool KnowsReadiness { get; }

    internal override X509Certificate2? PeerCertificate { get; }

    // Decryption takes so long that the peer's next bytes are often there already. A loop on the thread pool that gave way only then would
    // stay in the pool's queue from then on, and others in the socket engine's: two rounds of different lengths, so that some peers get
    // several times what the others get. So all of them take turns in the pool's queue, unless a receive brought a full record. Loops on
    // the transport's threads have one queue. A link that knows its readiness takes more in one turn, while what it needs is in the
    // processor's cache.
    internal override int MaxSynchronousReceives =>
        _inner.KnowsReadiness ? base.MaxSynchronousReceives : SocketTransport.RunsInline ? 1 : 0;

    internal override bool BringsRecords => true;

    /// <summary>Performs the server's side of the handshake.</summary>
    /// <param name="link">Owned by the result; closed when there is none.</param>
    /// <param name="authenticate">Performs it, with the options that it chooses.</param>
    /// <param name="turns">See <see cref="TransportStream"/>.</param>
    /// <param name="cancellationToken">Ends the handshake and the link.</param>
    /// <returns><see langword="null"/> when the handshake failed or was cancelled; the link is then closed.</returns>
    internal static async Task<TlsConnection?> AcceptAsync(
        TransportConnection link,
        Func<SslStream, CancellationToken, Task> authenticate,
        HandshakeTurns? turns,
        CancellationToken cancellationToken)
    {
        if (turns is not null)
        {
            await turns.Starts.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        }

        try
        {
            return await HandshakeAsync(link, authenticate, turns, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // Any exception of a peer's handshake (bad records, no common version, a reset) ends this link only.
            return null;
        }
    }

    /// <summary>Performs the client's side of the handshake.</summary>
    /// <exception cref="AuthenticationException">The server's certificate is not trusted or not the server's.</exception>
    /// <exception cref="IOException">The link ended.</exception>
    internal static Task<TlsConnection> ConnectAsync(
        TransportConnection link, SslClientAuthenticationOptions options, CancellationToken cancellationToken) =>
        HandshakeAsync(link, (stream, token) => stream.AuthenticateAsClientAsync(options, token), turns: null, cancellationToken);

    public override bool? TryWaitForData(IThreadPoolWorkItem reader) =>
        _mayHoldData || !KnowsReadiness ? null : _inner.TryWaitForData(reader);

    public override async ValueTask WaitForDataAsync()
    {
        try
        {
            _gate.Enter();
            _mayHoldData = true;
            _innerStream.WaitsFirst = true;
            _ = await _stream.ReadAsync(Memory<byte>.Empty).ConfigureAwait(false);
        }
        catch (Exception e) when (IsLinkFault(e))
        {
            SetEnd(e);
            _inner.Abort(); // the bad record is consumed, so the receive that follows would wait for another one
        }
        finally
        {
            _gate.Leave();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        try
        {
            _gate.Enter();
            // The caller holds a buffer while it waits here, because it expects bytes soon. SslStream may then hold one, too.
            _innerStream.WaitsFirst = false;
            _mayHoldData = true;
            int received = await _stream.ReadAsync(buffer).ConfigureAwait(false);
            _mayHoldData = received == 0 || received == buffer.Length || _innerStream.MayHaveEnded;
            if (received == 0)
            {
                SetEnd(CloseReason.PeerClosed);
            }

            return received;
        }
        catch (Exception e) when (IsLinkFault(e))
        {
            SetEnd(e);
            return 0;
        }
        finally
        {
            _gate.Leave();
        }
    }

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        if (buffer.Length <= GatherBytes)
        {
            return WriteAsync(buffer);
        }

        _innerStream.BeginGather(buffer.Length);
        return SendGatheredAsync(WriteAsync(buffer));
    }

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        if (buffers.Count == 1)
        {
            return SendAsync(buffers[0].AsMemory());
        }

        long bytes = 0;
        for (int i = 0; i < buffers.Count; i++)
        {
            bytes += buffers[i].Count;
        }

        if (bytes <= GatherBytes)
        {
            return WriteAsync(buffers);
        }

        _innerStream.BeginGather(bytes);
        return SendGatheredAsync(WriteAsync(buffers));
    }

    public override void Shutdown() => _gate.Shutdown();

    public override void Abort() => _inner.Abort();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            if (_shutdown.IsCompleted)
            {
                _stream.Dispose(); // disposes the inner link, too
            }
            else
            {
                _ = DisposeAfterShutdownAsync();
            }
        }
    }

    private static async Task<TlsConnection> HandshakeAsync(
        TransportConnection link,
        Func<SslStream, CancellationToken, Task> handshake,
        HandshakeTurns? turns,
        CancellationToken cancellationToken)
    {
        var innerStream = new TransportStream(link, turns);
        var stream = new SslStream(innerStream, leaveInnerStreamOpen: false);
        // A link cannot cancel a receive, so the deadline aborts the link.
        using CancellationTokenRegistration deadline =
            cancellationToken.Register(static state => ((TransportConnection)state!).Abort(), link);
        try
        {
            await handshake(stream, cancellationToken).ConfigureAwait(false);
            innerStream.EndTurns();
            return new TlsConnection(link, innerStream, stream);
        }
        catch
        {
            innerStream.EndTurns();
            link.Abort();
            await stream.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async ValueTask<bool> WriteAsync(ReadOnlyMemory<byte> buffer)
    {
        try
        {
            await _stream.WriteAsync(buffer).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (IsLinkFault(e))
        {
            SetEnd(e);
            return false;
        }
    }

    private async ValueTask<bool> WriteAsync(IList<ArraySegment<byte>> buffers)
    {
        byte[] gathered = ArrayPool<byte>.Shared.Rent(GatherBytes);
        try
        {
            int filled = 0;
            for (int i = 0; i < buffers.Count; i++)
            {
                ReadOnlyMemory<byte> rest = buffers[i].AsMemory();
                while (filled + rest.Length >= GatherBytes)
                {
                    int taken = GatherBytes - filled;
                    ReadOnlyMemory<byte> full = rest[..taken]; // needs no copy when it fills a write by itself
                    if (filled > 0)
                    {
                        full.CopyTo(gathered.AsMemory(filled));
                        full = gathered.AsMemory(0, GatherBytes);
                    }

                    if (!await WriteAsync(full).ConfigureAwait(false))
                    {
                        return false;
                    }

                    rest = rest[taken..];
                    filled = 0;
                }

                rest.CopyTo(gathered.AsMemory(filled));
                filled += rest.Length;
            }

            return filled == 0 || await WriteAsync(gathered.AsMemory(0, filled)).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(gathered);
        }
    }

    private async ValueTask<bool> SendGatheredAsync(ValueTask<bool> write)
    {
        try
        {
            return await write.ConfigureAwait(false) && await _innerStream.SendGatheredAsync().ConfigureAwait(false);
        }
        finally
        {
            _innerStream.EndGather();
        }
    }

    private static bool IsLinkFault(Exception e) =>
        e is IOException or ObjectDisposedException or InvalidOperationException or AuthenticationException;

    // While close_notify waits to be sent, the inner link has no end of its own yet: to dispose of it would drop what it still has to send.
    // An abort ends this wait, too.
    private async Task DisposeAfterShutdownAsync()
    {
        await _shutdown.WaitAsync(s_shutdownTimeout).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _stream.DisposeAsync().ConfigureAwait(false);
    }

    private async Task ShutdownAsync()
    {
        try
        {
            await _stream.ShutdownAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (IsLinkFault(e))
        {
            // The link has ended already.
        }

        _inner.Shutdown();
    }

    // The peer sent an invalid record, or it changed on the way.
    private void SetEnd(Exception e) =>
        SetEnd(e is IOException or AuthenticationException ? CloseReason.TlsFailed : CloseReason.TransportFault);

    /// <summary>Notes why the link ended, unless the inner link has a reason of its own; the first reason stays.</summary>
    private void SetEnd(CloseReason reason)
    {
        if (_inner.EndReason == CloseReason.None)
        {
            Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);
        }
    }
}
