using System.Net;
using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.Testing;

/// <summary>One end of a link within the process: two pipes, each with a bound, so that the sender notices a reader that stops.</summary>
internal sealed class InMemoryLink : TransportConnection
{
    private readonly InMemoryPipe _input;
    private readonly InMemoryPipe _output;
    private readonly Action<InMemoryLink>? _disposed;
    private int _endReason;
    private volatile bool _isShutdown;

    internal InMemoryLink(InMemoryPipe input, InMemoryPipe output, EndPoint? local, EndPoint? remote, Action<InMemoryLink>? disposed)
    {
        _input = input;
        _output = output;
        _disposed = disposed;
        LocalEndPoint = local;
        RemoteEndPoint = remote;
        input.ResetArrived = () =>
        {
            SetEnd(CloseReason.PeerReset);
            output.Finish(); // a send that waits ends, too
        };
    }

    public override EndPoint? RemoteEndPoint { get; }

    public override EndPoint? LocalEndPoint { get; }

    public override CloseReason EndReason => (CloseReason)Volatile.Read(ref _endReason);

    /// <summary>Whether the owner of this end has released it, and is about to say so.</summary>
    internal bool IsDisposed { get; private set; }

    private bool IsOver => EndReason is CloseReason.LocalClose or CloseReason.PeerReset;

    public override async ValueTask WaitForDataAsync() => await _input.WaitAsync().ConfigureAwait(false);

    public override async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        while (!IsOver)
        {
            int bytes = _input.TryRead(buffer.Span, out bool ended);
            if (bytes > 0)
            {
                return bytes;
            }

            if (ended)
            {
                SetEnd(CloseReason.PeerClosed); // unless it was a reset
                return 0;
            }

            await _input.WaitAsync().ConfigureAwait(false);
        }

        return 0;
    }

    public override async ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        if (IsOver)
        {
            return false;
        }

        if (!await _output.WriteAsync(buffer.Span).ConfigureAwait(false))
        {
            if (!_isShutdown)
            {
                SetEnd(CloseReason.PeerReset); // the peer is gone and reads no more
            }

            return false;
        }

        return !IsOver;
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

    public override void Shutdown()
    {
        _isShutdown = true; // before a send that waits learns of it: it is no reset, and there is still something to receive
        _output.Finish();
    }

    public override void Abort()
    {
        SetEnd(CloseReason.LocalClose);
        _output.Reset();
        _input.CloseReader(dispose: false);
    }

    /// <summary>Ends this side at once when the link is lost, even if a send or a receive is under way.</summary>
    internal void Lose()
    {
        SetEnd(CloseReason.PeerReset);
        _output.Finish();
        _input.CloseReader(dispose: false);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            IsDisposed = true; // before the transport can be idle
            SetEnd(CloseReason.LocalClose);
            _output.Finish();
            _input.CloseReader(dispose: true); // otherwise a peer that keeps sending would wait forever for a reader
            _disposed?.Invoke(this);
        }
    }

    private void SetEnd(CloseReason reason) =>
        Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);
}
