namespace PlayChat.Client.Screens;

/// <summary>The rooms that the user is in, and what of them is on the screen. They outlive the session.</summary>
/// <remarks>
/// What follows the answer to a join may arrive before the room is on the screen, so it is held back until then. <see cref="Take"/>,
/// <see cref="Contains"/>, <see cref="See"/> and <see cref="MarkRead"/> are thread-safe; the rest is for one thread.
/// </remarks>
internal sealed class OpenRooms(IUserInterface ui)
{
    // Held for the moment between an answer and its display; the oldest go if it should ever be more.
    private const int MaxHeldLines = 1000;

    private static readonly ScreenLine s_gap = new(
        LineKind.Warning, "(messages may be missing here: the server ended without a stop, and may not have stored the last ones)");

    private readonly object _gate = new();
    private volatile Room[] _rooms = []; // in the order in which they were entered; replaced under _gate
    private readonly Queue<(long RoomId, long Sequence, ScreenLine Line)> _held = new();
    private ChatSession _session = null!; // the last one that began

    // About what the screen shows at once, or two windows of a conversation that scrolls.
    private int PageMessages => ui.ShowsOneRoom ? 20 : 50;

    /// <summary>The ids in the order in which the rooms were entered.</summary>
    public long[] Ids => [.. _rooms.Select(static room => room.Id)];

    /// <summary>Whether the user is in a room, and it is on the screen.</summary>
    public bool Contains(long roomId) => Find(roomId) is { IsShown: true };

    public string NameOf(long roomId) => Get(roomId).Name;

    /// <summary>A new session: nothing of a room is shown until it has been entered again.</summary>
    public void BeginSession(ChatSession session)
    {
        _session = session;
        lock (_gate)
        {
            Array.ForEach(_rooms, static room => room.IsShown = false);
            _held.Clear();
        }
    }

    /// <summary>Shows what happened in a room, now or when the room is on the screen.</summary>
    /// <param name="line">The message; null when it needs no line.</param>
    public void Take(long roomId, long sequence, long missedBefore, ScreenLine? line)
    {
        lock (_gate)
        {
            Room? room = Find(roomId);
            if (missedBefore > 0)
            {
                string warning = $"({missedBefore} messages are missing here; /history may have them)";
                Put(room, roomId, sequence, new ScreenLine(LineKind.Warning, warning));
                if (room is not null && ui.ShowsOneRoom)
                {
                    room.ShownFrom = sequence; // the history then comes below; elsewhere it comes above all that is shown
                }
            }

            Put(room, roomId, sequence, line);
        }
    }

    /// <summary>The user sees the newest line of a room.</summary>
    public void See(long roomId)
    {
        lock (_gate)
        {
            if (Find(roomId) is { IsShown: true } room)
            {
                room.SeenUpTo = room.ShownUpTo;
            }
        }
    }

    /// <summary>Tells the server what the user has seen since the last time, where the server keeps that.</summary>
    /// <returns>The rooms that it was told of.</returns>
    public IReadOnlyList<long> MarkRead()
    {
        List<long> marked = [];
        lock (_gate)
        {
            foreach (Room room in _session.Client.Login is { Server.RoomsLast: true } ? _rooms : [])
            {
                long seen = ui.ShowsOneRoom ? room.ShownUpTo : room.SeenUpTo;
                if (seen > room.MarkedUpTo && _session.Client.MarkRead(room.Id, seen))
                {
                    room.MarkedUpTo = seen;
                    marked.Add(room.Id);
                }
            }
        }

        return marked;
    }

    /// <summary>The same before the session ends: a mark has no answer, and the end would overtake it in its room.</summary>
    public Task MarkLastAsync() => ChatSession.TryAsync(
        () => Task.WhenAll(MarkRead().Select(roomId => _session.Client.ListMembersAsync(roomId, limit: 1))), // answered behind the mark
        static _ => { }); // the messages may stay unread

    public async Task JoinAsync(long roomId, string password = "") =>
        await EnterAsync(await _session.Client.JoinRoomAsync(
            new CJoinRoomReq { RoomId = roomId, Password = password }, _session.Stop));

