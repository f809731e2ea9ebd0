using Microsoft.Extensions.Logging;
using PlayChat.Core.Connections;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Hosting;

/// <summary>Logs connections that are closed for their silence, within the bounds of a <see cref="PeerLogLimit"/>. Thread-safe.</summary>
/// <param name="logger">Gets the lines.</param>
/// <param name="time">The server's clock.</param>
/// <param name="options">Has the idle timeout.</param>
/// <param name="optionsPath">The configuration section of the server's options.</param>
internal sealed class IdleCloseLog(ILogger logger, TimeProvider time, SessionOptions options, string optionsPath)
{
    private readonly PeerLogLimit _limit = new(time);
    private readonly string _option = $"{optionsPath}:{nameof(PlayChatOptions.Sessions)}:{nameof(SessionOptions.IdleTimeout)}";

    /// <summary>Notes a connection that is about to be closed as <see cref="CloseReason.IdleTimeout"/>.</summary>
    internal void Closing(Connection connection)
    {
        if (_limit.TryTake(connection.RemoteEndPoint, out int leftOut))
        {
            HostingLog.ClosedIdle(logger, connection.Id, connection.RemoteEndPoint, options.IdleTimeout, _option, leftOut);
        }
    }
}
