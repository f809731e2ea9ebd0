using PlayChat.Chat.ChatLog;

namespace PlayChat.Chat.Handlers;

/// <summary>C_DIRECT_READ_NTF: the player has read a conversation up to a message.</summary>
internal sealed class DirectReadHandler(DirectWriter writer) : IPacketHandler<CDirectReadNtf>
{
    public ValueTask HandleAsync(PacketContext context, CDirectReadNtf message, CancellationToken cancellationToken)
    {
        writer.NoteRead(context.Session.User!.Id, message.PlayerId, message.Number);
        return default;
    }
}
