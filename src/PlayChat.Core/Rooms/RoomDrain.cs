namespace PlayChat.Core.Rooms;

/// <summary>The callers that wait until a room has run and flushed what was queued before they asked.</summary>
/// <remarks>
/// <para>Invariant: a waiter is in <c>_waiting</c> until the first flush after it asked, then at most one flush longer in
/// <c>_deferred</c>, and then completes.</para>
/// <para>A timer that was due before a waiter asked does not pass through the queue, so the turn may have looked for timers before it
/// became due. Therefore a waiter is deferred while a timer is due, but only once: a room that lags always has a due timer.</para>
/// <para>A mutable struct: embed it and never copy it. Only the room's turn uses it.</para>
/// </remarks>
internal struct RoomDrain
{
    private List<TaskCompletionSource>? _waiting;
    private List<TaskCompletionSource>? _deferred;

    internal readonly bool IsAwaited => _waiting is not null || _deferred is not null;

    internal void Add(TaskCompletionSource waiter) => (_waiting ??= []).Add(waiter);

    /// <summary>Completes the waiters after a flush; those that asked since the last one only if no timer is due.</summary>
    internal void OnFlushed(bool isTimerDue)
    {
        Complete(ref _deferred);
        (_waiting, _deferred) = (null, _waiting);
        if (!isTimerDue)
        {
            Complete(ref _deferred);
        }
    }

    private static void Complete(ref List<TaskCompletionSource>? waiters)
    {
        waiters?.ForEach(static waiter => waiter.SetResult());
        waiters = null;
    }
}
