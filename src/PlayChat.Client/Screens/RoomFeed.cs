using System.Globalization;
using PlayChat.Client.Interaction;
using PlayChat.Client.Text;
using PlayChat.Core;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>Shows what happens in the room that the user is in, and what is said to the user alone, as it arrives.</summary>
/// <remarks>
/// What follows the answer to a join may arrive before the client has shown the room, so it is held back from the moment a room is
/// asked for until the room is open. Thread-safe.
/// </remarks>
internal sealed class RoomFeed(IUserInterface ui, TimeProvider time)
{
    // Held for the moment between an answer and its display; the oldest go if it should ever be more.
    private const int MaxHeldLines = 1000;

    private readonly object _gate = new();
    private readonly Queue<(long RoomId, ScreenLine Line)> _held = new();
    private bool _holds;
    private long _openRoomId;
    private long _shownFrom = long.MaxValue;
    private ChatClient? _client;

    /// <summary>The sequence from which on everything has been shown: what lies before it is still to be read.</summary>
    public long ShownFrom
    {
        get
        {
            lock (_gate)
            {
                return _shownFrom;
            }
        }
    }

    /// <summary>The players whose messages have come.</summary>
    public KnownPlayers Players { get; } = new();

    /// <summary>Raised for each direct message before it is shown, because a user that reads it may complete the sender's name.</summary>
    public event EventHandler? DirectChatCame;

    /// <summary>Listens to a client that has not entered a room yet.</summary>
    public void Attach(ChatClient client)
    {
        _client = client;
        client.ChatReceived += (_, e) => OnChat(e);
        client.MemberJoined += (_, e) => OnJoined(e);
        client.DirectChatReceived += (_, e) => OnDirect(e);
        client.Reconnecting += (_, e) => OnReconnecting(e);
        client.Reconnected += (_, e) => OnReconnected(e);
        client.ServerNotice += (_, e) => ui.Write(new ScreenLine(LineKind.Warning, e.Message));
    }

    /// <summary>A room is about to be asked for: what comes is held back.</summary>
    public void Hold()
    {
        lock (_gate)
        {
            _holds = true;
        }
    }

    /// <summary>The room has been shown: what was held back follows, and what comes from now on.</summary>
    public void Open(long roomId)
    {
        lock (_gate)
        {
            _openRoomId = roomId;
            Release();
        }
    }

    /// <summary>The room was refused: the one that is open, if any, continues.</summary>
    public void Release()
    {
        lock (_gate)
        {
            _holds = false;
            while (_held.TryDequeue(out (long RoomId, ScreenLine Line) held))
            {
                ShowIfOpen(held.RoomId, held.Line);
            }
        }
    }

    /// <summary>Everything from a sequence on has been shown.</summary>
    public void GoBackFrom(long sequence)
    {
        lock (_gate)
        {
            _shownFrom = sequence;
        }
    }

    /// <summary>A message as a line. Its player is known from then on.</summary>
    public ScreenLine LineOf(SRoomChatNtf message)
    {
        if (!message.System)
        {
            Players.Note(message.PlayerId, message.PlayerName);
        }

        LineKind kind = message.System ? LineKind.Event : message.PlayerId == _client!.Login?.PlayerId ? LineKind.OwnChat : LineKind.Chat;
        return new ScreenLine(
            kind, message.Text, message.PlayerName, LocalTime(message.SentAtUnixMs),
            IsMention: kind == LineKind.Chat && Mention.IsIn(message.Text, _client!.Login?.Name ?? ""));
    }

