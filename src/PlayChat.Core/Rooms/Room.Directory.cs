using System.Security.Cryptography;
using System.Text;

namespace PlayChat.Core.Rooms;

// What can be known of the room from outside, and who may come in. Changed in the turn, read from anywhere.
public abstract partial class Room
{
    private readonly int _capacity;
    private readonly bool _removeWhenEmpty;
    private volatile RoomInfo _info;
    private byte[]? _passwordHash;

    /// <summary>What is known of it from outside: exact in the turn, elsewhere as of a moment ago.</summary>
    public RoomInfo Info => _info with { MemberCount = MemberCount };

    /// <summary>Whether it has all the members it takes.</summary>
    private protected bool IsFull => _memberCount >= _capacity;

    /// <summary>Whether it is left out of lists.</summary>
    internal bool IsPrivate => _info.IsPrivate;

    /// <summary>Whether nobody can join at present.</summary>
    private protected bool IsLocked => _info.IsLocked;

    /// <summary>Nobody can join any more (<see cref="Room{TMember}.JoinAsync"/>); who is there stays.</summary>
    protected void Lock() => _info = _info with { IsLocked = true };

    /// <summary>Ends a lock.</summary>
    protected void Unlock() => _info = _info with { IsLocked = false };

    /// <summary>Leaves the room out of lists, or lists it again.</summary>
    protected void SetPrivate(bool isPrivate)
    {
        if (_info.IsPrivate != isPrivate)
        {
            _info = _info with { IsPrivate = isPrivate };
            _context.Registry.SetListed(Id);
        }
    }

    /// <summary>Sets one of the application's own facts about the room; <see langword="null"/> takes it away.</summary>
    protected void SetProperty(string key, string? value)
    {
        ArgumentNullException.ThrowIfNull(key);
        // Readers elsewhere may be in the present one.
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

    /// <summary>Says to whom the room belongs; <see langword="null"/> for nobody.</summary>
    protected void SetOwner(long? ownerId) => _info = _info with { OwnerId = ownerId };

    /// <summary>Sets what is needed to join; <see langword="null"/> or empty for nothing.</summary>
    protected void SetPassword(string? password)
    {
        _passwordHash = string.IsNullOrEmpty(password) ? null : Hash(password);
        _info = _info with { HasPassword = _passwordHash is not null };
    }

    /// <summary>Whether this password opens the room. Takes the same time however much of it is right.</summary>
    private protected bool Opens(string? password) =>
        _passwordHash is null || CryptographicOperations.FixedTimeEquals(_passwordHash, Hash(password ?? ""));

    private static byte[] Hash(string password) => SHA256.HashData(Encoding.UTF8.GetBytes(password));
}
