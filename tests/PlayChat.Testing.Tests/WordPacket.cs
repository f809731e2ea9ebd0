using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Testing.Tests;

/// <summary>A packet that is a text.</summary>
internal sealed class WordPacket(ushort id) : PacketType<string>(id, "WORD")
{
    public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out string message)
    {
        message = Encoding.UTF8.GetString(frame.Body);
        return true;
    }

    public override int GetBodyBytes(string message) => Encoding.UTF8.GetByteCount(message);

    public override void Encode(string message, Span<byte> destination) => Encoding.UTF8.GetBytes(message, destination);
}
