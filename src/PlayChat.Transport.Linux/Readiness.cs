namespace PlayChat.Transport.Linux;

/// <summary>Tells whether one direction of a link can continue, as epoll's edges report it, and what waits for the next edge.</summary>
/// <remarks>
/// The loop calls <see cref="Set"/>; the one reader or writer calls everything else, from any thread. Invariant: the state is cleared
/// before a system call, never after it. An edge that arrives during the call therefore stays visible, at the price of one call in vain.
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

    /// <summary>The argument of the continuation that waits, or that was called last.</summary>
    internal readonly object? Argument => _argument;

    /// <summary>Clears the state before a system call, which may use up what the last edge reported.</summary>
    internal void Clear() => Volatile.Write(ref _state, Blocked);

    /// <summary>Notes after a system call that it may have left something behind.</summary>
    internal void Keep() => Volatile.Write(ref _state, Ready);

    /// <summary>Lets an operation wait for the next edge.</summary>
    /// <returns><see langword="false"/> when there was an edge meanwhile: try again at once.</returns>
    internal bool TryArm() => Interlocked.CompareExchange(ref _state, Armed, Blocked) == Blocked;

    /// <summary>Lets a continuation wait for the next edge.</summary>
    /// <returns><see langword="false"/> when there was an edge meanwhile: the caller continues by itself.</returns>
    internal bool TryAwait(Action<object?> continuation, object? argument)
    {
        // Each wait passes the same two objects. Storing a reference in an old object dirties a card of the collector's table, so
        // they are stored only when they change.
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

    /// <summary>Notes an edge.</summary>
    /// <returns>What waited for it.</returns>
    internal ReadinessWaiter Set() => Interlocked.Exchange(ref _state, Ready) switch
    {
        Awaited => ReadinessWaiter.Continuation,
        Armed => ReadinessWaiter.Operation,
        _ => ReadinessWaiter.None,
    };

    /// <summary>Calls the continuation. Only after <see cref="Set"/> has returned <see cref="ReadinessWaiter.Continuation"/>.</summary>
    internal readonly void Continue() => _continuation!(_argument);
}
