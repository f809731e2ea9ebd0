namespace PlayChat.Core.Transport;

/// <summary>A <see cref="TransportConnection"/> that calls its reader directly when there is something to receive.</summary>
/// <remarks>
/// Optional. It replaces <see cref="TransportConnection.WaitForDataAsync"/>, whose task and continuation delegate cost two more objects
/// that are cold when a link's turn comes.
/// </remarks>
public interface IReadinessSource
{
    /// <summary>
    /// Executes the reader once, as soon as a receive would return at once with bytes or with the end. One call at a time, and not while
    /// <see cref="TransportConnection.WaitForDataAsync"/> or a receive is under way.
    /// </summary>
    /// <param name="reader">Must not throw: an exception closes the link.</param>
    /// <returns>
    /// <see langword="false"/> when a receive would already return at once: the reader is then not executed, and the caller continues.
    /// Otherwise the reader may have run on another thread before this method returns.
    /// </returns>
    bool TryWaitForData(IThreadPoolWorkItem reader);
}
