using System.Collections.Concurrent;
using PlayChat.Core;

namespace PlayChat.Client.Screens;

/// <summary>Shows what happens in the user's rooms, what is said to the user alone, and what becomes of the connection.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class RoomFeed
{
    private static readonly TimeSpan s_writerShown = TimeSpan.FromSeconds(5);

    private const int MaxSaid = 1000;

    private readonly ChatClient _client;
    private readonly IUserInterface _ui;
    private readonly OpenRooms _rooms;
    private readonly TimeProvider _time;
    private readonly KnownPlayers _players = new();
    private readonly ConcurrentDictionary<(long RoomId, string Name), Task> _writers = new(); // until when they are shown
    private readonly List<(long RoomId, long Sequence, string Name)> _said = []; // what was shown; its own lock

    /// <param name="client">A client that has not entered a room yet.</param>
    public RoomFeed(ChatClient client, IUserInterface ui, OpenRooms rooms, TimeProvider time)
    {
        (_client, _ui, _rooms, _time) = (client, ui, rooms, time);
        client.ChatReceived += (_, e) => OnChat(e);
        client.MemberJoined += (_, e) => OnJoined(e);
        client.MessageEdited += (_, e) => OnEdited(e.Message, e.MissedBefore);
        client.ReactionChanged += (_, e) => OnReaction(e.Message, e.MissedBefore);
        client.MemberTyping += (_, e) => _ = OnTypingAsync(e.Message);
        client.RoomLeft += (_, e) => ui.Write(LineKind.Warning, $"{e.Message.Message} /exit closes the room here.", e.Message.RoomId);
        client.Invited += (_, e) => OnInvited(e.Message);
        client.MessageReported += (_, e) => OnReported(e.Message.Report);
        client.RoomEntered += (_, e) => ui.Write(
            LineKind.Info, $"You are in {e.Message.Name} on another device. /join {e.Message.RoomId} enters it here as well.");
        client.DirectChatReceived += (_, e) => OnDirect(e);
        client.DirectSentElsewhere += (_, e) => ShowSent(e.Message);
        client.Reconnecting += (_, e) => OnReconnecting(e);
        client.Reconnected += (_, e) => OnReconnected(e);
        client.Disconnected += (_, _) => ui.ShowLink(new LinkState(IsConnected: false, "not connected"));
        client.ServerNotice += (_, e) => ui.Write(LineKind.Warning, e.Message);
    }

    /// <summary>The players that the user has blocked: what they say in rooms is not shown.</summary>
    public IReadOnlySet<long> Blocked { get; set; } = new HashSet<long>();

    /// <summary>The members of the user's rooms, and the other players whose messages have come.</summary>
    public List<Member> ListPlayers() => _players.With(_rooms.Ids.SelectMany(id => _client.FindRoom(id)?.Members ?? []));

    /// <summary>Finds a message that was shown in a room, as far as it is remembered.</summary>
    /// <param name="name">Its player; null for all but the user.</param>
    /// <param name="number">Below 0: -1 is the newest, -2 the one before.</param>
    public (long Sequence, string Name)? Find(long roomId, string? name, int number)
    {
        string wanted = name ?? _client.Login?.Name ?? "";
        lock (_said)
        {
            return _said.Where(said => said.RoomId == roomId)
                .Where(said => said.Name.Equals(wanted, StringComparison.OrdinalIgnoreCase) == name is not null)
                .OrderByDescending(static said => said.Sequence)
                .Select(static said => ((long, string)?)(said.Sequence, said.Name))
                .ElementAtOrDefault(-(number + 1));
        }
    }

    /// <summary>A message that is shown in its room as a line, as <see cref="LineOf"/>; a command may name it from then on.</summary>
    public ScreenLine? ShownLineOf(SRoomChatNtf message)
    {
        ScreenLine? line = LineOf(message);
        (long, long, string) said = (message.RoomId, message.Sequence, message.PlayerName);
        lock (_said)
        {
            if (line is not null && message is { System: false, Deleted: false } && !_said.Contains(said))
            {
                _said.Add(said);
                _said.RemoveRange(0, Math.Max(_said.Count - MaxSaid, 0));
            }
        }

        return line;
    }

    /// <summary>A message as a line; none for that of a blocked player. Its player is known from then on.</summary>
    public ScreenLine? LineOf(SRoomChatNtf message)
    {
        if (!message.System)
        {
            if (Blocked.Contains(message.PlayerId))
            {
                return null;
            }

            _players.Note(message.PlayerId, message.PlayerName);
        }

        LineKind kind = message.System ? LineKind.Event : message.PlayerId == _client.Login?.PlayerId ? LineKind.OwnChat : LineKind.Chat;
        return new ScreenLine(
            kind, message.Deleted ? "(deleted)" : message.Text + CountsOf(message), message.PlayerName, LocalTime(message.SentAtUnixMs),
            IsMention: kind == LineKind.Chat && Mention.IsIn(message.Text, _client.Login?.Name ?? ""));
    }

    private void OnChat(ChatReceivedEventArgs e)
    {
        if (!e.Message.System && _writers.TryRemove((e.Message.RoomId, e.Message.PlayerName), out _))
        {
            ShowWriters(e.Message.RoomId);
        }

        // Noted before it is shown: a user who sees the message may name it in a command at once.
        _rooms.Take(e.Message.RoomId, e.Message.Sequence, e.MissedBefore, ShownLineOf(e.Message));
        if (e.Message.System)
        {
            ShowMembers(e.Message.RoomId);
        }
    }

    private async Task OnTypingAsync(STypingNtf typing)
    {
        Member? writer = _client.FindRoom(typing.RoomId)?.Members.FirstOrDefault(member => member.PlayerId == typing.PlayerId);
        if (writer is null || Blocked.Contains(writer.PlayerId))
        {
            return;
        }

        Task shown = Task.Delay(s_writerShown, _time);
        _writers[(typing.RoomId, writer.Name)] = shown;
        ShowWriters(typing.RoomId);
        await shown;
        if (_writers.TryRemove(KeyValuePair.Create((typing.RoomId, writer.Name), shown))) // unless it has written on
        {
            ShowWriters(typing.RoomId);
        }
    }

    private void ShowWriters(long roomId)
    {
        lock (_writers) // the last call shows the last state
        {
            if (_rooms.Contains(roomId))
            {
                _ui.ShowWriters(roomId, [.. _writers.Keys.Where(writer => writer.RoomId == roomId).Select(static writer => writer.Name)]);
            }
        }
    }

    private void OnEdited(SMessageEditedNtf edit, long missedBefore)
    {
        string name = edit.Editor?.Name ?? "";
        lock (_said)
        {
            _said.RemoveAll(said => edit.Text.Length == 0 && said.RoomId == edit.RoomId && said.Sequence == edit.MessageSequence);
        }

        string words = edit.Text.Length == 0 ? $"{name} deleted a message." : $"{name} changed a message: {edit.Text}";
        _rooms.Take(edit.RoomId, edit.Sequence, missedBefore, new ScreenLine(LineKind.Event, words, At: LocalTime(edit.EditedAtUnixMs)));
    }

    private void OnReaction(SReactionNtf reaction, long missedBefore)
    {
        string name = reaction.Player?.Name ?? "";
        string words = reaction.Removed ? $"{name} took {reaction.Emoji} back." : $"{name} reacted with {reaction.Emoji}.";
        _rooms.Take(reaction.RoomId, reaction.Sequence, missedBefore, new ScreenLine(LineKind.Event, words, At: _time.GetLocalNow()));
    }

    private static string CountsOf(SRoomChatNtf message) => message.Reactions.Count == 0 ? ""
        : $" ({string.Join(", ", message.Reactions.Select(static reaction => $"{reaction.Emoji} {reaction.Count}"))})";

    private void OnInvited(SInvitedNtf invited) => _ui.Write(
        LineKind.Warning,
        $"{invited.By?.Name} has invited you to {invited.Membership?.Name}. /join {invited.Membership?.RoomId} enters it.");

    private void OnReported(Report report) => _ui.Write(
        LineKind.Warning,
        $"{report.ReporterName} has reported a message in {report.RoomName}: {report.Reason} /reports lists the reports.");

    private void OnJoined(MemberJoinedEventArgs e)
    {
        string words = $"{e.Message.Member?.Name} has joined the room.";
        ScreenLine? line = e.IsReturn ? null : new ScreenLine(LineKind.Event, words, At: _time.GetLocalNow());
        _rooms.Take(e.Message.RoomId, e.Message.Sequence, e.MissedBefore, line);
        ShowMembers(e.Message.RoomId);
    }

    /// <summary>A time of the server, which is data from outside: one that no calendar has becomes the nearest.</summary>
    public DateTimeOffset LocalTime(long unixMs)
    {
        const long LastMs = 253_370_764_800_000; // the beginning of the year 9999, which every time zone has
        return TimeZoneInfo.ConvertTime(DateTimeOffset.FromUnixTimeMilliseconds(Math.Clamp(unixMs, 0, LastMs)), _time.LocalTimeZone);
    }

    private void OnDirect(DirectChatReceivedEventArgs e)
    {
        _players.Note(e.PlayerId, e.PlayerName);
        _ui.Write(new ScreenLine(LineKind.Direct, $"[from {e.PlayerName}] {e.Text}", At: LocalTime(e.SentAtUnixMs)));
        if (e.Number > 0)
        {
            _client.MarkDirectRead(e.PlayerId, e.Number);
        }
    }

    private void ShowSent(SDirectSentNtf sent)
    {
        string name = ListPlayers().Find(player => player.PlayerId == sent.PlayerId)?.Name ?? $"player {sent.PlayerId}";
        _ui.Write(new ScreenLine(LineKind.Direct, $"[to {name}] {sent.Text}", At: LocalTime(sent.SentAtUnixMs)));
    }

    private void OnReconnecting(ReconnectingEventArgs e)
    {
        bool restarts = e is { Attempt: 1, Reason: CloseReason.ServerShutdown };
        string back = string.Create(CultureInfo.InvariantCulture, $"back in about {Math.Ceiling(e.Delay.TotalSeconds)} s");
        string words = restarts ? "the server restarts, " + back : $"reconnecting, attempt {e.Attempt}";
        _ui.ShowLink(new LinkState(IsConnected: false, words));
        if (e.Attempt == 1)
        {
            string why = CloseWords.Describe(new ChatConnectionClosedException(e.Reason, e.ServerMessage)).TrimEnd('.');
            _ui.Write(LineKind.Warning, restarts ? $"The server restarts; {back}." : $"Connection lost: {why}; reconnecting…");
        }
    }

    private void OnReconnected(ReconnectedEventArgs e)
    {
        _ui.ShowLink(new LinkState(IsConnected: true, "connected"));
        RoomRecovery[] rooms = [.. e.Rooms.Where(room => _rooms.Contains(room.RoomId))];
        foreach (RoomRecovery room in rooms)
        {
            ShowMembers(room.RoomId);
            (LineKind kind, string words) = room switch
            {
                { IsMember: false } =>
                    (LineKind.Warning, $"Reconnected, but you are no longer in room {room.RoomId}: /exit, and join it again."),
                { IsRecovered: false } => (LineKind.Warning,
                    "Reconnected, but not everything that was said while you were away can be given: /history may have it."),
                { MissedMessages: 0 } => (LineKind.Info, "Reconnected, nothing was said while you were away."),
                { MissedMessages: 1 } => (LineKind.Unread, "Reconnected, 1 message while you were away"),
                _ => (LineKind.Unread, $"Reconnected, {room.MissedMessages} messages while you were away"),
            };
            _ui.Write(kind, words, room.RoomId);
        }

        if (rooms.Length == 0)
        {
            _ui.Write(LineKind.Info, "Reconnected.");
        }
    }

    private void ShowMembers(long roomId)
    {
        if (_rooms.Contains(roomId) && _client.FindRoom(roomId) is { } room)
        {
            _ui.ShowMembers(roomId, [.. room.Members.Select(static member => member.Name)]);
        }
    }
}

