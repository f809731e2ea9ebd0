namespace PlayChat.Core.Dispatch;

/// <summary>Handles one kind of message. One instance serves all sessions, so it must be thread-safe.</summary>
/// <typeparam name="TMessage">The message.</typeparam>
public interface IPacketHandler<in TMessage>
{
    /// <summary>Handles one message, on the receive loop of its sender, whose next packet waits until this is done.</summary>
    /// <param name="context">The sender and the request id. The handler may keep it.</param>
    /// <param name="message">The handler's own.</param>
    /// <param name="cancellationToken">
    /// Cancelled when the sender's link ends. That the sender has gone is not noticed while the handler waits, unless something is sent to
    /// it: see <see cref="Connections.Connection.Aborted"/>.
    /// </param>
    /// <remarks>
    /// Completing synchronously costs nothing. What it throws is logged and does what <see cref="PacketRouter.OnFault"/> says.
    /// </remarks>
    ValueTask HandleAsync(PacketContext context, TMessage message, CancellationToken cancellationToken);
}
