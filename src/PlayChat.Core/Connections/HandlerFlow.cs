namespace PlayChat.Core.Connections;

/// <summary>Marks code that runs in a handler of a connection, before and after the handler's awaits.</summary>
/// <remarks>
/// <para>
/// Invariant: <see cref="_loop"/> is set from the start of a batch until its last handler has returned, and to that batch's loop.
/// The mark flows with the execution context into all that a handler awaits, so no handler pays for it: a thread uses the same mark for one
/// batch after the other, and gives it away only to a batch whose handler waits.
/// </para>
/// <para>
/// Code that a handler starts without awaiting it carries the mark as well, and counts as the handler while the handler waits.
/// <see cref="Leave"/> takes the mark off: <c>Offload</c> does that.
/// </para>
/// </remarks>
internal sealed class HandlerFlow
{
    private static readonly AsyncLocal<HandlerFlow?> s_current = new();

    private readonly ExecutionContext _ambient;
    private readonly ExecutionContext _marked;
    private ReceiveLoop? _loop;

    private HandlerFlow(ExecutionContext ambient)
    {
        _ambient = ambient;
        s_current.Value = this;
        _marked = ExecutionContext.Capture()!;
    }

    /// <summary>
    /// Throws when the caller is a handler of the loop's connection: it would wait for an answer that is received only after it has
    /// returned.
    /// </summary>
    /// <exception cref="InvalidOperationException">The caller is such a handler.</exception>
    internal static void ThrowIfIn(ReceiveLoop loop)
    {
        if (s_current.Value is { } flow && ReferenceEquals(Volatile.Read(ref flow._loop), loop))
        {
            throw new InvalidOperationException(
                "A handler must not await a request to its own peer: the connection receives nothing, and so no answer, until the "
                + "handler returns. Return from the handler and continue in the room, or start the request by Offload.Run and do not "
                + "await it in the handler.");
        }
    }

    /// <summary>Marks the code that the calling thread runs from here to <see cref="Exit"/>.</summary>
    /// <param name="spare">The mark that the thread used last; the one in use on return.</param>
    /// <param name="loop">Whose batch is handled.</param>
    /// <returns>Whether there is a mark: there is none where the application has suppressed the flow of the execution context.</returns>
    internal static bool TryEnter(ref HandlerFlow? spare, ReceiveLoop loop)
    {
        if (ExecutionContext.Capture() is not { } ambient)
        {
            return false;
        }

        // A mark in use belongs to a batch in whose midst this one is handled: a transport may complete a receive within a send.
        if (spare is { _loop: null } flow && ReferenceEquals(flow._ambient, ambient))
        {
            ExecutionContext.Restore(flow._marked);
        }
        else
        {
            spare = flow = new HandlerFlow(ambient);
        }

        Volatile.Write(ref flow._loop, loop);
        return true;
    }

    /// <summary>Ends what <see cref="TryEnter"/> began.</summary>
    /// <param name="isWaiting">A handler of the batch waits: the mark is its own until <see cref="Release"/>.</param>
    internal void Exit(bool isWaiting)
    {
        if (!isWaiting)
        {
            Release();
        }

        ExecutionContext.Restore(_ambient);
    }

    /// <summary>The handler has returned.</summary>
    internal void Release() => Volatile.Write(ref _loop, null);

    /// <summary>Takes the mark off the running work, which its handler does not wait for.</summary>
    internal static void Leave()
    {
        if (s_current.Value is not null)
        {
            s_current.Value = null;
        }
    }
}
