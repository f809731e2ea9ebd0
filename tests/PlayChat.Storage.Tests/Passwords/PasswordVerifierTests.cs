using PlayChat.Storage.Passwords;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.Passwords;

public sealed class PasswordVerifierTests : IDisposable
{
    private readonly PasswordHasher _hasher = new(PasswordHasher.MinIterations);
    private readonly PasswordVerifier _verifier;

    public PasswordVerifierTests() => _verifier = new PasswordVerifier(_hasher, maxConcurrency: 1);

    public void Dispose() => _verifier.Dispose();

    [Fact]
    public async Task A_password_is_checked_against_what_was_hashed()
    {
        string hash = await _verifier.HashAsync("secret");

        Assert.Equal(PasswordVerification.Succeeded, await _verifier.VerifyAsync("secret", hash));
        Assert.Equal(PasswordVerification.Failed, await _verifier.VerifyAsync("Secret", hash));
        Assert.Equal(PasswordVerification.Failed, await _verifier.VerifyAsync("secret", storedHash: null));
    }

    [Fact]
    public async Task A_weak_hash_fits_and_asks_for_a_rehash()
    {
        using var stronger = new PasswordVerifier(new PasswordHasher(PasswordHasher.MinIterations + 1));

        Assert.Equal(PasswordVerification.SucceededRehashNeeded, await stronger.VerifyAsync("secret", _hasher.Hash("secret")));
        Assert.Equal(PasswordVerification.Failed, await stronger.VerifyAsync("wrong", _hasher.Hash("secret")));
    }

    [Fact]
    public async Task A_wave_of_logins_is_answered_whole()
    {
        string hash = _hasher.Hash("secret");

        PasswordVerification[] results = await Task.WhenAll(
            Enumerable.Range(0, 500).Select(i => _verifier.VerifyAsync(i % 2 == 0 ? "secret" : "wrong", hash))).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(250, results.Count(result => result == PasswordVerification.Succeeded));
        Assert.Equal(0, _verifier.Pending);
    }

    [Fact]
    public async Task A_cancelled_call_ends_and_frees_its_place()
    {
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _verifier.HashAsync("secret", cancelled.Token));

        Assert.Equal(0, _verifier.Pending);
        Assert.NotEmpty(await _verifier.HashAsync("secret").WaitAsync(TestTimeouts.Hang));
    }
}
