namespace PlayChat.Storage.Passwords;

/// <summary>Hashes and checks passwords on the thread pool, a bounded number at once. Thread-safe.</summary>
/// <remarks>
/// Each hash holds a processor for a large part of a second. Without the bound a wave of logins takes every pool thread, and
/// chat stands still until the last has its answer. Callers wait in order, without a thread.
/// </remarks>
public sealed class PasswordVerifier : IDisposable
{
    private readonly PasswordHasher _hasher;
    private readonly SemaphoreSlim _slots;
    private readonly string _decoy;
    private int _pending;

    /// <summary>Makes a verifier.</summary>
    /// <param name="hasher">Makes and checks the hashes.</param>
    /// <param name="maxConcurrency">Hashes computed at once, 1 or more; null is half the processors, at least 1.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxConcurrency"/> is less than 1.</exception>
    public PasswordVerifier(PasswordHasher hasher, int? maxConcurrency = null)
    {
        ArgumentNullException.ThrowIfNull(hasher);
        int slots = maxConcurrency ?? Math.Max(1, Environment.ProcessorCount / 2);
        ArgumentOutOfRangeException.ThrowIfLessThan(slots, 1, nameof(maxConcurrency));
        _hasher = hasher;
        _slots = new SemaphoreSlim(slots, slots);
        _decoy = hasher.Decoy;
    }

    /// <summary>Calls that wait or compute now.</summary>
    public int Pending => Volatile.Read(ref _pending);

    /// <summary>Hashes a password (<see cref="PasswordHasher.Hash"/>).</summary>
    /// <param name="password">Not empty.</param>
    /// <param name="cancellationToken">Ends the wait for a slot; a hash that has begun is finished.</param>
    /// <exception cref="ArgumentException">The password is empty or not well-formed UTF-16.</exception>
    public Task<string> HashAsync(string password, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(password);
        return RunAsync(() => _hasher.Hash(password), cancellationToken);
    }

    /// <summary>Checks a password.</summary>
    /// <param name="password">What the peer sent.</param>
    /// <param name="storedHash">The account's hash. Null fails after the same work, so that time does not tell which accounts exist.</param>
    /// <param name="cancellationToken">Ends the wait for a slot; a check that has begun is finished.</param>
    public Task<PasswordVerification> VerifyAsync(string password, string? storedHash, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(password);
        return RunAsync(() => Verify(password, storedHash), cancellationToken);
    }

    /// <summary>Frees the wait handle. Call it when no call is under way.</summary>
    public void Dispose() => _slots.Dispose();

    private PasswordVerification Verify(string password, string? storedHash)
    {
        bool fits = PasswordHasher.Verify(password, storedHash ?? _decoy);
        if (!fits || storedHash is null)
        {
            return PasswordVerification.Failed;
        }
        return _hasher.NeedsRehash(storedHash) ? PasswordVerification.SucceededRehashNeeded : PasswordVerification.Succeeded;
    }

    private async Task<T> RunAsync<T>(Func<T> work, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _pending);
        try
        {
            await _slots.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                return await Task.Run(work, CancellationToken.None).ConfigureAwait(false);
            }
            finally
            {
                _slots.Release();
            }
        }
        finally
        {
            Interlocked.Decrement(ref _pending);
        }
    }
}
