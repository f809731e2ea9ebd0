using PlayChat.Chat.ChatLog;

namespace PlayChat.Chat.Rooms;

/// <summary>Holds back the sender of a message while the chat log has no space for it.</summary>
internal sealed class ChatLogSpaceFilter(ChatLogGate log) : PacketFilter
{
    protected override bool SeesSent => false;

    protected override ValueTask OnReceiveAsync(IncomingPacket packet) => log.HasSpace ? packet.NextAsync() : WaitAsync(packet);

    private async ValueTask WaitAsync(IncomingPacket packet)
    {
        if (await log.WaitForSpaceAsync(packet.Context.Connection.Aborted))
        {
            await packet.NextAsync();
        }
        else
        {
            packet.Context.Fail(
                ErrorCode.StorageUnavailable, "The server cannot store messages now and did not accept yours. Try again later.");
        }
    }
}
