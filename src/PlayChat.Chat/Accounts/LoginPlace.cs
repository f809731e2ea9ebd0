namespace PlayChat.Chat.Accounts;

/// <summary>
/// A login's place in the <see cref="LoginQueue"/>. Dispose it when the password has been checked: then the next login has its turn.
/// </summary>
internal sealed class LoginPlace(LoginQueue queue, LoginOrigin origin, LoginStanding standing) : IDisposable
{
    private readonly TaskCompletionSource<bool> _turn = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _isDisposed;

    public LoginOrigin Origin => origin;

    public LoginStanding Standing => standing;

    /// <summary>
    /// Completes with <see langword="true"/> at its turn, and with <see langword="false"/> when another login takes its place.
    /// </summary>
    public Task<bool> Turn => _turn.Task;

    /// <summary>Whether it got its turn; <see langword="null"/> while it waits. The queue reads it under its lock.</summary>
    internal bool? HasTurn { get; private set; }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            queue.Leave(this);
        }
    }

    /// <summary>Ends the wait. The queue calls it once, under its lock.</summary>
    internal void EndWait(bool hasTurn)
    {
        HasTurn = hasTurn;
        _turn.SetResult(hasTurn);
    }
}
