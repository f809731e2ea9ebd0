using System.Runtime.ExceptionServices;
using System.Threading.Tasks.Sources;

namespace PlayChat.Core.Connections;

/// <summary>A request that waits for its answer. The caller awaits this object itself, which is used once.</summary>
/// <remarks>
/// <para>
/// Invariants: the code that takes the request out of its <see cref="RequestTable"/> completes it, once. The continuation runs on the
/// thread pool in every case, and never in the call that completes the request, which may be the receive loop's.
/// </para>
/// <para>
/// Why no <see cref="ManualResetValueTaskSourceCore{TResult}"/>: it runs the continuation when it takes the result. Here the request is
/// complete at once, and the continuations of all answers that arrived together run as one work item.
/// </para>
/// </remarks>
/// <param name="answerId">The kind of packet that answers it.</param>
internal abstract class OpenRequest(ushort answerId) : IThreadPoolWorkItem
{
    private static readonly Action<object?> s_completed = static _ => { };

    private object? _state;
    private Action<object?>? _continuation; // s_completed when the request completed before there was one
    private OpenRequest? _next; // of the first request of a run: the next one that the run continues
    private volatile bool _isCompleted;

    /// <summary>What its answer carries. Unique among those of its connection that wait.</summary>
    internal ushort Id { get; set; }

    /// <summary>The kind of packet that answers it.</summary>
    internal ushort AnswerId => answerId;

    /// <summary>
    /// The packet that came with its id last and that no request has ever awaited; <see langword="null"/> for none. It may be the answer,
    /// of another kind than awaited.
    /// </summary>
    internal ushort? OtherPacketId { get; set; }

    /// <summary>When it times out, in ticks of the clock; <see cref="long.MaxValue"/> for never.</summary>
    internal long Deadline { get; set; } = long.MaxValue;

    /// <summary>Why there is no answer; set before the request completes.</summary>
    internal Exception? Error { get; private set; }

    /// <summary>Whether it has an answer or an error.</summary>
    internal bool IsCompleted => _isCompleted;

    /// <summary>The next request of the run that this one begins; <see langword="null"/> when the run ends with the present one.</summary>
    internal OpenRequest? NextOfRun => Volatile.Read(ref _next);

    /// <summary>Says that there is no answer in time. The request has left its table.</summary>
    internal abstract Exception CreateTimeout();

    /// <summary>Takes the answer, of any kind. Once; what it throws fails the request.</summary>
    protected abstract void OnAnswer(in Frame frame);

    /// <summary>Called when the request has left its table for another reason than a cancellation. Must not throw.</summary>
    protected virtual void OnDecided()
    {
    }

    /// <summary>Completes the request with its answer.</summary>
    /// <returns>Whether a continuation waits, which the caller has run: see <see cref="Continue"/>.</returns>
    internal bool Answer(in Frame frame)
    {
        try
        {
            OnAnswer(in frame);
        }
        catch (Exception e)
        {
            Error = e; // the application's codec threw: that fails the request, not the receive loop
        }

        OnDecided();
        return Complete();
    }

    /// <summary>Completes the request without an answer.</summary>
    internal void Fail(Exception error)
    {
        Error = error;
        OnDecided();
        if (Complete())
        {
            Continue(this);
        }
    }

    /// <summary>Runs the continuations of a run on the thread pool, one after the other.</summary>
    /// <param name="first">The first of requests that <see cref="Append"/> has linked. All have completed.</param>
    internal static void Continue(OpenRequest first) => ThreadPool.UnsafeQueueUserWorkItem(first, preferLocal: true);

    /// <summary>Links the next request of the run behind this one, which is the last so far.</summary>
    internal void Append(OpenRequest next) => _next = next;

    /// <summary>Takes over a run whose thread is blocked by a continuation.</summary>
    internal void ContinueElsewhere() =>
        ThreadPool.UnsafeQueueUserWorkItem(static first => first.ContinueRest(BatchContext.Current), this, preferLocal: false);

    public ValueTaskSourceStatus GetStatus(short token) =>
        !_isCompleted ? ValueTaskSourceStatus.Pending
        : Error is null ? ValueTaskSourceStatus.Succeeded
        : Error is OperationCanceledException ? ValueTaskSourceStatus.Canceled
        : ValueTaskSourceStatus.Faulted;

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (flags != ValueTaskSourceOnCompletedFlags.None && Relay.IsNeeded(flags))
        {
            (continuation, state) = (Relay.Run, new Relay(continuation, state, flags));
        }

        _state = state;
        Action<object?>? before = Interlocked.CompareExchange(ref _continuation, continuation, null);
        if (ReferenceEquals(before, s_completed))
        {
            ThreadPool.UnsafeQueueUserWorkItem(continuation, state, preferLocal: true); // it has completed meanwhile
        }
        else if (before is not null)
        {
            throw new InvalidOperationException("A request is awaited once. Call AsTask to await it several times at once.");
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (_next is null)
        {
            _continuation!(_state);
            return;
        }

        BatchContext context = BatchContext.Current;
        context.RequestRun = this;
        RunWatch.Start();
        _continuation!(_state);
        ContinueRest(context);
    }

    /// <exception cref="InvalidOperationException">The request waits for its answer.</exception>
    protected void RequireSuccess()
    {
        if (!_isCompleted)
        {
            throw new InvalidOperationException("The request has no answer yet: await it.");
        }

        if (Error is { } error)
        {
            ExceptionDispatchInfo.Throw(error);
        }
    }

    /// <returns>Whether a continuation waits.</returns>
    private bool Complete()
    {
        _isCompleted = true; // before the look at the continuation, whose caller looks at it after
        return Interlocked.CompareExchange(ref _continuation, s_completed, null) is not null;
    }

    private void ContinueRest(BatchContext context)
    {
        context.RequestRun = this;
        while (TakeNext() is { } next)
        {
            next._continuation!(next._state);
        }

        context.RequestRun = null;
    }

    /// <summary>Takes the next request of the run. Several threads may: one of them may be blocked and come back.</summary>
    private OpenRequest? TakeNext()
    {
        while (true)
        {
            OpenRequest? next = Volatile.Read(ref _next);
            if (next is null)
            {
                return null;
            }

            if (Interlocked.CompareExchange(ref _next, Volatile.Read(ref next._next), next) == next)
            {
                next._next = null; // what is kept of one request must not keep the others
                return next;
            }
        }
    }

    /// <summary>A continuation that the runtime runs in the context that its caller was in.</summary>
    private sealed class Relay
    {
        private ManualResetValueTaskSourceCore<bool> _core;

        internal Relay(Action<object?> continuation, object? state, ValueTaskSourceOnCompletedFlags flags) =>
            _core.OnCompleted(continuation, state, _core.Version, flags);

        internal static Action<object?> Run { get; } = static relay => ((Relay)relay!)._core.SetResult(true);

        internal static bool IsNeeded(ValueTaskSourceOnCompletedFlags flags) =>
            (flags & ValueTaskSourceOnCompletedFlags.FlowExecutionContext) == ValueTaskSourceOnCompletedFlags.FlowExecutionContext
            || SynchronizationContext.Current is not null
            || TaskScheduler.Current != TaskScheduler.Default;
    }
}
