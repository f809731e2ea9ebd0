namespace PlayChat.Core.Rooms;

/// <summary>Queues work on a room, and finds the rooms of a session.</summary>
/// <remarks>These are extension methods so that a job gets the room as its own type.</remarks>
public static class RoomExtensions
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
        return room.TryPost(RoomInvoker.Of<TRoom, TArgument>.Instance, job, argument);
    }

    /// <summary>
    /// Queues a job without an argument; see <see cref="Post{TRoom, TArgument}(TRoom, Action{TRoom, TArgument}, TArgument)"/>.
    /// </summary>
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
    /// <param name="argument">The job's argument.</param>
    /// <param name="cancellationToken">Stops waiting; the job then does not run.</param>
    /// <returns><see langword="false"/> if the room was removed.</returns>
    public static ValueTask<bool> PostAsync<TRoom, TArgument>(
        this TRoom room, Action<TRoom, TArgument> job, TArgument argument, CancellationToken cancellationToken = default)
        where TRoom : Room
        where TArgument : class?
    {
        ArgumentNullException.ThrowIfNull(room);
        ArgumentNullException.ThrowIfNull(job);
        return room.PostAsync(RoomInvoker.Of<TRoom, TArgument>.Instance, job, argument, cancellationToken);
    }

    /// <summary>
    /// Queues a job without an argument; see
    /// <see cref="PostAsync{TRoom, TArgument}(TRoom, Action{TRoom, TArgument}, TArgument, CancellationToken)"/>.
    /// </summary>
    /// <returns><see langword="false"/> if the room was removed.</returns>
    public static ValueTask<bool> PostAsync<TRoom>(this TRoom room, Action<TRoom> job, CancellationToken cancellationToken = default)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(job);
        return room.PostAsync(static (TRoom r, Action<TRoom> run) => run(r), job, cancellationToken);
    }

    /// <summary>
    /// Queues a job that a recording of the room can repeat, without waiting; see
    /// <see cref="Post{TRoom, TArgument}(TRoom, Action{TRoom, TArgument}, TArgument)"/>.
    /// </summary>
    /// <returns><see langword="false"/> if the room's queue is full or the room was removed.</returns>
    public static bool Post<TRoom, TArgument>(this TRoom room, RoomJob<TRoom, TArgument> job, TArgument argument)
        where TRoom : Room
        where TArgument : class?
    {
        ArgumentNullException.ThrowIfNull(room);
        ArgumentNullException.ThrowIfNull(job);
        return room.TryPost(job.Invoker, job.Code, argument);
    }

    /// <summary>
    /// Queues a job that a recording of the room can repeat; see
    /// <see cref="PostAsync{TRoom, TArgument}(TRoom, Action{TRoom, TArgument}, TArgument, CancellationToken)"/>.
    /// </summary>
    /// <returns><see langword="false"/> if the room was removed.</returns>
    public static ValueTask<bool> PostAsync<TRoom, TArgument>(
        this TRoom room, RoomJob<TRoom, TArgument> job, TArgument argument, CancellationToken cancellationToken = default)
        where TRoom : Room
        where TArgument : class?
    {
        ArgumentNullException.ThrowIfNull(room);
        ArgumentNullException.ThrowIfNull(job);
        return room.PostAsync(job.Invoker, job.Code, argument, cancellationToken);
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

    /// <summary>Finds the room of a given type in which a session is a member.</summary>
    /// <param name="session">The session.</param>
    /// <param name="id">The room's id. Default: of several rooms, the one that the session entered last.</param>
    /// <remarks>Thread-safe, takes no lock. The session may leave the room, or the room may be removed, at the same time.</remarks>
    /// <returns>The room; <see langword="null"/> if there is none.</returns>
    public static TRoom? FindRoom<TRoom>(this Session session, long? id = null)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(session);
        ReadOnlySpan<ISessionAttachment> attachments = session.Attachments;
        for (int i = attachments.Length - 1; i >= 0; i--)
        {
            if (attachments[i] is TRoom room && (id is null || room.Id == id))
            {
                return room;
            }
        }

        return null;
    }

    /// <summary>Finds the rooms of a given type in which a session is a member, in the order in which it entered them.</summary>
    /// <remarks>Thread-safe. The list is what was true at the call: the session may enter and leave rooms meanwhile.</remarks>
    public static IReadOnlyList<TRoom> FindRooms<TRoom>(this Session session)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(session);
        return [.. session.Attachments.ToArray().OfType<TRoom>()];
    }
}
