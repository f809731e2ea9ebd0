using System.Reflection;
using System.Text.Json.Serialization;

namespace PlayChat.Recording;

/// <summary>What a replay needs before the first turn.</summary>
/// <param name="RoomType">The full name of the room's type.</param>
/// <param name="RoomId">The room's id.</param>
/// <param name="Settings">What the room was at the start, without its password.</param>
/// <param name="IsClustered">Whether a cluster shared it.</param>
/// <param name="Packets">Identifies the ids, names and messages of the server's packets.</param>
/// <param name="Build">The assembly of the room with its version.</param>
/// <param name="StartedAt">The time at the start.</param>
/// <param name="Timestamp">The timestamp of the room's clock at the start, in units of 100 ns.</param>
/// <param name="Seed">The seed with which the room's random numbers begin anew at the start.</param>
/// <param name="HasBodies">Whether the content of each frame that the room sent is in the recording.</param>
/// <param name="Resumed">What the room continues; <see langword="null"/> if the recording begins with its creation.</param>
internal sealed partial record RecordingHeader(
    string RoomType,
    long RoomId,
    RoomSettings Settings,
    bool IsClustered,
    string Packets,
    string Build,
    DateTimeOffset StartedAt,
    long Timestamp,
    int Seed,
    bool HasBodies,
    RecordingHeader.State? Resumed = null)
{
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

    /// <summary>The state of a room that runs already.</summary>
    /// <param name="Snapshot">What <c>OnSnapshot</c> wrote.</param>
    /// <param name="Members">The members.</param>
    /// <param name="Timers">The timers that run.</param>
    /// <param name="LastTimer">The number of the timer that was started last.</param>
    internal sealed record State(byte[] Snapshot, Member[] Members, Timer[] Timers, long LastTimer);

    internal sealed record Member(long Session, long? UserId, string? UserName, byte[] Argument, bool IsAway);

    internal sealed record Timer(long Number, string Name);

    [JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Metadata)]
    [JsonSerializable(typeof(RecordingHeader))]
    internal sealed partial class Json : JsonSerializerContext;
}