    /// <summary>The user is in no room.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _openRoomId = 0;
            _holds = false;
            _held.Clear();
        }
    }

    private void OnChat(ChatReceivedEventArgs e) => Take(e.Message.RoomId, e.Message.Sequence, e.MissedBefore, LineOf(e.Message));

    private void OnDirect(DirectChatReceivedEventArgs e)
    {
        Players.Note(e.PlayerId, e.PlayerName);
        DirectChatCame?.Invoke(this, EventArgs.Empty);
        ui.Write(new ScreenLine(LineKind.Direct, $"[from {e.PlayerName}] {e.Text}", At: LocalTime(e.SentAtUnixMs)));
    }

    private void OnJoined(MemberJoinedEventArgs e)
    {
        SJoinRoomNtf message = e.Message;
        Take(message.RoomId, message.Sequence, e.MissedBefore, e.IsReturn
            ? null
            : new ScreenLine(LineKind.Event, $"{message.Member?.Name} has joined the room.", At: time.GetLocalNow()));
    }

    private void OnReconnecting(ReconnectingEventArgs e)
    {
        if (e is { Attempt: 1, Reason: CloseReason.ServerShutdown })
        {
            ui.Write(new ScreenLine(
                LineKind.Warning,
                string.Create(
                    CultureInfo.InvariantCulture, $"The server restarts; back in about {Math.Ceiling(e.Delay.TotalSeconds)} s.")));
        }
        else if (e.Attempt == 1)
        {
            string why = CloseWords.Describe(new ChatConnectionClosedException(e.Reason, e.ServerMessage)).TrimEnd('.');
            ui.Write(new ScreenLine(LineKind.Warning, $"Connection lost: {why}; reconnecting…"));
        }
    }

    private void OnReconnected(ReconnectedEventArgs e)
    {
        RoomRecovery? room;
        lock (_gate)
        {
            room = e.Rooms.FirstOrDefault(recovery => recovery.RoomId == _openRoomId);
        }

        ui.Write(room switch
        {
            null => new ScreenLine(LineKind.Info, "Reconnected."),
            { IsMember: false } =>
                new ScreenLine(LineKind.Warning, $"Reconnected, but you are no longer in room {room.RoomId}: /exit, and join it again."),
            { IsRecovered: false } => new ScreenLine(
                LineKind.Warning, "Reconnected, but not everything that was said while you were away can be given: /history may have it."),
            { MissedMessages: 0 } => new ScreenLine(LineKind.Info, "Reconnected, nothing was said while you were away."),
            { MissedMessages: 1 } => new ScreenLine(LineKind.Unread, "Reconnected, 1 message while you were away"),
            _ => new ScreenLine(LineKind.Unread,
                string.Create(CultureInfo.InvariantCulture, $"Reconnected, {room.MissedMessages} messages while you were away")),
        });
    }

    private void Take(long roomId, long sequence, long missedBefore, ScreenLine? line)
    {
        lock (_gate)
        {
            if (missedBefore > 0)
            {
                _shownFrom = roomId == _openRoomId ? sequence : _shownFrom;
                Put(roomId, new ScreenLine(LineKind.Warning, $"({missedBefore} messages are missing here; /history may have them)"));
            }

            if (line is not null)
            {
                Put(roomId, line);
            }
        }
    }

    private void Put(long roomId, ScreenLine line)
    {
        if (!_holds)
        {
            ShowIfOpen(roomId, line);
            return;
        }

        if (_held.Count == MaxHeldLines)
        {
            _held.Dequeue();
        }

        _held.Enqueue((roomId, line));
    }

    private void ShowIfOpen(long roomId, ScreenLine line)
    {
        if (roomId == _openRoomId)
        {
            ui.Write(line);
        }
    }

    // The server's clock is data from outside: a time that no calendar has is now.
    private DateTimeOffset LocalTime(long unixMs)
    {
        bool exists = unixMs >= DateTimeOffset.MinValue.AddDays(2).ToUnixTimeMilliseconds()
            && unixMs <= DateTimeOffset.MaxValue.AddDays(-2).ToUnixTimeMilliseconds();
        return exists ? TimeZoneInfo.ConvertTime(DateTimeOffset.FromUnixTimeMilliseconds(unixMs), time.LocalTimeZone) : time.GetLocalNow();
    }
}
