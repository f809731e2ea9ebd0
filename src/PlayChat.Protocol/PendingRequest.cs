namespace PlayChat.Protocol;

/// <summary>A request that waits for its answer.</summary>
internal abstract class PendingRequest
{
    /// <returns>False when <paramref name="answer"/> is not the kind of message that answers this request; nothing has changed then.</returns>
    public abstract bool TryComplete(object answer);

    public abstract void Fail(Exception exception);
}
