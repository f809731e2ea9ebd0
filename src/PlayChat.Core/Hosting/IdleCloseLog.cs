namespace PlayChat.Core.Hosting;

/// <summary>
/// Logs connections that are closed for their silence or because they do not log in, within the bounds of a <see cref="PeerLogLimit"/>.
/// Thread-safe.
/// </summary>
internal sealed class IdleCloseLog(ILogger logger, TimeProvider time, SessionOptions options, string optionsPath)
{
    private readonly PeerLogLimit _limit = new(time);
    private readonly PeerLogLimit _loginLimit = new(time);
    private readonly string _option = $"{optionsPath}:{nameof(PlayChatOptions.Sessions)}:{nameof(SessionOptions.IdleTimeout)}";
    private readonly string _loginOption = $"{optionsPath}:{nameof(PlayChatOptions.Sessions)}:{nameof(SessionOptions.LoginTimeout)}";

    internal void Closing(Connection connection, CloseReason reason)
    {
        if (reason == CloseReason.IdleTimeout)
        {
            if (_limit.TryTake(connection.RemoteEndPoint, out int leftOut))
            {
                HostingLog.ClosedIdle(logger, connection.Id, connection.RemoteEndPoint, options.IdleTimeout, _option, leftOut);
            }
        }
        else if (reason == CloseReason.LoginTimeout && _loginLimit.TryTake(connection.RemoteEndPoint, out int leftOut))
        {
            HostingLog.ClosedWithoutLogin(logger, connection.Id, connection.RemoteEndPoint, options.LoginTimeout, _loginOption, leftOut);
        }
    }
}
