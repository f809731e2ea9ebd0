using System.Buffers.Binary;

namespace PlayChat.Persistence;

/// <summary>A room at one moment, as it is saved: version (1 byte), when it was saved (8, UTC ticks), whether the server stopped then (1),
/// the content, and the SHA-256 of all that (32).</summary>
/// <param name="Id">The room's id.</param>
/// <param name="Kind">The name of its type (<see cref="RoomPersistenceOptions.Add"/>).</param>
/// <param name="Settings">What is not the application's at each start.</param>
/// <param name="Members">The users that were members, with the argument of their joins.</param>
/// <param name="State">What the room has written.</param>
internal sealed record RoomImage(
    long Id, string Kind, RoomSettings Settings, IReadOnlyList<(SessionUser User, byte[] Argument)> Members, byte[] State)
{
    internal const byte Version = 1;

    private const int HeaderBytes = 1 + sizeof(long) + 1;

    /// <summary>When it was saved; <see langword="null"/> for one that was not read from a store.</summary>
    internal RestoredRoom? Saved { get; private init; }

    /// <summary>Puts the header and the checksum around a content.</summary>
    internal static byte[] Seal(ReadOnlySpan<byte> content, DateTimeOffset now, bool isComplete)
    {
        byte[] data = new byte[HeaderBytes + content.Length + SHA256.HashSizeInBytes];
        data[0] = Version;
        BinaryPrimitives.WriteInt64LittleEndian(data.AsSpan(1), now.UtcTicks);
        data[HeaderBytes - 1] = isComplete ? (byte)1 : (byte)0;
        content.CopyTo(data.AsSpan(HeaderBytes));
        SHA256.HashData(data.AsSpan(..^SHA256.HashSizeInBytes), data.AsSpan(data.Length - SHA256.HashSizeInBytes));
        return data;
    }

    /// <exception cref="InvalidDataException">The data are damaged, or of a newer version.</exception>
    internal static RoomImage Read(SavedRoom saved)
    {
        byte[] data = saved.Data.ToArray();
        if (data.Length > 0 && data[0] > Version)
        {
            throw new InvalidDataException(
                $"The room '{saved.Name}' was saved by a newer version (format {data[0]}; this one reads {Version}). Start that version, "
                    + "or remove the room from the store.");
        }

        if (data.Length < HeaderBytes + SHA256.HashSizeInBytes
            || !SHA256.HashData(data.AsSpan(..^SHA256.HashSizeInBytes)).AsSpan().SequenceEqual(data.AsSpan(^SHA256.HashSizeInBytes..)))
        {
            throw new InvalidDataException(
                $"The saved room '{saved.Name}' is damaged: its checksum is wrong. Bring it back from a backup, or remove it from the "
                    + "store.");
        }

        var savedAt = new DateTimeOffset(BinaryPrimitives.ReadInt64LittleEndian(data.AsSpan(1)), TimeSpan.Zero);
        using var reader = new BinaryReader(new MemoryStream(data, HeaderBytes, data.Length - HeaderBytes - SHA256.HashSizeInBytes));
        return ReadContent(saved.Name, reader) with { Saved = new RestoredRoom(savedAt, IsComplete: data[HeaderBytes - 1] != 0) };
    }

    internal byte[] WriteContent()
    {
        var content = new MemoryStream();
        using var writer = new BinaryWriter(content);
        writer.Write(Id);
        writer.Write(Kind);
        writer.Write(Settings.Capacity);
        writer.Write(Settings.SpectatorCapacity);
        writer.Write(Settings.IsPrivate);
        writer.Write(Settings.IsLocked);
        writer.Write(Settings.RemoveWhenEmpty);
        writer.Write(Settings.OwnerId is not null);
        writer.Write(Settings.OwnerId ?? 0);
        WriteBytes(writer, Settings.PasswordHash ?? []);
        writer.Write(Settings.Properties.Count);
        foreach ((string key, string value) in Settings.Properties)
        {
            writer.Write(key);
            writer.Write(value);
        }

        writer.Write(Members.Count);
        foreach ((SessionUser user, byte[] argument) in Members)
        {
            writer.Write(user.Id);
            writer.Write(user.Name);
            WriteBytes(writer, argument);
        }

        WriteBytes(writer, State);
        return content.ToArray();
    }

    private static RoomImage ReadContent(string name, BinaryReader reader)
    {
        long id = reader.ReadInt64();
        string kind = reader.ReadString();
        (int capacity, int spectators) = (reader.ReadInt32(), reader.ReadInt32());
        (bool isPrivate, bool isLocked, bool removeWhenEmpty) = (reader.ReadBoolean(), reader.ReadBoolean(), reader.ReadBoolean());
        (bool hasOwner, long owner) = (reader.ReadBoolean(), reader.ReadInt64());
        byte[] password = ReadBytes(reader);
        var properties = new Dictionary<string, string>(StringComparer.Ordinal);
        for (int left = reader.ReadInt32(); left > 0; left--)
        {
            properties.Add(reader.ReadString(), reader.ReadString());
        }

        var settings = new RoomSettings
        {
            Name = name,
            Capacity = capacity,
            SpectatorCapacity = spectators,
            IsPrivate = isPrivate,
            IsLocked = isLocked,
            IsPersistent = true,
            RemoveWhenEmpty = removeWhenEmpty,
            OwnerId = hasOwner ? owner : null,
            PasswordHash = password.Length > 0 ? password : null,
            Properties = properties,
        };
        var members = new (SessionUser, byte[])[reader.ReadInt32()];
        for (int i = 0; i < members.Length; i++)
        {
            members[i] = (new SessionUser(reader.ReadInt64(), reader.ReadString()), ReadBytes(reader));
        }

        return new RoomImage(id, kind, settings, members, ReadBytes(reader));
    }

    private static void WriteBytes(BinaryWriter writer, byte[] bytes)
    {
        writer.Write(bytes.Length);
        writer.Write(bytes);
    }

    private static byte[] ReadBytes(BinaryReader reader) => reader.ReadBytes(reader.ReadInt32());
}
