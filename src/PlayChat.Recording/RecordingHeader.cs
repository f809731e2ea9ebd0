using System.Reflection;

namespace PlayChat.Recording;

/// <summary>What a replay needs before the first turn.</summary>
internal sealed record RecordingHeader
{
    /// <summary>The full name of the room's type.</summary>
    public required string RoomType { get; init; }

    public required long RoomId { get; init; }

    public required string Name { get; init; }

    public required int Capacity { get; init; }

    public required int SpectatorCapacity { get; init; }

    public required bool IsClustered { get; init; }

    public required bool IsPrivate { get; init; }

    public required bool IsLocked { get; init; }

    public required bool RemoveWhenEmpty { get; init; }

    public required long? OwnerId { get; init; }

    public required Dictionary<string, string> Properties { get; init; }

    /// <summary>Identifies the ids, names and messages of the server's packets.</summary>
    public required string Packets { get; init; }

    /// <summary>The assembly of the room with its version.</summary>
    public required string Build { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The timestamp of the room's clock at the start, in units of 100 ns.</summary>
    public required long Timestamp { get; init; }

    /// <summary>The seed with which the room's random numbers begin anew at the start.</summary>
    public required int Seed { get; init; }

    /// <summary>What the room wrote at the start; <see langword="null"/> if the recording begins with its creation.</summary>
    public required byte[]? Snapshot { get; init; }

    public required MemberRecord[] Members { get; init; }

    /// <summary>The timers that ran at the start.</summary>
    public required TimerRecord[] Timers { get; init; }

    /// <summary>The number of the timer that was started last before.</summary>
    public required long LastTimer { get; init; }

    /// <summary>Whether the content of each frame that the room sent is in the recording.</summary>
    public required bool HasBodies { get; init; }

    internal static string BuildOf(Type room)
    {
        AssemblyName name = room.Assembly.GetName();
        string? version = room.Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
        return $"{name.Name} {version ?? name.Version?.ToString()}";
    }

    internal static string FingerprintOf(PacketSet packets)
    {
        string text = string.Join('\n', packets.All.Select(static type => $"{type.Id} {type.Name} {type.MessageType.FullName}"));
        return RecordingFormat.Checksum(Encoding.UTF8.GetBytes(text)).ToString("x8", null);
    }

    /// <summary>A session as a recording knows it.</summary>
    internal sealed record SessionRecord(long Id, long Connection, long? UserId, string? UserName);

    /// <summary>A member at the start of a recording.</summary>
    internal sealed record MemberRecord(SessionRecord Session, byte[] Argument, bool IsAway);

    /// <summary>A timer at the start of a recording.</summary>
    internal sealed record TimerRecord(long Number, string Name);
}
