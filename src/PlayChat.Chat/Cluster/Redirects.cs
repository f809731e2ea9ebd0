namespace PlayChat.Chat.Cluster;

/// <summary>Which clients go to another server by themselves when they are answered REDIRECT. The others are served here.</summary>
internal static class Redirects
{
    private const string FollowsKey = "playchat.follows-redirects";
    private const string StaysKey = "playchat.stays-for-a-join";

    /// <summary>Notes what a client has said of itself in its login.</summary>
    public static void NoteLogin(Session session, bool follows)
    {
        if (follows)
        {
            session.Items[FollowsKey] = true;
        }
    }

    /// <summary>Notes what a client has said of itself in its resume. Another server may have sent it here.</summary>
    public static void NoteResume(Session session, bool follows)
    {
        NoteLogin(session, follows);
        NoteSent(session);
    }

    /// <summary>
    /// Notes that a join was answered REDIRECT. If the client does not reach the other server, it sends the join again, here or to a third
    /// one where it resumes.
    /// </summary>
    public static void NoteSent(Session session) => session.Items[StaysKey] = true;

    /// <summary>
    /// Whether a join of this session is served where it is, because it may have been redirected before. The next one is not.
    /// </summary>
    public static bool TakeStay(Session session) => session.Items.Remove(StaysKey);

    public static bool AreFollowedBy(Session session) => session.Items.ContainsKey(FollowsKey);
}
