namespace PlayChat.Core.Packets;

/// <summary>Sends a message whose type was known only at run time: see <see cref="PacketType.SendObject"/>.</summary>
internal interface IPacketSender
{
    bool Send<TMessage>(PacketType<TMessage> type, TMessage message, ushort requestId);
}
