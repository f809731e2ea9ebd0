using System.Globalization;
using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>Shows what was said in the room before: the last messages at the entry, and further back a page at a time.</summary>
internal sealed class RoomPast(ChatSession session, RoomEntry room, IUserInterface ui)
{
    // About what a terminal shows at once.
    private const int PageMessages = 20;

    /// <summary>Shows what came with the entry.</summary>
    public void ShowLast()
    {
        session.Feed.GoBackFrom(room.History.Count > 0 ? room.History[0].Sequence : room.LatestSequence + 1);
        foreach (SRoomChatNtf message in room.History)
        {
            ui.Write(session.Feed.LineOf(message));
        }
    }

    /// <summary>Shows the page before what was shown last.</summary>
    /// <exception cref="ChatConnectionClosedException">The connection ended.</exception>
    public async Task ShowEarlierAsync(CancellationToken cancellationToken)
    {
        SRoomHistoryRes page;
        try
        {
            page = await session.Client.ReadHistoryBeforeAsync(room.Id, session.Feed.ShownFrom, PageMessages, cancellationToken);
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException)
        {
            ui.Write(new ScreenLine(LineKind.Warning, e.Message));
            return;
        }

        if (page.Messages.Count > 0)
        {
            session.Feed.GoBackFrom(page.Messages[0].Sequence);
            ui.Write(new ScreenLine(LineKind.Title, string.Create(CultureInfo.InvariantCulture, $"{page.Messages.Count} earlier {Noun(page.Messages.Count)}")));
            foreach (SRoomChatNtf message in page.Messages)
            {
                ui.Write(session.Feed.LineOf(message));
            }
        }

        if (!page.Complete)
        {
            ui.Write(new ScreenLine(LineKind.Warning, "(some messages are missing here: the server has not stored them yet, or could not)"));
        }

        ui.Write(new ScreenLine(LineKind.Info, page.More ? "There is more: /history goes further back." : "Nothing was said before that."));
    }

    private static string Noun(int count) => count == 1 ? "message" : "messages";
}
