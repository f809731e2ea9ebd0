namespace PlayChat.Server.Rooms;

/// <summary>Something that is found out in a room's turn and awaited elsewhere.</summary>
internal sealed class RoomQuestion<TAnswer>(Func<ChatRoom, TAnswer> question)
{
    private readonly TaskCompletionSource<TAnswer> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<TAnswer> Answer => _answer.Task;

    public void AnswerIn(ChatRoom room)
    {
        try
        {
            _answer.SetResult(question(room));
        }
        catch (Exception e)
        {
            _answer.SetException(e); // for the one who asks; nobody else would tell him
        }
    }
}
