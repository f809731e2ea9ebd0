namespace PlayChat.Core.Rooms;

/// <summary>Something that is found out in a room's turn and awaited elsewhere.</summary>
internal sealed class RoomQuestion<TRoom, TResult>(Func<TRoom, TResult> question)
    where TRoom : Room
{
    private readonly TaskCompletionSource<TResult> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>What is posted, with the question as its first argument.</summary>
    internal static Action<TRoom, RoomQuestion<TRoom, TResult>, object?> Job { get; } = static (room, question, _) => question.AnswerIn(room);

    internal Task<TResult> Answer => _answer.Task;

    private void AnswerIn(TRoom room)
    {
        try
        {
            _answer.SetResult(question(room));
        }
        catch (Exception e)
        {
            // Whatever it is, it belongs to the one who asks.
            _answer.SetException(e);
        }
    }
}
