namespace PlayChat.Transport.Linux;

/// <summary>
/// A continuation that runs in a captured context, for callers that await without ConfigureAwait(false). PlayChat itself does not.
/// </summary>
internal sealed class CapturedContinuation
{
    private ManualResetValueTaskSourceCore<bool> _source; // captures the context, and schedules the continuation there

    private CapturedContinuation(Action<object?> continuation, object? argument, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, argument, _source.Version, flags);

    internal static (Action<object?> Continuation, object? Argument) Create(
        Action<object?> continuation, object? argument, ValueTaskSourceOnCompletedFlags flags)
    {
        var captured = new CapturedContinuation(continuation, argument, flags);
        return (static state => ((CapturedContinuation)state!)._source.SetResult(true), captured);
    }
}
