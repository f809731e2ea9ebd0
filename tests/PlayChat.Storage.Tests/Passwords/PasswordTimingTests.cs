using PlayChat.Storage.Passwords;

namespace PlayChat.Storage.Tests.Passwords;

/// <summary>A refusal causes the same work, whatever there was to check against. The test counts iterations, which are all of it.</summary>
public sealed class PasswordTimingTests
{
    private const int Iterations = 20_000;

    private readonly PasswordHasher _hasher;
    private int _iterations;

    public PasswordTimingTests() => _hasher = new PasswordHasher(Iterations, (password, salt, iterations) =>
    {
        _iterations += iterations;
        return PasswordHasher.Derive(password, salt, iterations);
    });

    [Theory]
    [InlineData("the same iterations")]
    [InlineData("no account")]
    [InlineData("older and weaker")]
    [InlineData("damaged")]
    public void A_refusal_costs_what_a_wrong_password_costs(string what)
    {
        string? stored = what switch
        {
            "the same iterations" => new PasswordHasher(Iterations).Hash("secret"),
            "no account" => null,
            "damaged" => "pbkdf2-sha256$",
            _ => new PasswordHasher(PasswordHasher.MinIterations).Hash("secret"),
        };

        Assert.Equal(PasswordVerification.Failed, _hasher.Verify("wrong", stored));

        Assert.Equal(Iterations, _iterations);
    }
}
