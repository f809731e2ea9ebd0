using System.Security.Claims;

namespace PlayChat.Core.Transport;

/// <summary>A link that came through a proxy: everything is the link's own, except the peer's address.</summary>
internal sealed class ProxiedConnection : TransportConnection
{
    private readonly TransportConnection _link;

    private ProxiedConnection(TransportConnection link, EndPoint client)
    {
        _link = link;
        RemoteEndPoint = client;
    }

    /// <summary>The address of the client, as the proxy has told it.</summary>
    public override EndPoint? RemoteEndPoint { get; }

    public override EndPoint? LocalEndPoint => _link.LocalEndPoint;

    public override CloseReason EndReason => _link.EndReason;

    public override bool KnowsReadiness => _link.KnowsReadiness;

    internal override X509Certificate2? PeerCertificate => _link.PeerCertificate;

    internal override ClaimsPrincipal? User => _link.User;

    internal override int MaxSynchronousReceives => _link.MaxSynchronousReceives;

    internal override bool BringsRecords => _link.BringsRecords;

    /// <summary>Gives a link the address of its client.</summary>
    /// <param name="link">Owned by the result.</param>
    /// <param name="client">Where the client is; <see langword="null"/> if the proxy has not told it.</param>
    internal static TransportConnection Of(TransportConnection link, EndPoint? client) =>
        client is null || client.Equals(link.RemoteEndPoint) ? link : new ProxiedConnection(link, client);

    /// <summary>Reads the header of the PROXY protocol from a link, and not a byte more.</summary>
    /// <param name="link">Owned by the caller, and by the result if there is one.</param>
    /// <returns>
    /// The link with the address of the client, or the link itself when the header names none; <see langword="null"/> when the header is
    /// malformed or the link has ended.
    /// </returns>
    internal static async Task<TransportConnection?> AcceptAsync(TransportConnection link)
    {
        byte[] header = new byte[128]; // most headers have 28 or 52 bytes
        int read = 0;
        int needed = ProxyHeader.GetBytesNeeded([]);
        while (read < needed)
        {
            if (needed > header.Length)
            {
                Array.Resize(ref header, needed);
            }

            int received = await link.ReceiveAsync(header.AsMemory(read, needed - read)).ConfigureAwait(false);
            if (received == 0)
            {
                return null;
            }

            read += received;
            if (read == needed)
            {
                needed = ProxyHeader.GetBytesNeeded(header.AsSpan(0, read));
            }
        }

        return ProxyHeader.TryParse(header.AsSpan(0, read), out IPEndPoint? client) ? Of(link, client) : null;
    }

    public override ValueTask WaitForDataAsync() => _link.WaitForDataAsync();

    public override bool? TryWaitForData(IThreadPoolWorkItem reader) => _link.TryWaitForData(reader);

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer) => _link.ReceiveAsync(buffer);

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer) => _link.SendAsync(buffer);

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers) => _link.SendAsync(buffers);

    public override void Shutdown() => _link.Shutdown();

    public override void Abort() => _link.Abort();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _link.Dispose();
        }
    }
}
