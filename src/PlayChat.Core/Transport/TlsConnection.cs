using System.Net;
using System.Net.Security;
using System.Security.Authentication;

namespace PlayChat.Core.Transport;

/// <summary>A link with TLS over another link, which it owns.</summary>
/// <remarks>
/// A gathered send becomes one write per buffer, because TLS makes its records one by one in any case. A shutdown sends close_notify; an
/// abort does not.
/// </remarks>
internal sealed class TlsConnection : TransportConnection
{
    private readonly TransportConnection _inner;
    private readonly SslStream _stream;
    private int _endReason;

    private TlsConnection(TransportConnection inner, SslStream stream)
    {
        _inner = inner;
        _stream = stream;
    }

    public override EndPoint? RemoteEndPoint => _inner.RemoteEndPoint;

    public override EndPoint? LocalEndPoint => _inner.LocalEndPoint;

    public override CloseReason EndReason =>
        (CloseReason)Volatile.Read(ref _endReason) is var own and not CloseReason.None ? own : _inner.EndReason;

    /// <summary>Performs the server's side of the handshake.</summary>
    /// <returns><see langword="null"/> when the handshake failed or was cancelled; the link is then closed.</returns>
    internal static async Task<TlsConnection?> AcceptAsync(
        TransportConnection link, SslServerAuthenticationOptions options, CancellationToken cancellationToken)
    {
        try
        {
            return await HandshakeAsync(link, (stream, token) => stream.AuthenticateAsServerAsync(options, token), cancellationToken)
                .ConfigureAwait(false);
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
        HandshakeAsync(link, (stream, token) => stream.AuthenticateAsClientAsync(options, token), cancellationToken);

    public override async ValueTask WaitForDataAsync()
    {
        try
        {
            _ = await _stream.ReadAsync(Memory<byte>.Empty).ConfigureAwait(false);
        }
        catch (Exception e) when (IsLinkFault(e))
        {
            SetEnd(e);
            _inner.Abort(); // the bad record is consumed, so the receive that follows would wait for another one
        }
    }

    public override async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        try
        {
            int received = await _stream.ReadAsync(buffer).ConfigureAwait(false);
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
    }

    public override async ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
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

    public override async ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        for (int i = 0; i < buffers.Count; i++)
        {
            if (!await SendAsync(buffers[i].AsMemory()).ConfigureAwait(false))
            {
                return false;
            }
        }

        return true;
    }

    public override void Shutdown() => _ = ShutdownAsync();

    public override void Abort() => _inner.Abort();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _stream.Dispose(); // disposes the inner link, too
        }
    }

    private static async Task<TlsConnection> HandshakeAsync(
        TransportConnection link, Func<SslStream, CancellationToken, Task> handshake, CancellationToken cancellationToken)
    {
        var stream = new SslStream(new TransportStream(link), leaveInnerStreamOpen: false);
        // A link cannot cancel a receive, so the deadline aborts the link.
        using CancellationTokenRegistration deadline =
            cancellationToken.Register(static state => ((TransportConnection)state!).Abort(), link);
        try
        {
            await handshake(stream, cancellationToken).ConfigureAwait(false);
            return new TlsConnection(link, stream);
        }
        catch
        {
            link.Abort();
            await stream.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private static bool IsLinkFault(Exception e) =>
        e is IOException or ObjectDisposedException or InvalidOperationException or AuthenticationException;

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

    // A record that cannot be read was sent by the peer, or changed on the way.
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
