namespace PlayChat.Core.Sessions;

/// <summary>A part that a session takes part in and that must learn of its changes: a room.</summary>
internal interface ISessionAttachment
{
    /// <summary>
    /// The session has ended, has become away, or has returned. Called on any thread; must not block. The attachment reads the session to
    /// learn what is true now (<see cref="Session.HasEnded"/>, <see cref="Session.Announced"/>), so calls may be late and out of order.
    /// When it is done with a session that has ended, it calls <see cref="Session.LetGo"/>.
    /// </summary>
    void OnSessionChanged(Session session);
}
