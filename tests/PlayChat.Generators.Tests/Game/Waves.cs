using PlayChat.Core.Packets;

namespace PlayChat.Generators.Tests.Game;

/// <summary>Messages whose set the generator writes.</summary>
[JsonPackets(typeof(WaveJson))]
internal static partial class Waves
{
    [PacketId(PacketId.Wave)]
    internal sealed record Wave(int Count);

    [PacketId(401, IsFailure = true)]
    internal sealed record NoWave(string Why);
}
