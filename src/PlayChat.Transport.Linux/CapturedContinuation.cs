namespace PlayChat.Transport.Linux;

/// <summary>
/// A continuation that runs in a captured context, for callers that await without ConfigureAwait(false). PlayChat itself does not.
/// </summary>
internal sealed class CapturedContinuation
{
    private readonly Action<object?> _continuation;
    private readonly object? _argument;
    private readonly ExecutionContext? _execution;
    private readonly SynchronizationContext? _synchronization;
    private readonly TaskScheduler? _scheduler;

    private CapturedContinuation(Action<object?> continuation, object? argument, ValueTaskSourceOnCompletedFlags flags)
    {
        _continuation = continuation;
        _argument = argument;
        if (flags.HasFlag(ValueTaskSourceOnCompletedFlags.FlowExecutionContext))
        {
            _execution = ExecutionContext.Capture();
        }

        if (flags.HasFlag(ValueTaskSourceOnCompletedFlags.UseSchedulingContext))
        {
            _synchronization = SynchronizationContext.Current;
            _scheduler = ReferenceEquals(TaskScheduler.Current, TaskScheduler.Default) ? null : TaskScheduler.Current;
        }
    }

    internal static (Action<object?> Continuation, object? Argument) Create(
        Action<object?> continuation, object? argument, ValueTaskSourceOnCompletedFlags flags)
    {
        var captured = new CapturedContinuation(continuation, argument, flags);
        return (static state => ((CapturedContinuation)state!).Schedule(), captured);
    }

    private void Schedule()
    {
        if (_synchronization is not null)
        {
#pragma warning disable VSTHRD001 // this is what the caller's await asks for
            _synchronization.Post(static state => ((CapturedContinuation)state!).Run(), this);
#pragma warning restore VSTHRD001
        }
        else if (_scheduler is not null)
        {
            _ = Task.Factory.StartNew(
                static state => ((CapturedContinuation)state!).Run(),
                this,
                CancellationToken.None,
                TaskCreationOptions.DenyChildAttach,
                _scheduler);
        }
        else
        {
            Run();
        }
    }

    private void Run()
    {
        if (_execution is null)
        {
            _continuation(_argument);
        }
        else
        {
            ExecutionContext.Run(
                _execution,
                static state => ((CapturedContinuation)state!)._continuation(((CapturedContinuation)state)._argument),
                this);
        }
    }
}
