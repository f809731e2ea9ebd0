using System.Net;
using PlayChat.Core.Transport;

namespace PlayChat.Recording;

/// <summary>The link of a session in a replay: it takes everything, and nothing comes from it.</summary>
internal sealed class StandInLink : TransportConnection
{
    public override EndPoint? RemoteEndPoint => null;

    public override EndPoint? LocalEndPoint => null;

    public override CloseReason EndReason => CloseReason.PeerClosed;

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer) => new(0);

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer) => new(true);

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers) => new(true);

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
