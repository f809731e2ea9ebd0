using System.Threading.Tasks.Sources;

namespace PlayChat.Core.Transport;

/// <summary>A reused send operation; awaiting it allocates nothing.</summary>
/// <remarks>
/// One send at a time, and each result is taken once. The system takes nearly every send at once, so links share one sender for each
/// thread: an idle link holds none, and the thread finds its sender in the cache. A send that has to wait keeps its sender, and its link
/// uses that one from then on.
/// </remarks>
internal sealed class SocketSender : SocketAsyncEventArgs, IValueTaskSource<bool>
{
    [ThreadStatic]
    private static SocketSender? s_own;

    private SocketTransportConnection _link = null!; // of the send under way
    private ManualResetValueTaskSourceCore<bool> _source;
    private int _bytes;

    private SocketSender()
        : base(true) // no execution context: none is captured when an await goes through here
    {
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

    /// <summary>Takes the sender of this thread, for one send that begins before the thread does anything else.</summary>
    internal static SocketSender Take(SocketTransportConnection link)
    {
        SocketSender sender = s_own ??= new SocketSender();
        sender._link = link;
        return sender;
    }

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
        bool sent;
        try
        {
            if (socket.SendAsync(this))
            {
                _link.Sender = this; // the next send begins only after the caller has taken the result of this one
                if (s_own == this)
                {
                    s_own = null;
                }

                return new ValueTask<bool>(this, _source.Version);
            }

            sent = Sent();
        }
        catch (ObjectDisposedException)
        {
            // The link was aborted between two sends. Report it like an abort during one.
            _link.SetEnd(CloseReason.LocalClose);
            sent = false;
        }

        if (_link.Sender is null)
        {
            _link = null!; // the thread's sender must not hold the link
        }

        return new ValueTask<bool>(sent);
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
