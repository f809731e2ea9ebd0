namespace PlayChat.Core.Connections;

/// <summary>What messages pass before they are sent as packets: the filters of the layer above.</summary>
internal abstract class PacketOutlet
{
    /// <summary>Sends a message unless something stops it.</summary>
    /// <param name="connection">Where it goes; <see langword="null"/> for several.</param>
    /// <param name="recipients">How many it goes to.</param>
    /// <param name="type">As which kind of packet.</param>
    /// <param name="message">What is sent.</param>
    /// <param name="requestId">The request that it answers; 0 for none.</param>
    /// <param name="state">Given to <paramref name="send"/>.</param>
    /// <param name="send">Sends it.</param>
    /// <returns>What <paramref name="send"/> returned; <see langword="false"/> when it was not called.</returns>
    internal abstract bool Send<TMessage, TState>(
        Connection? connection,
        int recipients,
        PacketType<TMessage> type,
        TMessage message,
        ushort requestId,
        TState state,
        PacketSender<TMessage, TState> send);
}
