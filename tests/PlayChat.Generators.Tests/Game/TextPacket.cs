using System.Diagnostics.CodeAnalysis;
using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Generators.Tests.Game;

/// <summary>A packet that is a text.</summary>
internal sealed class TextPacket(PacketId id) : PacketType<string>((ushort)id, id.ToString())
{
    internal static readonly TextPacket Answer = new(PacketId.Answer);

    internal static PacketSet All { get; } = Enum.GetValues<PacketId>()
        .Where(static id => id < PacketId.Answer)
        .Aggregate(new PacketSet().Add(Answer).Add(new SightPacket()), static (set, id) => set.Add(new TextPacket(id)));

    public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out string message)
    {
        message = Encoding.UTF8.GetString(frame.ToArray());
        return true;
    }

    public override int GetBodyBytes(string message) => Encoding.UTF8.GetByteCount(message);

    public override void Encode(string message, Span<byte> destination) => Encoding.UTF8.GetBytes(message, destination);
}
