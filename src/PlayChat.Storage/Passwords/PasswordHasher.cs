using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace PlayChat.Storage.Passwords;

/// <summary>Salted slow hashes of passwords: PBKDF2 (RFC 8018, section 5.2) with HMAC-SHA-256. Immutable, thread-safe.</summary>
/// <remarks>
/// <para>A hash is one string that carries its parameters: <c>pbkdf2-sha256$600000$salt$hash</c>, salt and hash in base64.</para>
/// <para>A password is taken in Unicode normal form C, so that one typed on a system that composes letters differently
/// still fits, and in UTF-8. Hashing takes a large part of a second by intent: see <see cref="PasswordVerifier"/>.</para>
/// </remarks>
public sealed class PasswordHasher
{
    /// <summary>Iterations of new hashes unless set otherwise.</summary>
    // OWASP Password Storage Cheat Sheet, PBKDF2-HMAC-SHA256.
    public const int DefaultIterations = 600_000;

    /// <summary>Fewest iterations a hasher takes.</summary>
    public const int MinIterations = 1_000;

    /// <summary>Most iterations a hasher takes, and the most a stored hash may ask for.</summary>
    public const int MaxIterations = 10_000_000;

    private const string Algorithm = "pbkdf2-sha256";
    private const int SaltBytes = 16;
    private const int HashBytes = 32;

    private readonly int _iterations;
    private readonly Func<byte[], byte[], int, byte[]> _derive;

    /// <summary>Makes a hasher.</summary>
    /// <param name="iterations"><see cref="MinIterations"/> to <see cref="MaxIterations"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="iterations"/> is out of range.</exception>
    public PasswordHasher(int iterations = DefaultIterations)
        : this(iterations, Derive)
    {
    }

    /// <summary>Makes a hasher whose work can be counted.</summary>
    /// <param name="iterations">See the other constructor.</param>
    /// <param name="derive">Makes a hash of a password, a salt and a number of iterations.</param>
    internal PasswordHasher(int iterations, Func<byte[], byte[], int, byte[]> derive)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(iterations, MinIterations);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(iterations, MaxIterations);
        _iterations = iterations;
        _derive = derive;
    }

    /// <summary>Hashes a password with a new random salt.</summary>
    /// <exception cref="ArgumentException">The password is empty or not well-formed UTF-16.</exception>
    public string Hash(string password)
    {
        ArgumentException.ThrowIfNullOrEmpty(password);
        byte[] bytes = ToBytes(password) ?? throw new ArgumentException("The password is not well-formed UTF-16.", nameof(password));
        byte[] salt = RandomNumberGenerator.GetBytes(SaltBytes);
        byte[] hash = _derive(bytes, salt, _iterations);
        return string.Create(
            CultureInfo.InvariantCulture, $"{Algorithm}${_iterations}${Convert.ToBase64String(salt)}${Convert.ToBase64String(hash)}");
    }

    /// <summary>Checks a password against an account's hash, and takes as long to refuse one that has none, or an older and weaker
    /// one.</summary>
    /// <param name="password">What the peer sent.</param>
    /// <param name="storedHash">Null where there is no account, or none that may be opened: fails.</param>
    /// <remarks>A refusal costs what a new hash does, so that its time does not tell which accounts exist; only a stored hash with more
    /// iterations costs more.
    /// The comparison takes the same time wherever the hashes differ. A hash that is damaged or of another kind fits nothing.</remarks>
    public PasswordVerification Verify(string password, string? storedHash)
    {
        ArgumentNullException.ThrowIfNull(password);
        if (ToBytes(password) is not { } bytes)
        {
            return PasswordVerification.Failed;
        }
        bool isHash = TryParse(storedHash ?? "", out int iterations, out byte[] salt, out byte[] expected);
        if (!isHash)
        {
            (iterations, salt, expected) = (_iterations, new byte[SaltBytes], new byte[HashBytes]);
        }
        if (CryptographicOperations.FixedTimeEquals(_derive(bytes, salt, iterations), expected) && isHash)
        {
            return iterations < _iterations ? PasswordVerification.SucceededRehashNeeded : PasswordVerification.Succeeded;
        }
        if (iterations < _iterations)
        {
            _derive(bytes, salt, _iterations - iterations);
        }
        return PasswordVerification.Failed;
    }

    /// <summary>The hash itself: PBKDF2.</summary>
    internal static byte[] Derive(byte[] password, byte[] salt, int iterations) =>
        Rfc2898DeriveBytes.Pbkdf2(password, salt, iterations, HashAlgorithmName.SHA256, HashBytes);

    private static bool TryParse(string storedHash, out int iterations, out byte[] salt, out byte[] hash)
    {
        salt = [];
        hash = [];
        iterations = 0;
        string[] parts = storedHash.Split('$');
        return parts.Length == 4
            && parts[0] == Algorithm
            && int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out iterations)
            && iterations is > 0 and <= MaxIterations
            && TryDecode(parts[2], SaltBytes, out salt)
            && TryDecode(parts[3], HashBytes, out hash);
    }

    private static bool TryDecode(string base64, int length, out byte[] bytes)
    {
        bytes = new byte[length];
        return Convert.TryFromBase64String(base64, bytes, out int written) && written == length;
    }

    private static byte[]? ToBytes(string password)
    {
        try
        {
            return Encoding.UTF8.GetBytes(password.Normalize(NormalizationForm.FormC));
        }
        catch (ArgumentException)
        {
            // A lone surrogate has no normal form; replacing it would make different passwords equal.
            return null;
        }
    }
}
