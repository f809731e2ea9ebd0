namespace PlayChat.Storage.Passwords;

/// <summary>The right to compute hashes, one at a time, until disposed: see <see cref="PasswordVerifier.EnterAsync"/>. A hash that has
/// begun is finished.</summary>
public sealed class PasswordTurn : IDisposable
{
    private readonly PasswordHasher _hasher;
    private PasswordVerifier? _owner;

    internal PasswordTurn(PasswordHasher hasher, PasswordVerifier owner)
    {
        _hasher = hasher;
        _owner = owner;
    }

    /// <summary>Hashes a password (<see cref="PasswordHasher.Hash"/>).</summary>
    /// <exception cref="ArgumentException">The password is empty or not well-formed UTF-16.</exception>
    public Task<string> HashAsync(string password)
    {
        ObjectDisposedException.ThrowIf(_owner is null, this);
        return LowPriorityThread.RunAsync(() => _hasher.Hash(password));
    }

    /// <summary>Checks a password (<see cref="PasswordHasher.Verify"/>).</summary>
    public Task<PasswordVerification> VerifyAsync(string password, string? storedHash)
    {
        ObjectDisposedException.ThrowIf(_owner is null, this);
        return LowPriorityThread.RunAsync(() => _hasher.Verify(password, storedHash));
    }

    /// <summary>Gives the turn to the next caller.</summary>
    public void Dispose() => Interlocked.Exchange(ref _owner, null)?.Leave();
}