    /// <summary>Shows a room that the user has entered. Where one room is shown, the one before it is left only now: a room that is
    /// refused costs the user nothing.</summary>
    public async Task EnterAsync(SJoinRoomRes entry)
    {
        foreach (long other in ui.ShowsOneRoom ? Ids.Where(id => id != entry.RoomId) : [])
        {
            await LeaveAsync(other);
        }

        var room = new Room(entry.RoomId, entry.Name, new RoomSpeech(_session, entry.RoomId))
        {
            ShownFrom = entry.History.Count > 0 ? entry.History[0].Sequence : entry.LatestSequence + 1,
        };
        ScreenLine[] history = [.. entry.History.Select(_session.Feed.ShownLineOf).OfType<ScreenLine>()];
        ui.OpenRoom(room.Id, room.Name, [.. entry.Members.Select(static member => member.Name)], history);
        try
        {
            // Nothing may come with the entry to a room that is older than the server's memory. The user's own join is the first of all.
            await (entry.History.Count > 0 || entry.LatestSequence <= 1 ? Task.CompletedTask : ShowEarlierAsync(room));
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException or ChatConnectionClosedException)
        {
            ui.Write(LineKind.Warning, e.Message, room.Id);
        }

        if (entry.Terms is { Topic.Length: > 0 } terms)
        {
            ui.Write(LineKind.Info, $"Topic: {terms.Topic}", room.Id);
        }

        lock (_gate)
        {
            room.ShownUpTo = entry.LatestSequence;
            room.IsShown = true;
            _rooms = [.. _rooms.Where(other => other.Id != room.Id), room];
            while (_held.TryDequeue(out (long RoomId, long Sequence, ScreenLine Line) held))
            {
                if (held.RoomId == room.Id)
                {
                    Put(room, room.Id, held.Sequence, held.Line);
                }
            }
        }
    }

    public Task SayAsync(long roomId, string text) => Get(roomId).Speech.SayAsync(text);

    /// <summary>Waits until all that was said in a room has been answered, or will not be.</summary>
    public Task AllAnsweredAsync(long roomId) => Get(roomId).Speech.AllAnsweredAsync();

    public async Task LeaveAsync(long roomId)
    {
        await AllAnsweredAsync(roomId);
        try
        {
            await _session.Client.LeaveRoomAsync(roomId, _session.Stop);
            ui.Write(LineKind.Info, $"You have left room {roomId}: {NameOf(roomId)}.", roomId);
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException)
        {
            ui.Write(LineKind.Warning, e.Message);
        }

        Forget(roomId);
    }

    public void Forget(long roomId)
    {
        lock (_gate)
        {
            _rooms = [.. _rooms.Where(room => room.Id != roomId)];
        }

        ui.CloseRoom(roomId);
    }

    /// <summary>Shows one more page of a room's past, if there is one.</summary>
    /// <returns>Whether there is still more of it.</returns>
    public async Task<bool> ShowEarlierAsync(long roomId)
    {
        if (Find(roomId) is not { ShownFrom: > 1 } room)
        {
            return false;
        }

        await ShowEarlierAsync(room);
        return room.ShownFrom > 1;
    }

    private async Task ShowEarlierAsync(Room room)
    {
        SRoomHistoryRes page = await _session.Client.ReadHistoryBeforeAsync(room.Id, room.ShownFrom, PageMessages, _session.Stop);
        List<ScreenLine> lines = LinesOf(page);
        if (ui.ShowsOneRoom && page.Messages.Count > 0)
        {
            string messages = page.Messages.Count == 1 ? "message" : "messages";
            lines.Insert(0, new ScreenLine(LineKind.Title, $"{page.Messages.Count} earlier {messages}"));
        }

        room.ShownFrom = page is { More: true, Messages: [var first, ..] } ? first.Sequence : 1;
        ui.WriteEarlier(room.Id, lines);
    }

    /// <summary>A page with the places at which messages may be missing.</summary>
    private List<ScreenLine> LinesOf(SRoomHistoryRes page)
    {
        IEnumerable<(long Sequence, ScreenLine? Line)> gaps = page.Gaps.Select(static gap => (gap.BeforeSequence, (ScreenLine?)s_gap));
        List<ScreenLine> lines =
        [
            .. gaps.Concat(page.Messages.Select(message => (message.Sequence, Line: _session.Feed.ShownLineOf(message))))
                .OrderBy(static part => part.Sequence).Select(static part => part.Line).OfType<ScreenLine>(),
        ];
        if (!page.Complete && page.Gaps.Count == 0)
        {
            lines.Add(new ScreenLine(
                LineKind.Warning, "(some messages are missing here: the server has not stored them yet, or could not)"));
        }

        return lines;
    }

    private void Put(Room? room, long roomId, long sequence, ScreenLine? line)
    {
        if (room is { IsShown: true })
        {
            room.ShownUpTo = sequence;
            if (line is not null)
            {
                ui.Write(line, roomId);
            }
        }
        else if (line is not null)
        {
            if (_held.Count == MaxHeldLines)
            {
                _held.Dequeue();
            }

            _held.Enqueue((roomId, sequence, line));
        }
    }

    private Room? Find(long roomId) => Array.Find(_rooms, room => room.Id == roomId);

    private Room Get(long roomId) => Find(roomId) ?? throw new InvalidOperationException($"The user is not in room {roomId}.");

    private sealed class Room(long id, string name, RoomSpeech speech)
    {
        public readonly long Id = id;
        public readonly string Name = name;
        public readonly RoomSpeech Speech = speech;
        public long ShownFrom; // all messages from this sequence on have been shown: what lies before it is still to be read
        public long ShownUpTo; // the last sequence that has been shown
        public long SeenUpTo; // the last sequence that the user has looked at, where several rooms are shown
        public long MarkedUpTo; // the last sequence that the server was told to be read
        public bool IsShown; // false until the room is on the screen of this session
    }
}
