namespace PlayChat.Core.Connections;

/// <summary>Sends a message that has passed the <see cref="PacketOutlet"/>.</summary>
internal delegate bool PacketSender<TMessage, in TState>(TState state, PacketType<TMessage> type, TMessage message, ushort requestId);
