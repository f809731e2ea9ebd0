using System.Collections.Immutable;
using System.Text.Json;
using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace PlayChat.Tool.Tests;

#pragma warning disable MA0048, CA1711, CA1720, CA1819, CA2227, MA0016 // a contract, read as a whole, with every kind of type that JSON has
public enum Suit
{
    Clubs,
    Diamonds = 5,
    Hearts = -1,
}

[Flags]
public enum Marks : byte
{
    None = 0,
    Seen = 1,
    Liked = 2,
}

[JsonConverter(typeof(JsonStringEnumConverter<Colour>))]
public enum Colour
{
    Red,
    Green,
}

public readonly record struct Point(int X, int Y);

public record Item(string Name, long Price, Point At);

public sealed record Sword(string Name, long Price, Point At, int Damage) : Item(Name, Price, At);

public sealed record Page<T>(List<T> Items, T First, T? Next);

[PacketId(1)]
public sealed record Scalars(
    bool Bool, byte Byte, sbyte SByte, short Short, ushort UShort, int Int, uint UInt, long Long, ulong ULong, Int128 Int128, float Float,
    double Double, decimal Decimal, char Char, string Text, string? MaybeText, DateTime Time, DateTimeOffset Offset, DateOnly Day,
    TimeOnly TimeOfDay, TimeSpan Duration, Guid Id, Uri Address, byte[] Bytes, ReadOnlyMemory<byte> Memory, Suit Suit, Marks Marks,
    Colour Colour, int? MaybeInt, long? MaybeLong, Suit? MaybeSuit, Point? MaybePoint);

[PacketId(2)]
public sealed record Lists(
    List<int> Ints, IReadOnlyList<string?> Texts, long[] Longs, HashSet<string> Set, ImmutableArray<Guid> Ids, List<List<long>> Table,
    Item[]? Items, IEnumerable<decimal> Decimals, List<byte> Numbers, List<Suit> Suits, Queue<long?> MaybeLongs);

[PacketId(3)]
public sealed record Maps(
    Dictionary<string, int> Ints, Dictionary<string, long> Longs, Dictionary<Suit, Item> Items, IReadOnlyDictionary<int, string?> Texts,
    Dictionary<Guid, long?> MaybeLongs, Dictionary<string, List<Dictionary<string, long>>> Deep);

[PacketId(4)]
public sealed record Tree(long Id, Tree? Left, List<Tree> Children);

[PacketId(5)]
public sealed record Pages(Page<Item> Items, Page<string> Texts, Page<long> Longs, Page<Tree>? Trees, Sword Sword);

[JsonDerivedType(typeof(Circle), "circle")]
[JsonDerivedType(typeof(Square), "square")]
public abstract record Figure(string Name);

public sealed record Circle(string Name, double Radius) : Figure(Name);

public sealed record Square(string Name, long Side, Figure? Inside) : Figure(Name);

[JsonPolymorphic(TypeDiscriminatorPropertyName = "kind")]
[JsonDerivedType(typeof(Unit), 0)]
[JsonDerivedType(typeof(Tank), 1)]
public record Unit(int Health);

public sealed record Tank(int Health, ulong Armour) : Unit(Health);

[PacketId(6)]
public sealed record Draw(Figure Figure, List<Figure> Others, Unit Unit, Dictionary<string, Unit?> Units);

[PacketId(7)]
[JsonDerivedType(typeof(Walk), "walk")]
[JsonDerivedType(typeof(Wait), "wait")]
public abstract record Command;

public sealed record Walk(Point To) : Command;

public sealed record Wait(TimeSpan For) : Command;

/// <summary>Members that are named, left out, included and inherited.</summary>
public abstract class Named
{
    [JsonPropertyName("class-name")]
    public required string ClassName { get; set; }

    [JsonIgnore]
    public string Hidden { get; set; } = "";

    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public string? Always { get; set; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public int Sometimes { get; set; }

    public virtual Suit Overridden { get; set; }
}

[PacketId(8)]
public sealed class Members : Named
{
    [JsonConverter(typeof(JsonStringEnumConverter<DayOfWeek>))]
    public DayOfWeek Day { get; set; }

    [JsonNumberHandling(JsonNumberHandling.WriteAsString | JsonNumberHandling.AllowReadingFromString)]
    public decimal Money { get; set; }

    [JsonNumberHandling(JsonNumberHandling.AllowNamedFloatingPointLiterals)]
    public double Ratio { get; set; }

    [JsonInclude]
    internal int Included { get; set; }

    public override Suit Overridden { get; set; }

    public int URLCount { get; set; }

    public JsonElement Any { get; set; }
}

[PacketId(9)]
public sealed class Names : List<string>;

[PacketId(10)]
public sealed record Nothing;

[JsonPackets(typeof(BroadJson))]
public static partial class BroadPackets;

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(Scalars))]
[JsonSerializable(typeof(Lists))]
[JsonSerializable(typeof(Maps))]
[JsonSerializable(typeof(Tree))]
[JsonSerializable(typeof(Pages))]
[JsonSerializable(typeof(Draw))]
[JsonSerializable(typeof(Command))]
[JsonSerializable(typeof(Members))]
[JsonSerializable(typeof(Names))]
[JsonSerializable(typeof(Nothing))]
internal sealed partial class BroadJson : JsonSerializerContext;

/// <summary>The same messages by the default rules: Pascal case, and null is written.</summary>
[JsonPackets(typeof(PlainJson))]
public static partial class PlainPackets;

[JsonSerializable(typeof(Scalars))]
[JsonSerializable(typeof(Lists))]
[JsonSerializable(typeof(Maps))]
[JsonSerializable(typeof(Tree))]
[JsonSerializable(typeof(Pages))]
[JsonSerializable(typeof(Draw))]
[JsonSerializable(typeof(Command))]
[JsonSerializable(typeof(Members))]
[JsonSerializable(typeof(Names))]
[JsonSerializable(typeof(Nothing))]
internal sealed partial class PlainJson : JsonSerializerContext;
