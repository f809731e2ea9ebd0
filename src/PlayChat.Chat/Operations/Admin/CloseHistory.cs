using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Core;
using PlayChat.Core.Connections;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Remembers the newest ends of connections. Thread-safe, without a lock.</summary>
/// <remarks>Each end writes one place of a ring. A reader that meets a writer sees the older or the newer record of that place.</remarks>
internal sealed class CloseHistory(PlayChatServer server, TimeProvider time)
{
    /// <summary>How many ends are remembered.</summary>
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
            CloseExplanation.Of(reason),
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
}
