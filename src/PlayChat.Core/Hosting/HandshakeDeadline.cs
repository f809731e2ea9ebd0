using PlayChat.Core.Transport;

namespace PlayChat.Core.Hosting;

/// <summary>When one step of a handshake must be done: after a time, or as soon as the server stops.</summary>
internal sealed class HandshakeDeadline : IDisposable
{
    // A source of its own for the timer, because the timer may fire while the linked source is disposed.
    private readonly CancellationTokenSource _timeout;
    private readonly CancellationTokenSource _linked;

    internal HandshakeDeadline(TimeSpan timeout, TimeProvider time, CancellationToken stopping)
    {
        _timeout = new CancellationTokenSource(timeout, time);
        _linked = CancellationTokenSource.CreateLinkedTokenSource(stopping, _timeout.Token);
    }

    /// <summary>Is cancelled at the deadline.</summary>
    internal CancellationToken Token => _linked.Token;

    /// <summary>Whether the time has passed.</summary>
    internal bool HasPassed => _timeout.IsCancellationRequested;

    public void Dispose()
    {
        _linked.Dispose();
        _timeout.Dispose();
    }

    /// <summary>Aborts a link at the deadline, because a link cannot cancel a receive. Ends when the result is disposed.</summary>
    internal CancellationTokenRegistration AbortAt(TransportConnection link) =>
        _linked.Token.Register(static state => ((TransportConnection)state!).Abort(), link);
}
