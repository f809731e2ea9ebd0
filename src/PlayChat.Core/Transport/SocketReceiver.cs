using System.Net.Sockets;
using System.Threading.Tasks.Sources;

namespace PlayChat.Core.Transport;

/// <summary>The reused receive operation of one socket; awaiting it allocates nothing.</summary>
/// <remarks>
/// One receive at a time, each result taken once. What awaits goes on where the socket engine completes the operation: on the thread
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

    /// <summary>A receive of no bytes: it completes when there is something to receive, and needs no buffer until then.</summary>
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
            // Aborted between two receives; reported like an abort during one.
            SocketError = SocketError.OperationAborted;
            return false;
        }
    }

    /// <summary>The end shows again in the receive that follows; an error does not: on Linux who sees it first takes it, and then a reset looks like an orderly end.</summary>
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
