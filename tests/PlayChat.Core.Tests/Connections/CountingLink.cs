using System.Net;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Tests.Connections;

/// <summary>A link that tells of each send.</summary>
internal sealed class CountingLink(TransportConnection link, Action sending) : TransportConnection
{
    public override EndPoint? RemoteEndPoint => link.RemoteEndPoint;

    public override EndPoint? LocalEndPoint => link.LocalEndPoint;

    public override CloseReason EndReason => link.EndReason;

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer) => link.ReceiveAsync(buffer);

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        sending();
        return link.SendAsync(buffer);
    }

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        sending();
        return link.SendAsync(buffers);
    }

    public override void Shutdown() => link.Shutdown();

    public override void Abort() => link.Abort();

    protected override void Dispose(bool disposing) => link.Dispose();
}
