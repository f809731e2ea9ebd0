namespace PlayChat.Simulation.Chat;

/// <summary>Knows what the members of each room were told, and compares it.</summary>
internal sealed class ChatHistory(ChatWorld world)
{
    private readonly Dictionary<long, SortedDictionary<long, string>> _rooms = [];
    private readonly Dictionary<(long Room, string Text), long> _said = [];
    private readonly HashSet<(long Room, long Sequence)> _acknowledged = [];
    private readonly HashSet<(string From, string To, string Text)> _whispers = [];

    /// <summary>All rooms of which a client has heard something.</summary>
    internal IEnumerable<long> Rooms => _rooms.Keys;

    /// <summary>A member was told an event of a room. Each event has one place, and each message is in a room once.</summary>
    internal void NoteEvent(string client, long room, long sequence, string what)
    {
        SortedDictionary<long, string> events = EventsOf(room);
        if (events.TryGetValue(sequence, out string? known))
        {
            world.Judge.Require(
                IsSame(known, what) || IsSame(what, known),
                "one order",
                $"{client} has {sequence} of room {room} as '{what}', others as '{known}'");
            return;
        }

        events.Add(sequence, what);
        if (what.StartsWith("say ", StringComparison.Ordinal))
        {
            world.Judge.Require(
                _said.TryAdd((room, what), sequence), "nothing twice", $"room {room} has '{what}' at {sequence} and {_said[(room, what)]}");
        }
    }

    /// <summary>A room has acknowledged a message.</summary>
    internal void NoteAcknowledged(string client, long room, long sequence, string what)
    {
        NoteEvent(client, room, sequence, what);
        _acknowledged.Add((room, sequence));
    }

    internal void NoteWhisper(string from, string to, string text) =>
        world.Judge.Require(_whispers.Add((from, to, text)), "nothing twice", $"{to} got '{text}' of {from} twice");

    /// <summary>Compares the history that the server keeps of a room with what was acknowledged.</summary>
    internal void CheckHistory(string client, long room, IReadOnlyDictionary<long, string> history)
    {
        foreach ((long sequence, string what) in history)
        {
            NoteEvent(client, room, sequence, what);
        }

        foreach ((long _, long sequence) in _acknowledged.Where(acknowledged => acknowledged.Room == room))
        {
            world.Judge.Require(
                history.ContainsKey(sequence),
                "nothing acknowledged lost",
                $"the history of room {room} lacks {sequence}, '{EventsOf(room)[sequence]}'");
        }
    }

    /// <summary>Compares what the clients know of their rooms, when everything has had the time to settle.</summary>
    internal void CheckConvergence(IReadOnlyList<ChatUser> users)
    {
        foreach ((long room, SortedDictionary<long, string> events) in _rooms)
        {
            var members = users.Where(user => user.Client?.FindRoom(room) is not null)
                .Select(user => (user.Name, Id: user.Client!.Login!.PlayerId, Room: user.Client.FindRoom(room)!)).ToList();
            long newest = events.Keys.Last();
            foreach ((string name, _, Protocol.JoinedRoom known) in members)
            {
                world.Judge.Require(
                    known.LatestSequence == newest,
                    "everything arrives",
                    $"{name} knows {known.LatestSequence} of {newest} events of room {room}");
                world.Judge.Require(
                    members.Select(static member => member.Id).Order().SequenceEqual(
                        known.Members.Select(static member => member.PlayerId).Order()),
                    "member lists agree",
                    $"{name} has the members {Join(known.Members.Select(static member => member.PlayerId))} of room {room}, "
                        + $"and {Join(members.Select(static member => member.Id))} believe to be in it");
            }
        }

        static string Join(IEnumerable<long> numbers) => string.Join(' ', numbers.Order());
    }

    /// <summary>Who comes late gets a message as it was changed.</summary>
    private static bool IsSame(string first, string second) =>
        first == second
        || (first.StartsWith("changed ", StringComparison.Ordinal) && second.StartsWith($"say {first[8..]} ", StringComparison.Ordinal));

    private SortedDictionary<long, string> EventsOf(long room)
    {
        if (!_rooms.TryGetValue(room, out SortedDictionary<long, string>? events))
        {
            _rooms.Add(room, events = []);
        }

        return events;
    }
}
