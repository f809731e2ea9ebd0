namespace PlayChat.Core.Hosting;

/// <summary>Gives connections that another server has accepted to a <see cref="PlayChatServer"/>. Thread-safe.</summary>
/// <remarks>Made by <see cref="PlayChatServer.Host"/>. The bytes are those of the server's TCP protocol.</remarks>
public sealed class HostedEndpoint
{
    private readonly PlayChatServer _server;

    internal HostedEndpoint(PlayChatServer server)
    {
        _server = server;
    }

    /// <summary>Serves a connection until it has ended.</summary>
    /// <param name="pipe">The server owns it, and completes both halves. Other code must not use it any more.</param>
    /// <param name="about">What is known about the connection.</param>
    /// <returns>
    /// Completes when both halves are completed and nothing uses the pipe any more. Never faults. While the server has not started, or
    /// stops, the connection is aborted at once.
    /// </returns>
    public Task ServeAsync(IDuplexPipe pipe, HostedLink? about = null)
    {
        ArgumentNullException.ThrowIfNull(pipe);
        Action? abort = about?.Abort is { } other ? HostedLink.Guard(other, about.RemoteEndPoint, _server.Logger) : null;
        var link = new PipeConnection(pipe, about?.RemoteEndPoint, about?.LocalEndPoint, abort)
        {
            Certificate = about?.ClientCertificate,
            Principal = about?.User,
        };
        if (_server.Started is { } running)
        {
            running.Serve(link);
        }
        else
        {
            link.Abort();
            link.Dispose();
        }

        return link.Ended;
    }
}
