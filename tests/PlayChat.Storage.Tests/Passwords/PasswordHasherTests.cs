using PlayChat.Storage.Passwords;

namespace PlayChat.Storage.Tests.Passwords;

public sealed class PasswordHasherTests
{
    private readonly PasswordHasher _hasher = new(PasswordHasher.MinIterations);

    [Theory]
    [InlineData("secret")]
    [InlineData("비밀번호 🔑")]
    [InlineData(" ")]
    public void The_right_password_fits_and_another_does_not(string password)
    {
        string hash = _hasher.Hash(password);

        Assert.Equal(PasswordVerification.Succeeded, _hasher.Verify(password, hash));
        Assert.Equal(PasswordVerification.Failed, _hasher.Verify(password + " ", hash));
        Assert.Equal(PasswordVerification.Failed, _hasher.Verify("", hash));
    }

    [Fact]
    public void A_password_fits_however_its_letters_are_composed()
    {
        Assert.Equal(PasswordVerification.Succeeded, _hasher.Verify("\u1112\u1161\u11ab", _hasher.Hash("한")));
    }

    [Fact]
    public void A_hash_carries_its_parameters_and_a_salt_of_its_own()
    {
        string first = _hasher.Hash("secret");
        string second = _hasher.Hash("secret");

        Assert.StartsWith("pbkdf2-sha256$1000$", first, StringComparison.Ordinal);
        Assert.NotEqual(first, second, StringComparer.Ordinal);
        Assert.Equal(16, Convert.FromBase64String(first.Split('$')[2]).Length);
        Assert.Equal(32, Convert.FromBase64String(first.Split('$')[3]).Length);
    }

    [Fact]
    public void A_known_answer_fits()
    {
        // Python: hashlib.pbkdf2_hmac('sha256', b'password', bytes(range(16)), 1000)
        const string Hash = "pbkdf2-sha256$1000$AAECAwQFBgcICQoLDA0ODw==$JeuGrMduQwGPGLmo+Qwv7UYtHHmeg9SK49fGkEamC2c=";

        Assert.Equal(PasswordVerification.Succeeded, _hasher.Verify("password", Hash));
    }

    [Fact]
    public void A_tampered_hash_fits_nothing()
    {
        string hash = _hasher.Hash("secret");
        string[] parts = hash.Split('$');
        string otherSalt = _hasher.Hash("secret").Split('$')[2];

        string[] tampered =
        [
            "", "secret", "$$$", hash + "$", hash[..^4], parts[3],
            $"{parts[0]}$1001${parts[2]}${parts[3]}",
            $"{parts[0]}$-1000${parts[2]}${parts[3]}",
            $"{parts[0]}$0${parts[2]}${parts[3]}",
            $"{parts[0]}$2000000000${parts[2]}${parts[3]}",
            $"pbkdf2-sha1$1000${parts[2]}${parts[3]}",
            $"{parts[0]}$1000${otherSalt}${parts[3]}",
            $"{parts[0]}$1000${parts[2]}$",
            $"{parts[0]}$1000${parts[2]}$!not base64!",
        ];

        Assert.All(tampered, candidate => Assert.Equal(PasswordVerification.Failed, _hasher.Verify("secret", candidate)));
    }

    [Fact]
    public void A_hash_with_fewer_iterations_fits_and_needs_a_rehash()
    {
        var stronger = new PasswordHasher(PasswordHasher.MinIterations + 1);

        Assert.Equal(PasswordVerification.Succeeded, _hasher.Verify("secret", _hasher.Hash("secret")));
        Assert.Equal(PasswordVerification.Succeeded, _hasher.Verify("secret", stronger.Hash("secret")));
        Assert.Equal(PasswordVerification.SucceededRehashNeeded, stronger.Verify("secret", _hasher.Hash("secret")));
        Assert.Equal(PasswordVerification.Failed, stronger.Verify("wrong", _hasher.Hash("secret")));
    }

    [Fact]
    public void New_hashes_have_600000_iterations_by_default()
    {
        Assert.StartsWith("pbkdf2-sha256$600000$", new PasswordHasher().Hash("secret"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_password_that_is_not_text_is_refused()
    {
        Assert.Throws<ArgumentException>(() => _hasher.Hash("lone \ud83d surrogate"));
        Assert.Throws<ArgumentException>(() => _hasher.Hash(""));
        Assert.Equal(PasswordVerification.Failed, _hasher.Verify("lone \ud83d surrogate", _hasher.Hash("secret")));
    }
}
