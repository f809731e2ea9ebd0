namespace PlayChat.Transport.Linux;

/// <summary>A receive that waits with its buffer. A link reuses one object for all of them.</summary>
internal sealed class PendingReceive(LinuxConnection link) : IValueTaskSource<int>
{
    private ManualResetValueTaskSourceCore<int> _source;
    private Memory<byte> _buffer;

    int IValueTaskSource<int>.GetResult(short token)
    {
        int result = _source.GetResult(token);
        _source.Reset();
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    internal ValueTask<int> Start(Memory<byte> buffer)
    {
        _buffer = buffer;
        var task = new ValueTask<int>(this, _source.Version);
        link.Watch();
        if (!link.ReceiveHalf.TryArm())
        {
            Continue();
        }

        return task;
    }

    /// <summary>Receives after an edge, and waits again when there is nothing.</summary>
    internal void Continue()
    {
        int received;
        do
        {
            received = link.ReceiveHalf.TryReceive(link, _buffer.Span);
        }
        while (received == ReceiveHalf.WouldBlock && !link.ReceiveHalf.TryArm());

        if (received != ReceiveHalf.WouldBlock)
        {
            _buffer = default;
            _source.SetResult(received);
        }
    }
}
