namespace PlayChat.Core.Rooms;

/// <summary>Ways to queue work on a room. They are extensions so that a job gets the room as the type it is.</summary>
public static class RoomPosting
{
    /// <summary>Queues a job for the room's turn. Never waits, allocates nothing when <paramref name="job"/> is static.</summary>
    /// <param name="room">Where it runs: alone, in the order of posting.</param>
    /// <param name="job">What it throws is logged and costs nothing else.</param>
    /// <param name="first">The job's first argument.</param>
    /// <param name="second">The job's second argument.</param>
    /// <returns><see langword="false"/> when the room's queue is full (<see cref="RoomOptions.QueueItems"/>) or the room was removed.</returns>
    public static bool Post<TRoom, TFirst, TSecond>(this TRoom room, Action<TRoom, TFirst, TSecond> job, TFirst first, TSecond second)
        where TRoom : Room
        where TFirst : class?
        where TSecond : class?
    {
        ArgumentNullException.ThrowIfNull(room);
        ArgumentNullException.ThrowIfNull(job);
        return room.TryPost(room.ItemOf(RoomInvoker.Of<TRoom, TFirst, TSecond>.Instance, job, first, second));
    }

    /// <summary>Queues a job without arguments; see <see cref="Post{TRoom, TFirst, TSecond}"/>.</summary>
    /// <returns><see langword="false"/> when the room's queue is full or the room was removed.</returns>
    public static bool Post<TRoom>(this TRoom room, Action<TRoom> job)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(job);
        return room.Post(static (TRoom r, Action<TRoom> run, object? _) => run(r), job, null);
    }

    /// <summary>
    /// Queues a job for the room's turn, and waits while the queue is full: a handler that awaits it is not given the next frame
    /// of its peer meanwhile, so a room that is late slows its senders down.
    /// </summary>
    /// <param name="room">Where it runs.</param>
    /// <param name="job">What it throws is logged and costs nothing else.</param>
    /// <param name="first">The job's first argument.</param>
    /// <param name="second">The job's second argument.</param>
    /// <param name="cancellationToken">Gives up waiting; the job then does not run.</param>
    /// <returns><see langword="false"/> when the room was removed.</returns>
    public static ValueTask<bool> PostAsync<TRoom, TFirst, TSecond>(
        this TRoom room, Action<TRoom, TFirst, TSecond> job, TFirst first, TSecond second, CancellationToken cancellationToken = default)
        where TRoom : Room
        where TFirst : class?
        where TSecond : class?
    {
        ArgumentNullException.ThrowIfNull(room);
        ArgumentNullException.ThrowIfNull(job);
        return room.PostAsync(room.ItemOf(RoomInvoker.Of<TRoom, TFirst, TSecond>.Instance, job, first, second), cancellationToken);
    }

    /// <summary>Has something found out or done in the room's turn, and waits for it; waits while the room's queue is full.</summary>
    /// <param name="room">Where it runs.</param>
    /// <param name="question">What it throws is thrown here, and concerns the room no further.</param>
    /// <param name="cancellationToken">Gives up waiting: for a place in the queue, and the question is not asked; or for the answer, which is then lost.</param>
    /// <exception cref="RoomRemovedException">The room was removed before it was asked.</exception>
    public static async ValueTask<TResult> RequestAsync<TRoom, TResult>(
        this TRoom room, Func<TRoom, TResult> question, CancellationToken cancellationToken = default)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(room);
        ArgumentNullException.ThrowIfNull(question);
        var asked = new RoomQuestion<TRoom, TResult>(question);
        return await room.PostAsync(RoomQuestion<TRoom, TResult>.Job, asked, null, cancellationToken).ConfigureAwait(false)
            ? await asked.Answer.WaitAsync(cancellationToken).ConfigureAwait(false)
            : throw new RoomRemovedException(room.Id);
    }
}
