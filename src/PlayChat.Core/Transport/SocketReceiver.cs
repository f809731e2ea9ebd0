using System.Threading.Tasks.Sources;

namespace PlayChat.Core.Transport;

/// <summary>The reused receive operation of one socket; awaiting it allocates nothing.</summary>
/// <remarks>
/// One receive at a time, and each result is taken once. A continuation runs where the socket engine completes the operation: on the thread
/// pool on Unix, on an I/O completion thread on Windows. So there is no second hop.
/// </remarks>
internal sealed class SocketReceiver : SocketAsyncEventArgs, IValueTaskSource<int>, IValueTaskSource
{
    private readonly SocketTransportConnection _link;
    private ManualResetValueTaskSourceCore<int> _source;

    internal SocketReceiver(SocketTransportConnection link)
        : base(true) // no execution context: none is captured when an await goes through here
    {
        _link = link;
    }

    int IValueTaskSource<int>.GetResult(short token) => TakeResult(token);

    void IValueTaskSource.GetResult(short token) => TakeResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _source.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    internal ValueTask<int> ReceiveAsync(Socket socket, Memory<byte> buffer) =>
        Start(socket, buffer) ? new ValueTask<int>(this, _source.Version) : new ValueTask<int>(Received());

    /// <summary>Receives zero bytes: completes when there is something to receive, and needs no buffer until then.</summary>
    internal ValueTask WaitAsync(Socket socket)
    {
        if (Start(socket, Memory<byte>.Empty))
        {
            return new ValueTask(this, _source.Version);
        }

        Waited();
        return ValueTask.CompletedTask;
    }

    protected override void OnCompleted(SocketAsyncEventArgs e)
    {
        if (MemoryBuffer.IsEmpty)
        {
            Waited();
            _source.SetResult(0);
        }
        else
        {
            _source.SetResult(Received());
        }
    }

    private bool Start(Socket socket, Memory<byte> buffer)
    {
        SetBuffer(buffer);
        try
        {
            return socket.ReceiveAsync(this);
        }
        catch (ObjectDisposedException)
        {
            // The link was aborted between two receives. Report it like an abort during one.
            SocketError = SocketError.OperationAborted;
            return false;
        }
    }

    /// <summary>Notes an error of a wait, because the receive that follows does not see it: on Linux the first call that reports an error
    /// takes it from the socket, and a reset would then look like an orderly end. An end is seen again.</summary>
    private void Waited()
    {
        if (SocketError != SocketError.Success)
        {
            _link.SetEnd(SocketErrors.ToCloseReason(SocketError));
        }
    }

    private int Received()
    {
        if (SocketError == SocketError.Success && BytesTransferred > 0)
        {
            return BytesTransferred;
        }

        _link.SetEnd(SocketErrors.ToCloseReason(SocketError));
        return 0;
    }

    private int TakeResult(short token)
    {
        int result = _source.GetResult(token);
        _source.Reset();
        return result;
    }
}
