namespace PlayChat.Core.Connections;

/// <summary>
/// What a <see cref="SendLoop"/> asks of the object in which it is embedded. Not called while the link takes each send at once.
/// </summary>
internal interface ISendOwner
{
    /// <summary>Why the connection closes, for a link that can tell its peer.</summary>
    CloseReason CloseReason { get; }

    /// <summary>Calls <see cref="SendLoop.OnCompleted"/>: the continuation of a send that did not complete at once.</summary>
    void OnSendCompleted();

    /// <summary>Calls <see cref="SendLoop.Run"/> on the thread pool.</summary>
    void SendLater();

    /// <summary>A send failed: the link has ended, or its transport threw.</summary>
    void OnSendFailed(CloseReason reason);

    /// <summary>Logs an exception of a transport.</summary>
    void OnSendFault(Exception exception);
}
