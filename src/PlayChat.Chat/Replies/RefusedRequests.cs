using PlayChat.Core;

namespace PlayChat.Chat.Replies;

/// <summary>Counts the requests of a session that were refused before its login, and closes a session that sends too many.</summary>
internal static class RefusedRequests
{
    // Without a bound, a client that ignores the answers would be answered endlessly.
    private const int MaxBeforeLogin = 16;
    private const string CountKey = "playchat.refused-before-login";

    /// <summary>Counts one request whose refusal cost its sender nothing.</summary>
    public static void Count(Session session)
    {
        int refused = session.Items.TryGetValue(CountKey, out object? before) ? (int)before! + 1 : 1;
        session.Items[CountKey] = refused;
        if (refused >= MaxBeforeLogin)
        {
            CloseNotices.TellAndClose(session.Connection, CloseReason.LoginRequired);
        }
    }
}
