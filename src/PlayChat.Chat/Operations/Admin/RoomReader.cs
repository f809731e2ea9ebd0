using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Chat.Rooms;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Reads the rooms of the running server, private ones included. Thread-safe; no room's turn is held up.</summary>
internal sealed class RoomReader(PlayChatServer server, SessionReader sessions, TimeProvider time)
{
    /// <exception cref="AdminException">There is none.</exception>
    public Room Get(long id) =>
        server.Rooms.Find(id) ?? throw AdminException.NotFound($"There is no room {id}. List the rooms to see which there are.");

    /// <exception cref="AdminException">The query is invalid.</exception>
    public async Task<Page<RoomSummary>> ListAsync(ListQuery query, CancellationToken cancellationToken)
    {
        query.Check("id", "members", "queued", "rate");
        Dictionary<long, long>? before = null;
        long began = time.GetTimestamp();
        if (query.Sort == "rate" || query.Measure > TimeSpan.Zero)
        {
            before = server.Rooms.All.ToDictionary(static room => room.Id, static room => room.Activity.JobsExecuted);
            await Task.Delay(query.Measure > TimeSpan.Zero ? query.Measure : TimeSpan.FromSeconds(1), time, cancellationToken);
        }

        double seconds = time.GetElapsedTime(began).TotalSeconds;
        var top = new TopList<Room>(query.Sort == "id" ? query.Limit + 1 : query.Limit);
        foreach (Room room in server.Rooms.All)
        {
            if ((query.Sort != "id" || room.Id > query.After)
                && (query.Text is null || room.Name.Contains(query.Text, StringComparison.OrdinalIgnoreCase)))
            {
                top.Add(room, Rank(room, query.Sort, before));
            }
        }

        IReadOnlyList<Room> found = top.TakeAll();
        bool hasMore = query.Sort == "id" && found.Count > query.Limit;
        RoomSummary[] items = [.. found.Take(query.Limit).Select(room => Describe(room, before, seconds))];
        return new Page<RoomSummary>(items, query.After == 0 ? top.Added : null, hasMore ? items[^1].Id : null);
    }

    /// <summary>Describes one room, with its rate and its members.</summary>
    /// <exception cref="AdminException">There is none, or the time is out of range.</exception>
    public async Task<RoomDetail> ReadAsync(long id, TimeSpan measure, CancellationToken cancellationToken)
    {
        ListQuery.CheckMeasure(measure);
        Room room = Get(id);
        Dictionary<long, long>? before = null;
        long began = time.GetTimestamp();
        if (measure > TimeSpan.Zero)
        {
            before = new Dictionary<long, long> { [id] = room.Activity.JobsExecuted };
            await Task.Delay(measure, time, cancellationToken);
        }

        return new RoomDetail(
            Describe(room, before, time.GetElapsedTime(began).TotalSeconds), room.Info.Properties, sessions.MembersOf(id));
    }

    private static int CountPlayers(Room room) => room is ChatRoom chat ? chat.PlayerCount : room.MemberCount;

    private static double Rank(Room room, string sort, Dictionary<long, long>? before) => sort switch
    {
        "members" => CountPlayers(room),
        "queued" => room.Activity.QueuedJobs,
        "rate" => room.Activity.JobsExecuted - before!.GetValueOrDefault(room.Id),
        _ => -room.Id,
    };

    private RoomSummary Describe(Room room, Dictionary<long, long>? before, double seconds)
    {
        RoomDescription info = room.Info;
        RoomActivity activity = room.Activity;
        return new RoomSummary(
            room.Id,
            room.Name,
            CountPlayers(room),
            info.Capacity,
            info.IsPrivate,
            info.IsLocked,
            info.HasPassword,
            info.OwnerId,
            activity.QueuedJobs,
            server.Options.Rooms.QueueItems,
            activity.QueuedBytes,
            activity.JobsExecuted,
            before is null ? null : (activity.JobsExecuted - before.GetValueOrDefault(room.Id)) / seconds);
    }
}
