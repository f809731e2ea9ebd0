using PlayChat.Core.Connections;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Dispatch;

/// <summary>One received packet on its way through a handler: who sent it, and which answer it waits for.</summary>
/// <param name="Session">Who sent it.</param>
/// <param name="PacketId">Which kind of packet it is.</param>
/// <param name="RequestId">What an answer must carry; 0 when none is expected.</param>
public readonly record struct PacketContext(Session Session, ushort PacketId, ushort RequestId)
{
    /// <summary>The sender's link.</summary>
    public Connection Connection => Session.Connection;

    /// <summary>Answers the sender.</summary>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, Framing.FrameHeader)"/>.</returns>
    public bool Reply<TMessage>(PacketType<TMessage> type, TMessage message) => Connection.Send(type, message, RequestId);
}
