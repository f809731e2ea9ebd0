using System.Buffers.Binary;
using System.Security.Cryptography;
using Google.Protobuf;

namespace PlayChat.Chat.Accounts;

/// <summary>The tokens by which devices stay logged in. Thread-safe.</summary>
/// <remarks>
/// A token has 8 bytes that name its row, so that a token of long ago is known again, and 24 random ones. Each login replaces it; the one
/// before stays valid until the newest one is used, because the answer that carries the newest may be lost with its connection. So of a
/// token and its copy, the one that is used last is neither of the two.
/// </remarks>
internal sealed class LoginTokens(ServerSettings settings, IChatStore store, TimeProvider time)
{
    internal const int TokenBytes = 32;

    private const int MaxPerPlayer = 10;

    private static readonly (long Id, ByteString Token) s_none = (0, ByteString.Empty);

    /// <summary>What was used last before this is void.</summary>
    private DateTimeOffset UsedAfter => time.GetUtcNow() - settings.Accounts.KeepLogin;

    /// <summary>Makes the first token of a device.</summary>
    /// <returns>The id of its row and the token; none where devices do not stay logged in.</returns>
    public async Task<(long Id, ByteString Token)> IssueAsync(Account account, string clientVersion, CancellationToken cancellationToken)
    {
        if (settings.Accounts.KeepLogin == TimeSpan.Zero)
        {
            return s_none;
        }

        byte[] token = NewToken();
        token[0] &= 0x7f; // above 0: the device list has it with the other sign
        long id = IdOf(token);
        DateTimeOffset now = time.GetUtcNow();
        await store.AddLoginTokenAsync(
            new LoginTokenHashes(id, account.Id, account.Name, HashOf(token), null, account.TokenVersion, now, now, clientVersion),
            MaxPerPlayer,
            UsedAfter,
            cancellationToken);
        return (id, ByteString.CopyFrom(token));
    }

    /// <summary>Finds the row of a token that was shown.</summary>
    /// <returns>The row, and whether the token is valid; otherwise it was replaced before, and is a copy or has one.</returns>
    public async Task<(LoginTokenHashes? Found, bool IsValid)> FindAsync(ReadOnlyMemory<byte> token, CancellationToken cancellationToken)
    {
        if (token.Length != TokenBytes
            || await store.FindLoginTokenAsync(IdOf(token.Span), cancellationToken) is not { } found
            || found.UsedAt < UsedAfter)
        {
            return default;
        }

        string hash = HashOf(token.Span);
        return (found, hash == found.Newest || hash == found.Used);
    }

    /// <summary>Replaces a token that <see cref="FindAsync"/> has found valid.</summary>
    /// <returns>The next one; none when another login or a logout was faster.</returns>
    public async Task<(long Id, ByteString Token)> ReplaceAsync(
        ReadOnlyMemory<byte> token, string clientVersion, CancellationToken cancellationToken)
    {
        byte[] next = NewToken();
        token[..sizeof(long)].CopyTo(next);
        long id = IdOf(next);
        return await store.ReplaceLoginTokenAsync(
            id, HashOf(token.Span), HashOf(next), time.GetUtcNow(), clientVersion, cancellationToken)
                ? (id, ByteString.CopyFrom(next))
                : s_none;
    }

    /// <summary>The devices of a player that may log in by a token.</summary>
    public async Task<IEnumerable<LoginTokenHashes>> ListAsync(long playerId, CancellationToken cancellationToken)
    {
        DateTimeOffset usedAfter = UsedAfter;
        return (await store.ListLoginTokensAsync(playerId, cancellationToken)).Where(token => token.UsedAt >= usedAfter);
    }

    private static byte[] NewToken() => RandomNumberGenerator.GetBytes(TokenBytes);

    private static long IdOf(ReadOnlySpan<byte> token) => BinaryPrimitives.ReadInt64BigEndian(token);

    private static string HashOf(ReadOnlySpan<byte> token) => Convert.ToHexString(SHA256.HashData(token));
}
