using System.Collections.Concurrent;
using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>The rooms that the user is in, and what of their past is on the screen.</summary>
/// <remarks>Only <see cref="NoteShown"/> is thread-safe.</remarks>
internal sealed class OpenRooms(IRoomsUserInterface ui)
{
    // About two windows.
    private const int PageMessages = 50;

    // In the order in which they were entered.
    private readonly List<long> _ids = [];

    // What of each room's past is shown: everything from a sequence on.
    private readonly Dictionary<long, long> _shownFrom = [];

    // The last sequence of each room that is on the screen; events write it on the receive loop.
    private readonly ConcurrentDictionary<long, long> _shownUpTo = [];

    /// <summary>Their ids, in the order in which they were entered.</summary>
    public IReadOnlyList<long> Ids => _ids;

    public bool Contains(long roomId) => _ids.Contains(roomId);

    /// <summary>Notes the last message of a room that is on the screen.</summary>
    public void NoteShown(long roomId, long sequence) => _shownUpTo[roomId] = sequence;

    /// <summary>Joins a room and shows it.</summary>
    public async Task JoinAsync(ChatSession session, long roomId, CancellationToken cancellationToken)
    {
        SJoinRoomRes room = await session.Client.JoinRoomAsync(roomId, cancellationToken);
        var entry = new RoomEntry(room.RoomId, room.Name, room.Members, room.LatestSequence, room.History);
        bool isReturn = _ids.Contains(roomId);
        long seenUpTo = _shownUpTo.GetValueOrDefault(roomId);
        Open(session, entry); // at once: messages that arrive meanwhile belong behind the missed ones
        if (isReturn && await session.HasUnseenBeforeAsync(entry, seenUpTo, cancellationToken))
        {
            ui.Write(roomId, new ScreenLine(LineKind.Warning, "(some messages before these may be missing)"));
        }

        if (room.History.Count == 0 && room.LatestSequence > 1)
        {
            await ShowEarlierAsync(session, room.RoomId, cancellationToken);
        }
    }

    /// <summary>Shows a room that the user has entered.</summary>
    public void Open(ChatSession session, RoomEntry room)
    {
        if (_ids.Contains(room.Id))
        {
            Continue(session, room);
        }
        else
        {
            _ids.Add(room.Id);
            _shownFrom[room.Id] = room.History.Count > 0 ? room.History[0].Sequence : room.LatestSequence + 1;
            ui.OpenRoom(room.Id, room.Name, [.. room.History.Select(session.Feed.LineOf)]);
        }

        _shownUpTo.AddOrUpdate(room.Id, room.LatestSequence, (_, last) => Math.Max(last, room.LatestSequence));
        ui.ShowMembers(room.Id, [.. room.Members.Select(static member => member.Name)]);
    }

    /// <summary>Takes a room off the screen.</summary>
    public void Forget(long roomId)
    {
        _ids.Remove(roomId);
        _shownFrom.Remove(roomId);
        _shownUpTo.TryRemove(roomId, out _);
        ui.CloseRoom(roomId);
    }

    /// <summary>Shows one more page of a room's past, if there is one.</summary>
    /// <returns>Whether there is still more of it.</returns>
    public async Task<bool> ShowEarlierAsync(ChatSession session, long roomId, CancellationToken cancellationToken)
    {
        if (!_shownFrom.TryGetValue(roomId, out long shownFrom) || shownFrom <= 1)
        {
            return false;
        }

        SRoomHistoryRes page = await session.Client.ReadHistoryBeforeAsync(roomId, shownFrom, PageMessages, cancellationToken);
        bool hasMore = page is { More: true, Messages.Count: > 0 };
        _shownFrom[roomId] = hasMore ? page.Messages[0].Sequence : 1;
        var lines = new List<ScreenLine>();
        if (!page.Complete)
        {
            lines.Add(new ScreenLine(
                LineKind.Warning, "(some messages are missing here: the server has not stored them yet, or could not)"));
        }

        lines.AddRange(page.Messages.Select(session.Feed.LineOf));
        ui.WriteEarlier(roomId, lines);
        return hasMore;
    }

    // What is on the screen already does not come again.
    private void Continue(ChatSession session, RoomEntry room)
    {
        long shownUpTo = _shownUpTo.GetValueOrDefault(room.Id);
        ui.MarkUnread(room.Id);
        foreach (SRoomChatNtf message in room.History.Where(message => message.Sequence > shownUpTo && !message.System))
        {
            ui.Write(room.Id, session.Feed.LineOf(message));
        }
    }
}
