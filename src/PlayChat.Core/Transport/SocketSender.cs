using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Threading.Tasks.Sources;

namespace PlayChat.Core.Transport;

/// <summary>The reused send operation of one socket; awaiting it allocates nothing.</summary>
/// <remarks>One send at a time, and each result is taken once.</remarks>
internal sealed class SocketSender : SocketAsyncEventArgs, IValueTaskSource<bool>
{
    private readonly SocketTransportConnection _link;
    private ManualResetValueTaskSourceCore<bool> _source;
    private int _bytes;

    internal SocketSender(SocketTransportConnection link)
        : base(true) // no execution context: none is captured when an await goes through here
    {
        _link = link;
    }

    bool IValueTaskSource<bool>.GetResult(short token)
    {
        bool result = _source.GetResult(token);
        _source.Reset();
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    internal ValueTask<bool> SendAsync(Socket socket, ReadOnlyMemory<byte> buffer)
    {
        if (BufferList is not null)
        {
            BufferList = null;
        }

        SetBuffer(MemoryMarshal.AsMemory(buffer));
        return Start(socket, buffer.Length);
    }

    internal ValueTask<bool> SendAsync(Socket socket, IList<ArraySegment<byte>> buffers)
    {
        SetBuffer(null, 0, 0); // a list and a buffer exclude each other
        BufferList = buffers;
        int bytes = 0;
        for (int i = 0; i < buffers.Count; i++)
        {
            bytes += buffers[i].Count;
        }

        return Start(socket, bytes);
    }

    protected override void OnCompleted(SocketAsyncEventArgs e) => _source.SetResult(Sent());

    private ValueTask<bool> Start(Socket socket, int bytes)
    {
        _bytes = bytes;
        try
        {
            return socket.SendAsync(this) ? new ValueTask<bool>(this, _source.Version) : new ValueTask<bool>(Sent());
        }
        catch (ObjectDisposedException)
        {
            // The link was aborted between two sends. Report it like an abort during one.
            _link.SetEnd(CloseReason.LocalClose);
            return new ValueTask<bool>(false);
        }
    }

    private bool Sent()
    {
        if (SocketError == SocketError.Success && BytesTransferred == _bytes)
        {
            return true;
        }

        // A stream socket's send completes when all is sent. Fewer bytes without an error are a fault of the system.
        _link.SetEnd(SocketError == SocketError.Success ? CloseReason.TransportFault : SocketErrors.ToCloseReason(SocketError));
        return false;
    }
}
