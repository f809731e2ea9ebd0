namespace PlayChat.Core.Rooms;

/// <summary>Queues work on a room. These are extension methods so that a job gets the room as its own type.</summary>
public static class RoomPosting
{
    /// <summary>Queues a job for the room's turn without waiting. Allocates nothing if <paramref name="job"/> is static.</summary>
    /// <param name="room">The room. It runs one job at a time, in the order of posting.</param>
    /// <param name="job">The job. An exception is logged, and the room keeps running.</param>
    /// <param name="argument">The job's argument.</param>
    /// <returns>
    /// <see langword="false"/> if the room's queue is full (<see cref="RoomOptions.QueueItems"/>) or the room was removed.
    /// </returns>
    public static bool Post<TRoom, TArgument>(this TRoom room, Action<TRoom, TArgument> job, TArgument argument)
        where TRoom : Room
        where TArgument : class?
    {
        ArgumentNullException.ThrowIfNull(room);
        ArgumentNullException.ThrowIfNull(job);
        return room.TryPost(RoomInvoker.Of<TRoom, TArgument>.Instance, job, argument, null);
    }

    /// <summary>Queues a job without an argument; see <see cref="Post{TRoom, TArgument}"/>.</summary>
    /// <returns><see langword="false"/> if the room's queue is full or the room was removed.</returns>
    public static bool Post<TRoom>(this TRoom room, Action<TRoom> job)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(job);
        return room.Post(static (TRoom r, Action<TRoom> run) => run(r), job);
    }

    /// <summary>
    /// Queues a job for the room's turn and waits while the queue is full. A handler that awaits it does not get the next frame of its peer
    /// meanwhile, so a room that lags slows its senders down.
    /// </summary>
    /// <param name="room">The room.</param>
    /// <param name="job">The job. An exception is logged, and the room keeps running.</param>
    /// <param name="first">The job's first argument.</param>
    /// <param name="second">The job's second argument.</param>
    /// <param name="cancellationToken">Stops waiting; the job then does not run.</param>
    /// <returns><see langword="false"/> if the room was removed.</returns>
    public static ValueTask<bool> PostAsync<TRoom, TFirst, TSecond>(
        this TRoom room, Action<TRoom, TFirst, TSecond> job, TFirst first, TSecond second, CancellationToken cancellationToken = default)
        where TRoom : Room
        where TFirst : class?
        where TSecond : class?
    {
        ArgumentNullException.ThrowIfNull(room);
        ArgumentNullException.ThrowIfNull(job);
        return room.PostAsync(RoomInvoker.Of<TRoom, TFirst, TSecond>.Instance, job, first, second, cancellationToken);
    }

    /// <summary>Queues a job with one argument and waits while the queue is full; see
    /// <see cref="PostAsync{TRoom, TFirst, TSecond}"/>.</summary>
    /// <returns><see langword="false"/> if the room was removed.</returns>
    public static ValueTask<bool> PostAsync<TRoom, TArgument>(
        this TRoom room, Action<TRoom, TArgument> job, TArgument argument, CancellationToken cancellationToken = default)
        where TRoom : Room
        where TArgument : class?
    {
        ArgumentNullException.ThrowIfNull(room);
        ArgumentNullException.ThrowIfNull(job);
        return room.PostAsync(RoomInvoker.Of<TRoom, TArgument>.Instance, job, argument, null, cancellationToken);
    }

    /// <summary>Runs a function in the room's turn and returns its result; waits while the room's queue is full.</summary>
    /// <param name="room">The room.</param>
    /// <param name="question">The function. The call throws what it throws, and the room keeps running.</param>
    /// <param name="cancellationToken">
    /// Stops waiting. The function then does not run if it was not queued yet; otherwise it runs and its result is lost.
    /// </param>
    /// <exception cref="RoomRemovedException">The room was removed before the function was queued.</exception>
    public static async ValueTask<TResult> RequestAsync<TRoom, TResult>(
        this TRoom room, Func<TRoom, TResult> question, CancellationToken cancellationToken = default)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(room);
        ArgumentNullException.ThrowIfNull(question);
        var request = new RoomRequest<TRoom, TResult>(question);
        return await room.PostAsync(RoomRequest<TRoom, TResult>.Job, request, cancellationToken).ConfigureAwait(false)
            ? await request.Result.WaitAsync(cancellationToken).ConfigureAwait(false)
            : throw new RoomRemovedException(room.Id);
    }
}
