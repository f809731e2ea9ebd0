using PlayChat.Core.Rooms;

namespace PlayChat.Players;

/// <summary>Brings the result of slow work back into a room's turn.</summary>
public static class RoomResultExtensions
{
    /// <summary>Posts a job to a room when work has ended. The room's turn does not wait for the work.</summary>
    /// <remarks>The job waits for a place in the room's queue if that is full. If the room was removed meanwhile, no job runs; the work
    /// has happened all the same.</remarks>
    /// <param name="work">The work, such as a call of a store.</param>
    /// <param name="room">The room.</param>
    /// <param name="then">Gets the result, in the room's turn.</param>
    /// <param name="failed">Gets the exception instead, in the room's turn.</param>
    public static void PostResult<TRoom, TResult>(
        this Task<TResult> work, TRoom room, Action<TRoom, TResult> then, Action<TRoom, Exception> failed)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(work);
        ArgumentNullException.ThrowIfNull(room);
        _ = PostAsync(); // never fails: exceptions of the work go to the job

        async Task PostAsync()
        {
            Action<TRoom> job;
            try
            {
                TResult result = await work.ConfigureAwait(false);
                job = r => then(r, result);
            }
            catch (Exception exception) // whatever the work throws is for the room to judge
            {
                job = r => failed(r, exception);
            }

            await room.PostAsync(job).ConfigureAwait(false);
        }
    }
}
