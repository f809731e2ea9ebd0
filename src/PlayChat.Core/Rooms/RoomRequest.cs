namespace PlayChat.Core.Rooms;

/// <summary>A function that runs in a room's turn, while a caller elsewhere awaits its result.</summary>
/// <param name="function">The function.</param>
/// <param name="describe">Describes the request to a tape of the room. By default it is code that nothing can repeat.</param>
internal sealed class RoomRequest<TRoom, TResult>(Func<TRoom, TResult> function, Action<RoomTape>? describe = null) : IRoomInput
    where TRoom : Room
{
    private readonly TaskCompletionSource<TResult> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The job to post, with the request as its argument.</summary>
    internal static Action<TRoom, RoomRequest<TRoom, TResult>> Job { get; } = static (room, request) => request.RunIn(room);

    internal Task<TResult> Result => _result.Task;

    public void Describe(RoomTape tape)
    {
        if (describe is not null)
        {
            describe(tape);
        }
        else
        {
            tape.Code(DelegateName.Of(function));
        }
    }

    private void RunIn(TRoom room)
    {
        try
        {
            _result.SetResult(function(room));
        }
        catch (Exception e)
        {
            // The function is the caller's code, so the caller gets its exception.
            _result.SetException(e);
        }
    }
}
