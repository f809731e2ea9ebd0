using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Core;
using PlayChat.Core.Connections;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Remembers the newest ends of connections. Thread-safe, without a lock.</summary>
/// <remarks>Each end writes one place of a ring. A reader that meets a writer sees the older or the newer record of that place.</remarks>
internal sealed class CloseHistory(PlayChatServer server, TimeProvider time)
{
    public const int Capacity = 1000;

    private readonly CloseRecord?[] _records = new CloseRecord?[Capacity];
    private long _count;

    /// <summary>Notes an end. The server calls it for each connection.</summary>
    public void Add(Session session, CloseReason reason)
    {
        Connection connection = session.Connection;
        ConnectionTraffic traffic = connection.Traffic;
        var record = new CloseRecord(
            time.GetUtcNow(),
            connection.Id,
            session.Id,
            session.User?.Name,
            connection.RemoteEndPoint?.ToString(),
            reason.ToString(),
            Explain(reason),
            traffic.Age.TotalSeconds,
            traffic.QueuedBytes,
            traffic.BytesReceived,
            traffic.BytesSent);
        long place = Interlocked.Increment(ref _count) - 1;
        Volatile.Write(ref _records[place % Capacity], record);
    }

    /// <summary>Reads the newest ends.</summary>
    /// <param name="limit">The most, 1 to <see cref="Capacity"/>.</param>
    /// <param name="reason">Only ends for this reason; <see langword="null"/> for all.</param>
    /// <param name="text">Only those whose player or address contains the text; <see langword="null"/> for all.</param>
    public CloseList Read(int limit, CloseReason? reason, string? text)
    {
        long count = Interlocked.Read(ref _count);
        var found = new List<CloseRecord>();
        for (long i = count - 1; i >= Math.Max(0, count - Capacity) && found.Count < limit; i--)
        {
            if (Volatile.Read(ref _records[i % Capacity]) is { } record
                && (reason is null || record.Reason == reason.ToString())
                && (text is null || Contains(record.UserName, text) || Contains(record.Address, text)))
            {
                found.Add(record);
            }
        }

        var reading = server.Metrics.ReadAll();
        var totals = Enum.GetValues<CloseReason>()
            .Where(value => value != CloseReason.None && reading.GetCloses(value) > 0)
            .ToDictionary(static value => value.ToString(), value => reading.GetCloses(value), StringComparer.Ordinal);
        return new CloseList(found, (int)Math.Min(count, Capacity), totals);
    }

    private static bool Contains(string? text, string part) => text?.Contains(part, StringComparison.OrdinalIgnoreCase) == true;

    /// <summary>Says what a close reason means to an operator.</summary>
    private static string Explain(CloseReason reason) => reason switch
    {
        CloseReason.PeerClosed => "The client closed the connection in order.",
        CloseReason.PeerReset => "The client or the network broke the connection. Many at once point to the network or a proxy.",
        CloseReason.ProtocolViolation => "The client sent bytes that are no valid packet. Check its version.",
        CloseReason.FrameTooLarge => "The client announced a packet above MaxFrameBytes.",
        CloseReason.SlowConsumer => "The client did not read fast enough and its queue reached PlayChat:Connections:MaxOutboundBytes.",
        CloseReason.IdleTimeout => "Nothing came from the client for PlayChat:Sessions:IdleTimeout.",
        CloseReason.HandlerFault => "A handler of the server threw an exception: see the log.",
        CloseReason.ServerShutdown => "The server was stopping.",
        CloseReason.LocalClose => "The server closed it: a logout, a ban, or an operator.",
        CloseReason.LoginTimeout => "The client did not log in within PlayChat:Sessions:LoginTimeout.",
        CloseReason.TakenOver => "The player logged in from elsewhere.",
        CloseReason.TlsFailed => "The TLS handshake or a record of it failed.",
        CloseReason.ServerFull => "The server had PlayChat:Connections:MaxConnections connections.",
        CloseReason.AddressFull => "The client's address had as many connections as one address may have.",
        CloseReason.TransportFault => "The system failed on the server's side of the connection: see the log.",
        CloseReason.UnknownPacket => "The client sent a packet that the server does not know. Check its version.",
        CloseReason.LoginRequired => "The client sent too many requests before its login.",
        CloseReason.RateLimited => "The client kept sending more packets than Sessions:PacketsPerSecond allows.",
        CloseReason.LoginExpired => "The login has expired.",
        CloseReason.NodeFenced => "This node lost its place in the cluster.",
        CloseReason.FrameTimeout => "The client began a packet and did not send the rest in time.",
        _ => "The connection is open.",
    };
}
