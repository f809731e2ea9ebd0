using System.Text.Json;
using System.Text.Json.Serialization;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;
using PlayChat.State;

namespace PlayChat.Tool.Tests;

#pragma warning disable MA0048 // a contract, read as a whole
[PacketId(21, Answer = typeof(Joined))]
public sealed record Join(string Name);

[PacketId(22)]
public sealed record Joined(string? Refusal, IReadOnlyList<string> Others);

[PacketId(23)]
public sealed record Say(string Text);

[PacketId(24)]
public sealed record Said(string Name, string Text, DateTimeOffset At, long Number);

[PacketId(25, IsFailure = true)]
public sealed record Problem(string Code);

[JsonPackets(typeof(SmallJson))]
public static partial class SmallPackets;

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Join))]
[JsonSerializable(typeof(Joined))]
[JsonSerializable(typeof(Say))]
[JsonSerializable(typeof(Said))]
[JsonSerializable(typeof(Problem))]
internal sealed partial class SmallJson : JsonSerializerContext;

internal sealed class SmallHandlers
{
    public static PacketRouter Map(PacketRouter router) => router.MapPacketHandlers();

    [Packet]
    public static void OnSay(PacketContext context, Say say) => context.Reply(new Said("", say.Text, default, 0));
}

/// <summary>A message that TypeScript cannot have.</summary>
[PacketId(30)]
public sealed record Broken(Holder Holder);

public sealed record Holder([property: JsonConverter(typeof(OwnConverter))] Version Value);

public sealed class OwnConverter : JsonConverter<Version>
{
    public override Version? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => null;

    public override void Write(Utf8JsonWriter writer, Version value, JsonSerializerOptions options) =>
        writer.WriteNullValue();
}

[JsonPackets(typeof(BrokenJson))]
public static partial class BrokenPackets;

[JsonSerializable(typeof(Broken))]
internal sealed partial class BrokenJson : JsonSerializerContext;

[SyncState]
public sealed partial class World
{
    [Sync(1)]
    private int _round;

    [Sync(2)]
    private string? _motto;

    [Sync(3)]
    private Fighter? _champion;

    [Sync(4)]
    private long _gold;

    [Sync(5)]
    private readonly SyncMap<long, Fighter> _fighters = new();

    [Sync(6)]
    private readonly SyncList<string> _log = new();
}

[SyncState]
public sealed partial class Fighter
{
    [Sync(1, Decimals = 2)]
    private float _x;

    [Sync(2)]
    private bool _isAlive;

    [Sync(3)]
    private string _name = "";

    [Sync(4)]
    private Suit _suit;

    [Sync(5)]
    private readonly SyncList<long> _hits = new();
}
