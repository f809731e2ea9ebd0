using System.Reflection;
using System.Text.Json.Serialization;

namespace PlayChat.Recording;

/// <summary>What a replay needs before the first turn.</summary>
internal sealed partial record RecordingHeader(
    string RoomType, // its full name
    long RoomId,
    RoomSettings Settings, // what the room was at the start, without its password
    bool IsClustered,
    string Packets, // identifies ids, names and messages of the server's packets
    string Build, // the assembly of the room with its version
    DateTimeOffset StartedAt,
    long Timestamp, // of the room's clock at the start, in units of 100 ns
    int Seed, // with which the room's random numbers begin anew at the start
    bool HasBodies, // the content of each frame that the room sent
    RecordingHeader.State? Resumed = null) // what the room continues, unless the recording begins with its creation
{
    /// <summary>Whether the type is that of the room. Its namespace may have another name by now.</summary>
    internal bool IsOf(Type room) =>
        RoomType == room.FullName || $".{RoomType}".Replace('+', '.').EndsWith($".{room.Name}", StringComparison.Ordinal);

    internal static string BuildOf(Type room)
    {
        AssemblyName name = room.Assembly.GetName();
        string? version = room.Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
        return $"{name.Name} {version ?? name.Version?.ToString()}";
    }

    internal static string FingerprintOf(PacketSet packets)
    {
        string text = string.Join('\n', packets.All.Select(static type => $"{type.Id} {type.Name} {type.MessageType.Name}"));
        return RecordingFormat.Checksum(Encoding.UTF8.GetBytes(text)).ToString("x8", null);
    }

    /// <summary>The state of a room that runs already: what <c>OnSnapshot</c> wrote, the timers that run, the number of the last
    /// one.</summary>
    internal sealed record State(byte[] Snapshot, Member[] Members, Timer[] Timers, long LastTimer);

    internal sealed record Member(long Session, long? UserId, string? UserName, byte[] Argument, bool IsAway);

    internal sealed record Timer(long Number, string Name);

    [JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Metadata)]
    [JsonSerializable(typeof(RecordingHeader))]
    internal sealed partial class Json : JsonSerializerContext;
}
