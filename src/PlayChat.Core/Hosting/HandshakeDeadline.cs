namespace PlayChat.Core.Hosting;

/// <summary>
/// Aborts a link when a step of its handshake is not done in time, or the server stops. Dispose it when the step is done.
/// </summary>
/// <remarks>A link cannot cancel a receive, so it is aborted. After <see cref="Dispose"/> has returned, it is not. Thread-safe.</remarks>
/// <param name="deadlines">Calls <see cref="Abort"/>.</param>
/// <param name="link">What is aborted.</param>
/// <param name="endsAt">The timestamp at which the time has passed.</param>
internal sealed class HandshakeDeadline(HandshakeDeadlines deadlines, TransportConnection link, long endsAt) : IDisposable
{
    private CancellationTokenSource? _source; // guarded by this object, like the next ones
    private bool _isDone;
    private bool _isAborted;
    private volatile bool _hasPassed; // set before the link is aborted

    internal long EndsAt => endsAt;

    internal bool HasPassed => _hasPassed;

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

        deadlines.Remove(this);
    }

    /// <summary>Aborts the link, unless the step is done.</summary>
    /// <param name="isLate">Whether the time has passed. Otherwise the server stops.</param>
    internal void Abort(bool isLate)
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
            link.Abort();
        }

        source?.Cancel(); // outside the lock, because it runs code of the step
    }
}
