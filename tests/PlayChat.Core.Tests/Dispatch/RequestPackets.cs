using System.Diagnostics.CodeAnalysis;
using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>What peers ask each other in tests.</summary>
internal static class RequestPackets
{
    /// <summary>The packets of either side.</summary>
    internal static PacketSet Create() => new PacketSet()
        .Add(new WordPacket<Ask>(1, static word => new Ask(word), static ask => ask.Word))
        .Add(new WordPacket<Told>(2, static word => new Told(word), static told => told.Word))
        .Add(new WordPacket<Refusal>(3, static word => new Refusal(word), static refusal => refusal.Word), isFailure: true)
        .Add(new WordPacket<Note>(4, static word => new Note(word), static note => note.Word));

    /// <summary>A question.</summary>
    internal sealed record Ask(string Word);

    /// <summary>Its answer.</summary>
    internal sealed record Told(string Word);

    /// <summary>Its refusal.</summary>
    internal sealed record Refusal(string Word);

    /// <summary>What is only said.</summary>
    internal sealed record Note(string Word);

    /// <summary>A message of one word; the empty one counts as malformed.</summary>
    private sealed class WordPacket<TMessage>(ushort id, Func<string, TMessage> make, Func<TMessage, string> wordOf)
        : PacketType<TMessage>(id, typeof(TMessage).Name)
    {
        public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out TMessage message)
        {
            message = make(Encoding.UTF8.GetString(frame.ToArray()));
            return frame.BodyBytes > 0;
        }

        public override int GetBodyBytes(TMessage message) => Encoding.UTF8.GetByteCount(wordOf(message));

        public override void Encode(TMessage message, Span<byte> destination) => Encoding.UTF8.GetBytes(wordOf(message), destination);
    }
}
