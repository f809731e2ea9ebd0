using System.Net;
using PlayChat.Core.Transport;

namespace PlayChat.Persistence;

/// <summary>The link that a member had to the server before its restart.</summary>
internal sealed class EndedLink : TransportConnection
{
    public override EndPoint? RemoteEndPoint => null;

    public override EndPoint? LocalEndPoint => null;

    public override CloseReason EndReason => CloseReason.TransportFault;

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer) => new(0);

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer) => new(false);

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers) => new(false);

    public override void Shutdown()
    {
    }

    public override void Abort()
    {
    }

    protected override void Dispose(bool disposing)
    {
    }
}