/// <summary>The players that the user has heard of, so that a name is enough to write to one. Thread-safe.</summary>
internal sealed class KnownPlayers
{
    // More than a person remembers; the player that was silent for longest is forgotten.
    private const int MaxHeard = 500;

    private readonly object _gate = new();
    private readonly List<Member> _heard = []; // the last one spoke last

    public void Note(long playerId, string name)
    {
        lock (_gate)
        {
            _heard.RemoveAll(player => player.PlayerId == playerId || player.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
            _heard.Add(new Member { PlayerId = playerId, Name = name });
            _heard.RemoveRange(0, Math.Max(_heard.Count - MaxHeard, 0));
        }
    }

    /// <summary>The members of rooms, and then other players that have said something, the last one first.</summary>
    public List<Member> With(IEnumerable<Member> members)
    {
        lock (_gate)
        {
            return [.. members.Concat(Enumerable.Reverse(_heard))
                .DistinctBy(static player => player.Name, StringComparer.OrdinalIgnoreCase)];
        }
    }

    /// <summary>Finds the player whose name a text begins with: the longest such name, because names may contain spaces.</summary>
    /// <param name="text">The name, alone or with a space behind it.</param>
    public static Member? FindAtStart(IEnumerable<Member> players, string text) => players
        .Where(player => text.StartsWith(player.Name, StringComparison.OrdinalIgnoreCase)
            && (text.Length == player.Name.Length || text[player.Name.Length] == ' '))
        .MaxBy(static player => player.Name.Length);
}
