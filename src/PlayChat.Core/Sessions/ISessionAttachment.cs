namespace PlayChat.Core.Sessions;

/// <summary>Something a session takes part in and that must hear of its end: a room.</summary>
internal interface ISessionAttachment
{
    /// <summary>The session has ended. Called once, from any thread; must not block.</summary>
    void OnSessionEnded(Session session);
}
