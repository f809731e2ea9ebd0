using System.Security.Cryptography;

namespace PlayChat.Core.Rooms;

/// <summary>The description of a room that other threads may read, and the password to join it.</summary>
/// <remarks>
/// Invariant: <c>_info</c> is replaced, never changed, so a reader on any thread sees one consistent description. Only the room's turn
/// writes, and only the turn checks the password.
/// </remarks>
internal sealed class RoomProfile
{
    private volatile RoomDescription _info;

    internal RoomProfile(long id, int capacity, int spectators, RoomSettings settings)
    {
        _info = new RoomDescription
        {
            Id = id,
            Name = settings.Name,
            Capacity = capacity,
            SpectatorCapacity = spectators,
            IsPrivate = settings.IsPrivate,
            IsLocked = settings.IsLocked,
            HasPassword = settings.PasswordHash is not null,
            OwnerId = settings.OwnerId,
            Properties = new Dictionary<string, string>(settings.Properties, StringComparer.Ordinal),
        };
        PasswordHash = settings.PasswordHash;
        if (PasswordHash is null)
        {
            SetPassword(settings.Password);
        }
    }

    internal byte[]? PasswordHash { get; private set; }

    internal int Capacity => _info.Capacity;

    internal int SpectatorCapacity => _info.SpectatorCapacity;

    internal bool IsLocked => _info.IsLocked;

    internal bool IsPrivate => _info.IsPrivate;

    /// <summary>Describes the room with its present numbers of members and of spectators among them.</summary>
    internal RoomDescription Describe(int members, int spectators) => _info with { MemberCount = members, SpectatorCount = spectators };

    internal void SetLocked(bool isLocked) => _info = _info with { IsLocked = isLocked };

    internal void SetPrivate(bool isPrivate) => _info = _info with { IsPrivate = isPrivate };

    internal void SetOwner(long? ownerId) => _info = _info with { OwnerId = ownerId };

    /// <summary>Sets a property, or removes it if the value is <see langword="null"/>.</summary>
    internal void SetProperty(string key, string? value)
    {
        ArgumentNullException.ThrowIfNull(key);
        // A copy, because other threads may be reading the present dictionary.
        Dictionary<string, string> properties = new(_info.Properties, StringComparer.Ordinal);
        if (value is null)
        {
            properties.Remove(key);
        }
        else
        {
            properties[key] = value;
        }

        _info = _info with { Properties = properties };
    }

    /// <summary>Sets the password, or removes it if the value is <see langword="null"/> or empty. Only the hash is kept.</summary>
    internal void SetPassword(string? password)
    {
        PasswordHash = string.IsNullOrEmpty(password) ? null : Hash(password);
        _info = _info with { HasPassword = PasswordHash is not null };
    }

    /// <summary>
    /// Returns whether a password opens the room. The time it takes does not depend on how much of the password is right.
    /// </summary>
    internal bool Opens(string? password) =>
        PasswordHash is null || CryptographicOperations.FixedTimeEquals(PasswordHash, Hash(password ?? ""));

    private static byte[] Hash(string password) => SHA256.HashData(Encoding.UTF8.GetBytes(password));
}
