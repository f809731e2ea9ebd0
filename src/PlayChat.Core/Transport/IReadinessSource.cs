namespace PlayChat.Core.Transport;

/// <summary>A link that tells its reader by a call when there is something to receive, where <see cref="TransportConnection.WaitForDataAsync"/> takes a task and a delegate of the reader's own.</summary>
internal interface IReadinessSource
{
    /// <summary>Has the reader executed once a receive would give something (or the end) at once. In place of <see cref="TransportConnection.WaitForDataAsync"/>, and under its rules.</summary>
    /// <returns><see langword="false"/> when it would already: the reader is not called, it goes on. Otherwise it may have been called, on another thread.</returns>
    bool TryWaitForData(IThreadPoolWorkItem reader);
}
