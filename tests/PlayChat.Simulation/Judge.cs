using PlayChat.Core.Sessions;

namespace PlayChat.Simulation;

/// <summary>Knows what every room has done and what every client was told, and notes the first rule that is broken.</summary>
internal sealed class Judge(SimulatedWorld world)
{
    private readonly Dictionary<object, int> _ended = new(ReferenceEqualityComparer.Instance);

    /// <summary>The rooms that ever existed, by their id.</summary>
    internal Dictionary<long, RoomLog> Rooms { get; } = [];

    internal Finding? Finding { get; private set; }

    internal void Require(bool holds, string rule, string details)
    {
        if (!holds && Finding is null)
        {
            Finding = new Finding(rule, details, world.Clock.Elapsed);
            world.Note($"BROKEN {Finding}");
        }
    }

    /// <summary>Notes that something has ended, which may happen once.</summary>
    internal void NoteEnd(object ended, string rule)
    {
        int count = _ended[ended] = _ended.GetValueOrDefault(ended) + 1;
        Require(count == 1, rule, $"{count} ends");
    }

    internal int EndsOf(object ended) => _ended.GetValueOrDefault(ended);

    /// <summary>When the end of a session is told, its rooms have let it go.</summary>
    internal void CheckHasLeft(Func<Session, bool> isGone)
    {
        foreach ((long id, RoomLog log) in Rooms)
        {
            Require(
                !log.Members.Values.Any(isGone),
                "an end waits for the rooms",
                $"room {id} has a member whose session was said to have left");
        }
    }

    /// <summary>Compares what a client was told with what the room has done.</summary>
    internal void CheckEvent(string client, long room, int sequence, EventKind kind, ReadOnlySpan<byte> content)
    {
        if (!Rooms.TryGetValue(room, out RoomLog? log) || sequence < 1 || sequence > log.Events.Count)
        {
            Require(false, "one order", $"{client} got event {sequence} of room {room}, which has not happened");
            return;
        }

        RoomEvent expected = log.Events[sequence - 1];
        Require(
            expected.Kind == kind && expected.Encode(world.Plan.Fill).AsSpan().SequenceEqual(content),
            "one order",
            $"{client} got another event {sequence} of room {room} than {expected}");
    }

    /// <summary>Notes an event that a room has ordered. Each message of a user may be ordered once.</summary>
    internal void NoteEvent(long room, RoomLog log, RoomEvent item, int user)
    {
        log.Events.Add(item);
        Require(
            item.Kind != EventKind.Say || log.Said.Add((user, item.Number)),
            "nothing twice",
            $"message {item.Number} of user {user} is in room {room} twice");
    }
}
