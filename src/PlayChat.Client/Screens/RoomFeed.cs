using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>Shows what happens in the room that the user is in, as it arrives.</summary>
/// <remarks>
/// What follows the answer to a join may arrive before the one who asked has shown the room, so it is held back from the moment a room is asked
/// for until the room is open. Thread-safe.
/// </remarks>
internal sealed class RoomFeed(IUserInterface ui, TimeProvider time)
{
    // Held for the moment between an answer and its display; the oldest go if it should ever be more.
    private const int MaxHeldLines = 1000;

    private readonly object _gate = new();
    private readonly Queue<(long RoomId, ScreenLine Line)> _held = new();
    private bool _holds;
    private long _openRoomId;
    private ChatClient? _client;

    /// <summary>Listens to a client that has not entered a room yet.</summary>
    public void Attach(ChatClient client)
    {
        _client = client;
        client.ChatReceived += (_, e) => OnChat(e);
        client.MemberJoined += (_, e) => OnJoined(e);
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
            _holds = false;
            while (_held.TryDequeue(out (long RoomId, ScreenLine Line) held))
            {
                ShowIfOpen(held.RoomId, held.Line);
            }
        }
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

    private void OnChat(ChatReceivedEventArgs e)
    {
        SRoomChatNtf message = e.Message;
        LineKind kind = message.System ? LineKind.Event : message.PlayerId == _client!.Login?.PlayerId ? LineKind.OwnChat : LineKind.Chat;
        Take(message.RoomId, e.MissedBefore, new ScreenLine(kind, message.Text, message.PlayerName, LocalTime(message.SentAtUnixMs)));
    }

    private void OnJoined(MemberJoinedEventArgs e)
    {
        SJoinRoomNtf message = e.Message;
        Take(message.RoomId, e.MissedBefore, new ScreenLine(LineKind.Event, $"{message.Member?.Name} has joined the room.", At: time.GetLocalNow()));
    }

    private void Take(long roomId, long missedBefore, ScreenLine line)
    {
        lock (_gate)
        {
            if (missedBefore > 0)
            {
                Put(roomId, new ScreenLine(LineKind.Warning, $"({missedBefore} messages are missing here)"));
            }

            Put(roomId, line);
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
