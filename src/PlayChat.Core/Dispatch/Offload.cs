namespace PlayChat.Core.Dispatch;

/// <summary>Moves blocking work off the thread that handles frames.</summary>
/// <remarks>
/// <para>
/// Handlers run on an event loop (the native transport, inline completions) or on the thread pool's few threads. A handler that blocks
/// delays other connections. A handler that returns a task delays only its own sender: <c>return Offload.Run(...)</c>.
/// </para>
/// <para>
/// <b>Copy the body first.</b> A frame is a view that cannot leave its handler; take out what the work needs, and give it as the state:
/// <c>(connection, frame, _) => Offload.Run((connection, Name: frame.ToArray()), static job => Save(job))</c>.
/// </para>
/// <para>
/// <b>To ask the sender</b> (<see cref="Connection.RequestAsync"/>), start the work and do not return or await its task: the sender's
/// answer is received only after the handler has returned, so a handler that awaits it waits until the request's timeout.
/// </para>
/// <para>Thread-safe. An exception that the work throws faults the task, and counts as the handler's fault.</para>
/// </remarks>
public static class Offload
{
    /// <summary>Runs work that blocks on the thread pool.</summary>
    /// <param name="state">Given to the work, so that it need not capture anything.</param>
    /// <param name="work">May block; may send, post to rooms and close.</param>
    /// <returns>Completes when the work has returned.</returns>
    public static ValueTask Run<TState>(TState state, Action<TState> work)
    {
        ArgumentNullException.ThrowIfNull(work);
        return new ValueTask(Task.Factory.StartNew(
            static job =>
            {
                var (state, work) = ((TState State, Action<TState> Work))job!;
                work(state);
            },
            (state, work),
            CancellationToken.None,
            TaskCreationOptions.DenyChildAttach,
            TaskScheduler.Default));
    }

    /// <summary>Runs work that may block before it first waits, or between, on the thread pool.</summary>
    /// <param name="state">Given to the work, so that it need not capture anything.</param>
    /// <param name="work">May block; may send, post to rooms and close.</param>
    /// <returns>Completes when the work's task has.</returns>
    public static ValueTask Run<TState>(TState state, Func<TState, Task> work)
    {
        ArgumentNullException.ThrowIfNull(work);
        return new ValueTask(Task.Factory.StartNew(
            static job =>
            {
                var (state, work) = ((TState State, Func<TState, Task> Work))job!;
                return work(state);
            },
            (state, work),
            CancellationToken.None,
            TaskCreationOptions.DenyChildAttach,
            TaskScheduler.Default).Unwrap());
    }
}
