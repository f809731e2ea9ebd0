using Google.Protobuf;

namespace PlayChat.Chat.Handlers;

/// <summary>C_ECHO_REQ: the payload comes back.</summary>
internal sealed class EchoHandler : IPacketHandler<CEchoReq>
{
    // Each thread's own: an answer is encoded before Answer returns. What is left to allocate is the payload, which protobuf copies.
    [ThreadStatic]
    private static SEchoRes? s_answer;

    public ValueTask HandleAsync(PacketContext context, CEchoReq message, CancellationToken cancellationToken)
    {
        SEchoRes answer = s_answer ??= new SEchoRes();
        answer.Payload = message.Payload;
        context.Answer(ChatPackets.SEchoRes, answer);
        answer.Payload = ByteString.Empty; // up to 64 KB
        return default;
    }
}
