namespace PlayChat.Transport.Linux;

/// <summary>A send that waits: the rest of its bytes, and its awaitable. A link reuses one object for all of them.</summary>
internal sealed class PendingSend(LinuxConnection link) : IValueTaskSource<bool>
{
    private ManualResetValueTaskSourceCore<bool> _source;
    private ReadOnlyMemory<byte> _buffer;
    private IList<ArraySegment<byte>>? _buffers;
    private int _piece;
    private int _offset;

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

    internal ValueTask<bool> Start(ReadOnlyMemory<byte> buffer, int sent)
    {
        (_buffer, _buffers, _piece, _offset) = (buffer, null, 0, sent);
        return Start();
    }

    internal ValueTask<bool> Start(IList<ArraySegment<byte>> buffers, int piece, int offset)
    {
        (_buffer, _buffers, _piece, _offset) = (default, buffers, piece, offset);
        return Start();
    }

    /// <summary>Waits for the first edge, which reports the outcome of a connect. There is nothing to send.</summary>
    internal ValueTask<bool> StartConnect()
    {
        var task = new ValueTask<bool>(this, _source.Version);
        link.Watch();
        if (!link.SendHalf.TryArm())
        {
            Continue();
        }

        return task;
    }

    /// <summary>Sends after an edge, and waits again when the socket takes no more.</summary>
    internal void Continue()
    {
        int outcome;
        do
        {
            link.SendHalf.ClearReady();
            outcome = _buffers is null ? SendRest() : link.SendHalf.TrySendAll(link, _buffers, ref _piece, ref _offset);
        }
        while (outcome == SendHalf.WouldBlock && !link.SendHalf.TryArm());

        if (outcome != SendHalf.WouldBlock)
        {
            (_buffer, _buffers) = (default, null);
            _source.SetResult(outcome != SendHalf.Failed);
        }
    }

    private ValueTask<bool> Start()
    {
        var task = new ValueTask<bool>(this, _source.Version);
        link.Watch();
        Continue(); // tries once more: the last edge may have arrived before this send began to wait
        return task;
    }

    private int SendRest()
    {
        while (_offset < _buffer.Length)
        {
            int sent = link.SendHalf.TrySend(link, _buffer.Span[_offset..]);
            if (sent < 0)
            {
                return sent;
            }

            _offset += sent;
        }

        return 0;
    }
}
