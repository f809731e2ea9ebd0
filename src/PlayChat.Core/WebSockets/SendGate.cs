namespace PlayChat.Core.WebSockets;

/// <summary>Lets messages and pongs of one link be sent one at a time.</summary>
/// <remarks>
/// <para>A mutable struct, embedded in its link: never copied. A message costs two interlocked operations.</para>
/// <para>
/// Invariant: exactly one side owns the link's sending direction while the state is not <see cref="Free"/>. The owner that finds that the
/// other side waits hands it over. At most one message waits, because its connection sends one at a time.
/// </para>
/// </remarks>
internal struct SendGate
{
    private const int Free = 0;
    private const int Message = 1; // a message is under way
    private const int MessageThenPong = 2;
    private const int Pong = 3; // a pong is under way
    private const int PongThenMessage = 4;

    private int _state;
    private TaskCompletionSource? _waiting; // the message's turn; set before the state says so

    /// <summary>Takes the turn of a message, unless a pong is under way.</summary>
    internal bool TryBeginMessage() => Interlocked.CompareExchange(ref _state, Message, Free) == Free;

    /// <summary>Waits for the turn of a message behind a pong.</summary>
    /// <returns>Completes when the turn is taken.</returns>
    internal Task BeginMessageAsync()
    {
        _waiting = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        while (true)
        {
            if (TryBeginMessage())
            {
                return Task.CompletedTask;
            }

            if (Interlocked.CompareExchange(ref _state, PongThenMessage, Pong) == Pong)
            {
                return _waiting.Task;
            }
        }
    }

    /// <summary>Gives back the turn of a message.</summary>
    /// <returns>Whether a pong waits: its turn has then begun, and the caller sends it.</returns>
    internal bool EndMessage()
    {
        if (Interlocked.CompareExchange(ref _state, Free, Message) == Message)
        {
            return false;
        }

        Volatile.Write(ref _state, Pong);
        return true;
    }

    /// <summary>Takes the turn of a pong.</summary>
    /// <returns>
    /// Whether the caller sends it. Otherwise it follows the message or pong under way. The caller has stored it before, with a full fence.
    /// </returns>
    internal bool TryBeginPong()
    {
        while (true)
        {
            int state = Volatile.Read(ref _state);
            if (state is not (Free or Message))
            {
                return false; // the owner looks for a pong after it has changed the state, so it finds the one that was stored
            }

            int next = state == Free ? Pong : MessageThenPong;
            if (Interlocked.CompareExchange(ref _state, next, state) == state)
            {
                return next == Pong;
            }
        }
    }

    /// <summary>Gives back the turn of a pong. The caller then looks whether a newer pong was stored, and begins again for it.</summary>
    internal void EndPong()
    {
        if (Interlocked.CompareExchange(ref _state, Free, Pong) == Pong)
        {
            return;
        }

        TaskCompletionSource waiting = _waiting!;
        Interlocked.Exchange(ref _state, Message);
        waiting.SetResult();
    }
}
