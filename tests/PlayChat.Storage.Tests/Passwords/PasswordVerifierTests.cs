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
        using PasswordTurn turn = await _verifier.EnterAsync();
        string hash = await turn.HashAsync("secret");

        Assert.Equal(PasswordVerification.Succeeded, await turn.VerifyAsync("secret", hash));
        Assert.Equal(PasswordVerification.Failed, await turn.VerifyAsync("Secret", hash));
        Assert.Equal(PasswordVerification.Failed, await turn.VerifyAsync("secret", storedHash: null));
    }

    [Fact]
    public async Task Callers_have_their_turns_in_the_order_in_which_they_came()
    {
        PasswordTurn first = await _verifier.EnterAsync();
        Task<PasswordTurn> second = _verifier.EnterAsync();
        Task<PasswordTurn> third = _verifier.EnterAsync();
        Assert.Equal(3, _verifier.Pending);
        Assert.False(second.IsCompleted);

        first.Dispose();
        first.Dispose(); // a second time changes nothing
        PasswordTurn turn = await second.WaitAsync(TestTimeouts.Hang);
        Assert.False(third.IsCompleted);
        turn.Dispose();

        (await third.WaitAsync(TestTimeouts.Hang)).Dispose();
        Assert.Equal(0, _verifier.Pending);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => first.HashAsync("secret"));
    }

    [Fact]
    public async Task A_wave_of_logins_is_answered_whole()
    {
        string hash = _hasher.Hash("secret");

        PasswordVerification[] results = await Task.WhenAll(Enumerable.Range(0, 500).Select(async i =>
        {
            using PasswordTurn turn = await _verifier.EnterAsync();
            return await turn.VerifyAsync(i % 2 == 0 ? "secret" : "wrong", hash);
        })).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(250, results.Count(result => result == PasswordVerification.Succeeded));
        Assert.Equal(0, _verifier.Pending);
    }

    [Fact]
    public async Task A_cancelled_wait_leaves_nothing()
    {
        using PasswordTurn turn = await _verifier.EnterAsync();
        using var cancelled = new CancellationTokenSource();
        Task<PasswordTurn> waiting = _verifier.EnterAsync(cancelled.Token);

        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Equal(1, _verifier.Pending);
    }
}
