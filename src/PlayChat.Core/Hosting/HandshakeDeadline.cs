using PlayChat.Core.Transport;

namespace PlayChat.Core.Hosting;

/// <summary>
/// Aborts a link when a step of its handshake is not done in time, or the server stops. Dispose it when the step is done.
/// </summary>
/// <remarks>A link cannot cancel a receive, so it is aborted. After <see cref="Dispose"/> has returned, it is not. Thread-safe.</remarks>
internal sealed class HandshakeDeadline : IDisposable
{
    private readonly TransportConnection _link;
    private readonly ITimer _timer;
    private readonly CancellationTokenRegistration _stopping;
    private CancellationTokenSource? _source; // guarded by this object, like the next ones
    private bool _isDone;
    private bool _isAborted;
    private bool _hasPassed;

    internal HandshakeDeadline(TransportConnection link, TimeSpan timeout, TimeProvider time, CancellationToken stopping)
    {
        _link = link;
        _timer = time.CreateTimer(
            static deadline => ((HandshakeDeadline)deadline!).End(isLate: true), this, timeout, Timeout.InfiniteTimeSpan);
        _stopping = stopping.UnsafeRegister(static deadline => ((HandshakeDeadline)deadline!).End(isLate: false), this);
    }

    /// <summary>Whether the time has passed.</summary>
    internal bool HasPassed
    {
        get
        {
            lock (this)
            {
                return _hasPassed;
            }
        }
    }

    /// <summary>Makes a token that is cancelled when the link is aborted, for steps that take one.</summary>
    internal CancellationToken CreateToken()
    {
        lock (this)
        {
            return _isAborted ? new CancellationToken(canceled: true) : (_source ??= new CancellationTokenSource()).Token;
        }
    }

    public void Dispose()
    {
        lock (this)
        {
            _isDone = true;
        }

        _timer.Dispose();
        _stopping.Unregister();
    }

    private void End(bool isLate)
    {
        CancellationTokenSource? source;
        lock (this)
        {
            if (_isDone)
            {
                return;
            }

            _isAborted = true;
            _hasPassed |= isLate;
            source = _source;
            _link.Abort();
        }

        source?.Cancel(); // outside the lock, because it runs code of the step
    }
}
