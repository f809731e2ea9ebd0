using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;

namespace PlayChat.Protocol.Tests;

/// <summary>What a client sent to <see cref="FakeChatServer"/>.</summary>
/// <param name="Connection">The client.</param>
/// <param name="Packet">Which packet it is.</param>
/// <param name="RequestId">The number that an answer repeats.</param>
/// <param name="Body">The payload.</param>
internal sealed record FakeRequest(Connection Connection, PacketId Packet, ushort RequestId, byte[] Body)
{
    public void Answer<TMessage>(PacketType<TMessage> packet, TMessage message) =>
        Assert.True(Connection.SendPacket(message, RequestId, type: packet));

    public void Refuse(ErrorCode code, string message) =>
        Answer(ChatPackets.SErrorNtf, new SErrorNtf { Code = code, Message = message, PacketId = (uint)Packet });
}
