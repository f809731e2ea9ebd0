namespace PlayChat.Core.Rooms;

/// <summary>A function that runs in a room's turn, while a caller elsewhere awaits its result.</summary>
internal sealed class RoomRequest<TRoom, TResult>(Func<TRoom, TResult> function)
    where TRoom : Room
{
    private readonly TaskCompletionSource<TResult> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The job to post, with the request as its argument.</summary>
    internal static Action<TRoom, RoomRequest<TRoom, TResult>> Job { get; } = static (room, request) => request.RunIn(room);

    internal Task<TResult> Result => _result.Task;

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
