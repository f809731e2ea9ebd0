namespace PlayChat.Storage.Passwords;

/// <summary>Hashes and checks passwords beside the thread pool, a bounded number at once. Thread-safe.</summary>
/// <remarks>
/// Each hash holds a processor for a large part of a second. On the pool a wave of logins would take its threads, and
/// chat would stand still until the last had its answer; so hashes have threads of their own, with low priority where the system has that
/// (not on macOS). Callers wait in order, without a thread.
/// </remarks>
public sealed class PasswordVerifier : IDisposable
{
    private readonly PasswordHasher _hasher;
    private readonly SemaphoreSlim _turns;
    private int _pending;

    /// <summary>Makes a verifier.</summary>
    /// <param name="hasher">Makes and checks the hashes.</param>
    /// <param name="maxConcurrency">Hashes computed at once, 1 or more; null is one less than the processors, at least 1.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxConcurrency"/> is less than 1.</exception>
    public PasswordVerifier(PasswordHasher hasher, int? maxConcurrency = null)
    {
        ArgumentNullException.ThrowIfNull(hasher);
        MaxConcurrency = maxConcurrency ?? Math.Max(1, Environment.ProcessorCount - 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxConcurrency, 1, nameof(maxConcurrency));
        _hasher = hasher;
        _turns = new SemaphoreSlim(MaxConcurrency, MaxConcurrency);
    }

    /// <summary>Hashes computed at once.</summary>
    public int MaxConcurrency { get; }

    /// <summary>Callers that wait for their turn, or have it.</summary>
    public int Pending => Volatile.Read(ref _pending);

    /// <summary>Waits for a turn. What must hold when the password is checked (which account it is, whether it may log in) is looked up
    /// after this wait, which may be long.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The turn; the next caller has it when this is disposed.</returns>
    public async Task<PasswordTurn> EnterAsync(CancellationToken cancellationToken = default)
    {
        Interlocked.Increment(ref _pending);
        try
        {
            await _turns.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            Interlocked.Decrement(ref _pending);
            throw;
        }
        return new PasswordTurn(_hasher, this);
    }

    /// <summary>Frees the wait handle. Call it when no call is under way.</summary>
    public void Dispose() => _turns.Dispose();

    internal void Leave()
    {
        Interlocked.Decrement(ref _pending);
        _turns.Release();
    }
}
