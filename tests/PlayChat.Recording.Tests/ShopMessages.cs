#pragma warning disable MA0048 // the messages of one game

using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace PlayChat.Recording.Tests;

[PacketId(1)]
public sealed record Enter(string Name, double Hunger = 0);

[PacketId(2)]
public sealed record Buy(int Count);

[PacketId(3)]
public sealed record Bought(string Name, int Count, int Total, int Discount, long AtTicks);

[PacketId(4)]
public sealed record Pay(string Shop, [property: NotRecorded] string CardNumber, [NotRecorded] int Pin);

[PacketId(5)]
public sealed record Paid(string Name);

[PacketId(6)]
public sealed record Stock(int Count);

[PacketId(7)]
public sealed record Whisper(string Text);

[PacketId(8)]
public sealed record Tip(double Amount);

/// <summary>What a service answers.</summary>
public sealed record Delivery(int Count, [property: NotRecorded] string Driver = "", double Weight = 0);

[JsonPackets(typeof(ShopJson))]
public static partial class ShopPackets;

[JsonSerializable(typeof(Enter))]
[JsonSerializable(typeof(Buy))]
[JsonSerializable(typeof(Bought))]
[JsonSerializable(typeof(Pay))]
[JsonSerializable(typeof(Paid))]
[JsonSerializable(typeof(Stock))]
[JsonSerializable(typeof(Whisper))]
[JsonSerializable(typeof(Tip))]
[JsonSerializable(typeof(Delivery))]
internal sealed partial class ShopJson : JsonSerializerContext;
