namespace PlayChat.Core.Rooms;

/// <summary>Knows which thread runs a room's turn, so that a call from elsewhere throws instead of racing with the turn.</summary>
/// <remarks>
/// Invariant: <c>_id</c> is the managed id of the thread in the turn, and 0 between turns. Until <see cref="EndCreation"/> it is the
/// thread that creates the room, because a constructor may set the room up. Any thread may ask.
/// </remarks>
internal sealed class TurnThread(long roomId, string roomName)
{
    private readonly int _creator = Environment.CurrentManagedThreadId;
    private int _id = Environment.CurrentManagedThreadId;

    /// <summary>Ends the creation of the room, unless a turn has begun already, because another thread has found the room.</summary>
    internal void EndCreation() => Interlocked.CompareExchange(ref _id, 0, _creator);

    internal void Begin() => _id = Environment.CurrentManagedThreadId;

    internal void End() => _id = 0;

    /// <summary>Throws unless the calling thread is in the turn.</summary>
    /// <param name="member">What was called.</param>
    /// <exception cref="InvalidOperationException">It is not.</exception>
    internal void Require(string member)
    {
        if (_id != Environment.CurrentManagedThreadId)
        {
            Throw(member);
        }
    }

    [DoesNotReturn]
    private void Throw(string member) => throw new InvalidOperationException(
        $"{member} was called outside the turn of room {roomId} ({roomName}), where it would race with the room's own code. Call it in a "
        + "hook, a job or a timer of the room: from other code, post a job (room.Post(r => r.…), or RequestAsync for a result). After an "
        + "await the turn is over, so post what follows.");
}
