namespace PlayChat.Core.Dispatch;

/// <summary>Leads what is sent through filters.</summary>
internal sealed class FilteredOutlet(PacketFilter[] filters) : PacketOutlet
{
    internal override bool Send<TMessage, TState>(
        Connection? connection,
        int recipients,
        PacketType<TMessage> type,
        TMessage message,
        ushort requestId,
        TState state,
        PacketSender<TMessage, TState> send) =>
        new Packet<TMessage, TState>(filters, type, message, state, send)
        {
            Connection = connection,
            Recipients = recipients,
            RequestId = requestId,
        }.Next();

    private sealed class Packet<TMessage, TState>(
        PacketFilter[] filters, PacketType<TMessage> type, TMessage message, TState state, PacketSender<TMessage, TState> send)
        : OutgoingPacket(filters)
    {
        public override PacketType Type => type;

        public override object? Message => message;

        private protected override bool Send() => send(state, type, message, RequestId);
    }
}
