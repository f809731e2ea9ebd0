using PlayChat.Storage.Passwords;

namespace PlayChat.Storage.Tests.Passwords;

/// <summary>Whoever is refused has caused the same work, whatever there was to check against.</summary>
public sealed class PasswordTimingTests
{
    private const int Iterations = 200_000;

    private readonly PasswordHasher _hasher = new(Iterations);

    [Theory]
    [InlineData("no account")]
    [InlineData("older and weaker")]
    [InlineData("damaged")]
    public void A_refusal_costs_what_a_wrong_password_costs(string what)
    {
        string? stored = what switch
        {
            "no account" => null,
            "damaged" => "pbkdf2-sha256$",
            _ => new PasswordHasher(PasswordHasher.MinIterations).Hash("secret"),
        };
        string current = _hasher.Hash("secret");

        TimeSpan usual = Cost(current);
        TimeSpan cost = Cost(stored);

        // Without the work that makes up for it each would cost less than a hundredth.
        Assert.InRange(cost / usual, 0.33, 3);
    }

    // The least of several: a machine under load only adds.
    private TimeSpan Cost(string? stored) => Enumerable.Range(0, 5)
        .Select(_ =>
        {
            long start = System.Diagnostics.Stopwatch.GetTimestamp();
            Assert.Equal(PasswordVerification.Failed, _hasher.Verify("wrong", stored));
            return System.Diagnostics.Stopwatch.GetElapsedTime(start);
        })
        .Min();
}
