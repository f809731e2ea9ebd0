namespace PlayChat.Core.Connections;

/// <summary>What all connections of a server, or of a connector, have in common.</summary>
internal sealed class ConnectionServices
{
    private ConnectionFeatures _shared;
    private PeerLogLimit? _badFrames; // made with the first bad frame
    private SlowWork? _slowWork;

    internal required FrameFormat Format { get; init; }

    /// <summary>What messages are sent as; none by default.</summary>
    internal PacketSet Packets { get; init; } = new();

    /// <summary>What messages pass on their way out; <see langword="null"/> when nothing wants to see them.</summary>
    internal PacketOutlet? Outlet { get; set; }

    internal required IConnectionHandler Handler { get; init; }

    /// <summary>Handles each connection as a stream instead of frame by frame; <see langword="null"/> for frames.</summary>
    internal Func<Connection, IDuplexPipe, CancellationToken, Task>? Stream { get; init; }

    internal required ConnectionOptions Options { get; init; }

    internal required SegmentPool Pool { get; init; }

    internal required ServerMetrics Metrics { get; init; }

    internal required TimeProvider Time { get; init; }

    internal required ILogger Logger { get; init; }

    /// <summary>Notices handlers that block.</summary>
    internal SlowWork SlowWork => _slowWork ?? LazyInitializer.EnsureInitialized(ref _slowWork, () => new SlowWork(Time, Metrics));

    /// <summary>Whether the peers are servers, whose close notices count.</summary>
    internal bool IsClient { get; init; }

    /// <summary>Finds what a layer above keeps for all of them; <see langword="null"/> if there is none of the type.</summary>
    internal T? Get<T>()
        where T : class => _shared.Get<T>();

    /// <summary>Keeps an object for all of them, in the place of its type.</summary>
    internal void Set<T>(T value)
        where T : class => _shared.Set(value);

    /// <summary>A time in ticks of the clock; <see cref="long.MaxValue"/> for an infinite one.</summary>
    internal long TicksOf(TimeSpan time) =>
        time == Timeout.InfiniteTimeSpan ? long.MaxValue : (long)(time.TotalSeconds * Time.TimestampFrequency);

    /// <summary>When so much time will have passed, in ticks of the clock.</summary>
    internal long DeadlineAfter(TimeSpan time) => Time.GetTimestamp() + TicksOf(time);

    /// <summary>Counts and logs, within bounds, that a peer has broken the protocol. The caller closes the connection.</summary>
    /// <param name="peer">The connection.</param>
    /// <param name="reason">Why it closes.</param>
    /// <param name="problem">What is wrong, and what to change, in a sentence or more.</param>
    internal void NoteViolation(IConnectionControl peer, CloseReason reason, string problem)
    {
        Metrics.Add(Counter.ProtocolViolations);
        EndPoint? address = peer.RemoteEndPoint;
        if (LazyInitializer.EnsureInitialized(ref _badFrames, () => new PeerLogLimit(Time)).TryTake(address, out int leftOut))
        {
            ConnectionLog.BadFrame(Logger, peer.Id, address, reason, problem, leftOut);
        }
    }

    /// <summary>The peer has broken a rule of its link.</summary>
    internal void NoteLinkViolation(IConnectionControl peer, CloseReason reason) =>
        NoteViolation(peer, reason, "It broke a rule of WebSocket; the close frame names the rule.");

    /// <summary>Closes a connection because its handler has thrown, unless the handler only noticed the end of the connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="exception">What the handler has thrown.</param>
    /// <param name="hasEnded">Whether the connection has ended, so that a cancellation may come from that.</param>
    internal void OnHandlerFault(IConnectionControl connection, Exception exception, bool hasEnded)
    {
        bool noticedTheEnd = exception is OperationCanceledException
            ? hasEnded
            : exception is ConnectionClosedException closed && closed.ConnectionId == connection.Id;
        if (!noticedTheEnd)
        {
            Metrics.Add(Counter.HandlerFaults);
            ConnectionLog.HandlerFault(Logger, exception, connection.Id, connection.RemoteEndPoint);
            connection.TellAndClose(CloseReason.HandlerFault);
        }
    }

    /// <summary>Calls <see cref="IConnectionHandler.OnClosing"/>. The connection closes even if that throws.</summary>
    internal void CallClosing(Connection connection, CloseReason reason)
    {
        try
        {
            Handler.OnClosing(connection, reason);
        }
        catch (Exception e)
        {
            Metrics.Add(Counter.HandlerFaults);
            ConnectionLog.ClosingHandlerFault(Logger, e, connection.Id);
        }
    }

    /// <summary>Calls <see cref="IConnectionHandler.OnClosed"/>. What that throws costs this connection alone.</summary>
    internal void CallClosed(Connection connection, CloseReason reason)
    {
        try
        {
            Handler.OnClosed(connection, reason);
        }
        catch (Exception e)
        {
            ConnectionLog.ClosedHandlerFault(Logger, e, connection.Id);
        }
    }
}
