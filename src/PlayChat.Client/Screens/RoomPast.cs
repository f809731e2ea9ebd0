using System.Globalization;
using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>Shows what was said in the room before: the last messages at the entry, and further back a page at a time.</summary>
internal sealed class RoomPast(ChatSession session, RoomEntry room, IUserInterface ui)
{
    // About what a terminal shows at once.
    private const int PageMessages = 20;

    private static readonly ScreenLine s_gap = new(
        LineKind.Warning, "(messages may be missing here: the server ended without a stop, and may not have stored the last ones)");

    /// <summary>Shows what came with the entry; when nothing did, what the server has stored, for its memory may be younger than the
    /// room.</summary>
    /// <exception cref="ChatConnectionClosedException">The connection ended.</exception>
    public async Task ShowLastAsync(CancellationToken cancellationToken)
    {
        session.Feed.GoBackFrom(room.History.Count > 0 ? room.History[0].Sequence : room.LatestSequence + 1);
        if (room.IsReturn)
        {
            await ShowMissedAsync(cancellationToken);
            return;
        }

        Write(room.History, []);

        // The first of all is the user's own join.
        if (room.History.Count == 0 && room.LatestSequence > 1 && await ReadEarlierAsync(cancellationToken) is { } page)
        {
            Show(page);
        }
    }

    /// <summary>Shows the page before what was shown last.</summary>
    /// <exception cref="ChatConnectionClosedException">The connection ended.</exception>
    public async Task ShowEarlierAsync(CancellationToken cancellationToken)
    {
        if (await ReadEarlierAsync(cancellationToken) is not { } page)
        {
            return;
        }

        if (page.Messages.Count > 0)
        {
            ui.Write(new ScreenLine(
                LineKind.Title, string.Create(CultureInfo.InvariantCulture, $"{page.Messages.Count} earlier {Noun(page.Messages.Count)}")));
        }

        Show(page);
        ui.Write(new ScreenLine(LineKind.Info, page.More ? "There is more: /history goes further back." : "Nothing was said before that."));
    }

    private async Task ShowMissedAsync(CancellationToken cancellationToken)
    {
        SRoomChatNtf[] missed = [.. room.History.Where(message => message.Sequence > room.SeenUpTo && !message.System)];
        if (await session.HasUnseenBeforeAsync(room, room.SeenUpTo, cancellationToken))
        {
            ui.Write(new ScreenLine(LineKind.Warning, "(some messages may be missing here; /history may have them)"));
        }

        if (missed.Length > 0)
        {
            ui.Write(new ScreenLine(LineKind.Unread, "new"));
            Write(missed, []);
        }
    }

    private async Task<SRoomHistoryRes?> ReadEarlierAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await session.Client.ReadHistoryBeforeAsync(room.Id, session.Feed.ShownFrom, PageMessages, cancellationToken);
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException)
        {
            ui.Write(new ScreenLine(LineKind.Warning, e.Message));
            return null;
        }
    }

    private void Show(SRoomHistoryRes page)
    {
        if (page.Messages.Count > 0)
        {
            session.Feed.GoBackFrom(page.Messages[0].Sequence);
        }

        Write(page.Messages, page.Gaps);
        if (!page.Complete && page.Gaps.Count == 0)
        {
            ui.Write(
                new ScreenLine(LineKind.Warning, "(some messages are missing here: the server has not stored them yet, or could not)"));
        }
    }

    /// <summary>Shows messages, and the places between them at which some may be missing.</summary>
    private void Write(IEnumerable<SRoomChatNtf> messages, IEnumerable<HistoryGap> gaps)
    {
        var ahead = new Queue<HistoryGap>(gaps);
        foreach (SRoomChatNtf message in messages)
        {
            if (ahead.TryPeek(out HistoryGap? gap) && gap.BeforeSequence <= message.Sequence)
            {
                ahead.Dequeue();
                ui.Write(s_gap);
            }

            ui.Write(session.Feed.LineOf(message));
        }

        foreach (HistoryGap _ in ahead)
        {
            ui.Write(s_gap);
        }
    }

    private static string Noun(int count) => count == 1 ? "message" : "messages";
}
