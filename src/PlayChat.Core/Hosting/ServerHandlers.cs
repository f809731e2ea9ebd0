using PlayChat.Core.Dispatch;

namespace PlayChat.Core.Hosting;

/// <summary>Everything the application wants to be called for.</summary>
internal sealed class ServerHandlers
{
    internal FrameHandler? Frame { get; set; }

    internal AsyncFrameHandler? FrameAsync { get; set; }

    internal PacketRouter? Router { get; set; }

    internal Func<Connection, IDuplexPipe, CancellationToken, Task>? Stream { get; set; }

    internal Action<Session>? Connected { get; set; }

    internal Action<Session, CloseReason>? Disconnected { get; set; }

    internal Action<Session, CloseReason>? SessionEnded { get; set; }

    internal Action<Session>? Heartbeat { get; set; }

    internal IResumeStore? ResumeStore { get; set; }

    internal TimeSpan ResumeTokenLifetime { get; set; }

    internal Action<Connection, CloseReason>? Closing { get; set; }

    internal BadFrameHandler? BadFrame { get; set; }

    internal List<Func<CancellationToken, Task>> Bound { get; } = [];

    internal Action<PlayChatServer>? Starting { get; set; }

    internal bool HasForm => Frame is not null || FrameAsync is not null || Router is not null || Stream is not null;

    /// <summary>Makes the one handler of all the server's connections.</summary>
    internal IConnectionHandler CreateConnectionHandler(Action<Connection> ended, PacketDispatcher? dispatcher)
    {
        if (Stream is not null)
        {
            return new RawHandler(this, ended, static (_, _) => throw new InvalidOperationException("A stream has no frames."));
        }

        if (Frame is { } frame)
        {
            return new RawHandler(this, ended, frame);
        }

        return FrameAsync is { } frameAsync ? new AsyncRawHandler(this, ended, frameAsync) : new RoutedHandler(this, ended, dispatcher!);
    }

    private abstract class Handler(ServerHandlers handlers, Action<Connection> ended) : IConnectionHandler
    {
        public abstract ValueTask HandleAsync(Connection connection, in Frame frame);

        public void OnBadFrame(Connection connection, CloseReason reason, ReadOnlySpan<byte> start) =>
            handlers.BadFrame?.Invoke(connection, reason, start);

        public void OnClosing(Connection connection, CloseReason reason)
        {
            if (handlers.Closing is { } closing)
            {
                closing(connection, reason);
            }
            else
            {
                Tell(connection, reason);
            }
        }

        /// <summary>Tells the peer why its connection closes, where the application does not.</summary>
        protected virtual void Tell(Connection connection, CloseReason reason)
        {
        }

        public void OnClosed(Connection connection, CloseReason reason)
        {
            try
            {
                if (connection.Get<Session>() is { } session)
                {
                    handlers.Disconnected?.Invoke(session, reason);
                }
            }
            finally
            {
                ended(connection);
            }
        }
    }

    private sealed class RawHandler(ServerHandlers handlers, Action<Connection> ended, FrameHandler handler) : Handler(handlers, ended)
    {
        public override ValueTask HandleAsync(Connection connection, in Frame frame)
        {
            handler(connection, frame);
            return default;
        }
    }

    private sealed class AsyncRawHandler(ServerHandlers handlers, Action<Connection> ended, AsyncFrameHandler handler)
        : Handler(handlers, ended)
    {
        public override ValueTask HandleAsync(Connection connection, in Frame frame) =>
            handler(connection, frame, connection.Aborted);
    }

    private sealed class RoutedHandler(ServerHandlers handlers, Action<Connection> ended, PacketDispatcher dispatcher)
        : Handler(handlers, ended)
    {
        public override ValueTask HandleAsync(Connection connection, in Frame frame) =>
            dispatcher.HandleAsync(connection, in frame);

        protected override void Tell(Connection connection, CloseReason reason) => CloseNotice.Send(connection, reason);
    }
}
