using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Reads the sessions of the running server. Thread-safe; takes no lock that a session waits for.</summary>
internal sealed class SessionReader(PlayChatServer server, TimeProvider time)
{
    /// <summary>The state of a session whose client does not read fast enough, whatever else it is.</summary>
    public const string Slow = "slow";

    // Half of the queue: the server then stops reading from the client as well.
    private const int SlowPart = 2;

    private static readonly string[] s_states = ["connected", "anonymous", "away", "closing", Slow];

    /// <exception cref="AdminException">There is none.</exception>
    public Session Get(long id) => server.Sessions.Find(id)
        ?? throw AdminException.NotFound($"There is no session {id}. It may have ended: see the closes.");

    /// <exception cref="AdminException">The query is invalid.</exception>
    public async Task<Page<SessionInfo>> ListAsync(ListQuery query, CancellationToken cancellationToken)
    {
        query.Check("id", "queued", "blocked", "received", "sent", "rate");
        if (query.State is { } state && !s_states.Contains(state, StringComparer.Ordinal))
        {
            throw AdminException.Invalid($"state is '{state}'; allowed is {string.Join(", ", s_states)}.");
        }

        bool isRated = query.Sort == "rate" || query.Measure > TimeSpan.Zero;
        TimeSpan wait = query.Measure > TimeSpan.Zero ? query.Measure : TimeSpan.FromSeconds(1);
        Dictionary<long, ConnectionTraffic>? before = null;
        long began = time.GetTimestamp();
        if (isRated)
        {
            before = [];
            foreach (Session session in Matching(query))
            {
                before[session.Connection.Id] = session.Connection.Traffic;
            }

            await Task.Delay(wait, time, cancellationToken);
        }

        double seconds = time.GetElapsedTime(began).TotalSeconds;
        // One more than the page has: it tells whether another page follows.
        var top = new TopList<Session>(query.Sort == "id" ? query.Limit + 1 : query.Limit);
        foreach (Session session in Matching(query))
        {
            if (query.Sort != "id" || session.Id > query.After)
            {
                top.Add(session, Rank(session, query.Sort, before));
            }
        }

        IReadOnlyList<Session> found = top.TakeAll();
        bool hasMore = query.Sort == "id" && found.Count > query.Limit;
        SessionInfo[] items = [.. found.Take(query.Limit).Select(session => Describe(session, before, seconds))];
        return new Page<SessionInfo>(items, Matched: null, hasMore ? items[^1].Id : null);
    }

    /// <summary>Describes one session, with rates.</summary>
    /// <exception cref="AdminException">There is none, or the time is out of range.</exception>
    public async Task<SessionInfo> ReadAsync(long id, TimeSpan measure, CancellationToken cancellationToken)
    {
        ListQuery.CheckMeasure(measure);
        Session session = Get(id);
        if (measure == TimeSpan.Zero)
        {
            return Describe(session);
        }

        long began = time.GetTimestamp();
        var before = new Dictionary<long, ConnectionTraffic> { [session.Connection.Id] = session.Connection.Traffic };
        await Task.Delay(measure, time, cancellationToken);
        return Describe(Get(id), before, time.GetElapsedTime(began).TotalSeconds);
    }

    /// <summary>Describes the members of a room, those with the most queued bytes first.</summary>
    public IReadOnlyList<SessionInfo> MembersOf(long roomId)
    {
        var top = new TopList<Session>(ListQuery.MaxLimit);
        foreach (Session session in Matching(new ListQuery(RoomId: roomId)))
        {
            top.Add(session, session.Connection.Traffic.QueuedBytes);
        }

        return [.. top.TakeAll().Select(static session => Describe(session))];
    }

    private static SessionInfo Describe(
        Session session, Dictionary<long, ConnectionTraffic>? before = null, double seconds = 0)
    {
        Connection connection = session.Connection;
        ConnectionTraffic traffic = connection.Traffic;
        return new SessionInfo(
            session.Id,
            connection.Id,
            session.User?.Id,
            session.User?.Name,
            connection.RemoteEndPoint?.ToString(),
            StateOf(session),
            traffic.Age.TotalSeconds,
            traffic.SilentFor.TotalSeconds,
            traffic.BlockedFor.TotalSeconds,
            traffic.QueuedBytes,
            traffic.MaxQueuedBytes,
            traffic.BytesReceived,
            traffic.BytesSent,
            traffic.FramesReceived,
            traffic.FramesSent,
            traffic.IsHandlerWaiting,
            [.. session.FindRooms<Room>().Select(static room => new RoomPlaceInfo(room.Id, room.Name))],
            before is not null && before.TryGetValue(connection.Id, out ConnectionTraffic earlier)
                ? RatesOf(earlier, traffic, seconds)
                : null);
    }

    private static TrafficRates RatesOf(ConnectionTraffic earlier, ConnectionTraffic later, double seconds) => new(
        seconds * 1000,
        (later.BytesReceived - earlier.BytesReceived) / seconds,
        (later.BytesSent - earlier.BytesSent) / seconds,
        (later.FramesReceived - earlier.FramesReceived) / seconds,
        (later.FramesSent - earlier.FramesSent) / seconds);

    private static string StateOf(Session session) =>
        session.IsAway ? "away"
        : !session.Connection.IsOpen ? "closing"
        : session.User is null ? "anonymous"
        : "connected";

    private static double Rank(Session session, string sort, Dictionary<long, ConnectionTraffic>? before)
    {
        if (sort == "id")
        {
            return -session.Id;
        }

        ConnectionTraffic traffic = session.Connection.Traffic;
        return sort switch
        {
            "queued" => traffic.QueuedBytes,
            "blocked" => traffic.BlockedFor.TotalSeconds,
            "received" => traffic.BytesReceived,
            "sent" => traffic.BytesSent,
            _ => before!.TryGetValue(session.Connection.Id, out ConnectionTraffic earlier)
                ? traffic.BytesReceived + traffic.BytesSent - earlier.BytesReceived - earlier.BytesSent
                : 0,
        };
    }

    private static bool IsSlow(Session session)
    {
        ConnectionTraffic traffic = session.Connection.Traffic;
        return traffic.BlockedFor > TimeSpan.FromSeconds(1) || traffic.QueuedBytes > traffic.MaxQueuedBytes / SlowPart;
    }

    private IEnumerable<Session> Matching(ListQuery query) =>
        server.Sessions.All.Concat(server.Sessions.Away).Where(session => Matches(session, query));

    private static bool Matches(Session session, ListQuery query) =>
        (query.State is null || (query.State == Slow ? IsSlow(session) : StateOf(session) == query.State))
        && (query.RoomId is not { } room || session.FindRoom<Room>(room) is not null)
        && (query.Text is not { } text
            || session.User?.Name.Contains(text, StringComparison.OrdinalIgnoreCase) == true
            || session.Connection.RemoteEndPoint?.ToString()?.Contains(text, StringComparison.OrdinalIgnoreCase) == true);
}
