namespace PlayChat.Core.Transport.Linux;

/// <summary>Whether one direction of a link can move on, as epoll's edges tell, and who waits for it.</summary>
/// <remarks>
/// The loop calls <see cref="Set"/>; the one reader (or writer) calls everything else, on whatever thread. It clears before the
/// system call, never after: an edge that comes in between then stays seen, at the price of one call in vain.
/// </remarks>
internal struct Readiness
{
    private const int Blocked = 0;
    private const int Ready = 1;
    private const int Armed = 2; // blocked, and an operation waits
    private const int Awaited = 3; // blocked, and a continuation waits

    private int _state;
    private Action<object?>? _continuation;
    private object? _argument;

    internal readonly bool IsReady => Volatile.Read(in _state) == Ready;

    /// <summary>What the continuation is called with, as long as it waits, or was called with last.</summary>
    internal readonly object? Argument => _argument;

    /// <summary>The system call that follows may use up what there is.</summary>
    internal void Clear() => Volatile.Write(ref _state, Blocked);

    /// <summary>The system call has left something behind.</summary>
    internal void Keep() => Volatile.Write(ref _state, Ready);

    /// <summary>Has an operation started again by the next edge.</summary>
    /// <returns><see langword="false"/> when there was one meanwhile: try at once.</returns>
    internal bool TryArm() => Interlocked.CompareExchange(ref _state, Armed, Blocked) == Blocked;

    /// <summary>Has a continuation called by the next edge.</summary>
    /// <returns><see langword="false"/> when there was one meanwhile: call it yourself.</returns>
    internal bool TryAwait(Action<object?> continuation, object? argument)
    {
        // The same ones come each time, and a reference that is stored in an old object dirties a card of the collector's table.
        if (!ReferenceEquals(_continuation, continuation))
        {
            _continuation = continuation;
        }

        if (!ReferenceEquals(_argument, argument))
        {
            _argument = argument;
        }

        return Interlocked.CompareExchange(ref _state, Awaited, Blocked) == Blocked;
    }

    /// <summary>An edge has come.</summary>
    internal ReadinessWaiter Set() => Interlocked.Exchange(ref _state, Ready) switch
    {
        Awaited => ReadinessWaiter.Continuation,
        Armed => ReadinessWaiter.Operation,
        _ => ReadinessWaiter.None,
    };

    /// <summary>Calls what waited. Only after <see cref="Set"/> has said so.</summary>
    internal readonly void Continue() => _continuation!(_argument);
}
