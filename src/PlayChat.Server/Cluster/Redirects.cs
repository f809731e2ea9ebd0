using PlayChat.Core.Sessions;

namespace PlayChat.Server.Cluster;

/// <summary>Which clients go to another server by themselves when they are answered REDIRECT. The others are served here.</summary>
internal static class Redirects
{
    private const string Key = "playchat.follows-redirects";

    /// <summary>Notes what a client has said of itself in its login or resume.</summary>
    public static void Note(Session session, bool follows)
    {
        if (follows)
        {
            session.Items[Key] = true;
        }
    }

    /// <summary>Whether the client of a session follows redirects.</summary>
    public static bool AreFollowedBy(Session session) => session.Items.ContainsKey(Key);
}
