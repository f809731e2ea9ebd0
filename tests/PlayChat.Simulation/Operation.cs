using System.Threading.Tasks.Sources;
using PlayChat.Core.Transport;

namespace PlayChat.Simulation;

/// <summary>An operation of a link that completes when its turn comes among the ready work.</summary>
internal sealed class Operation<T>(ILocalWorkQueue ready) : IValueTaskSource<T>, IValueTaskSource, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<T> _core;
    private Func<T>? _result;

    internal ValueTask<T> Task => new(this, _core.Version);

    internal ValueTask Wait => new(this, _core.Version);

    public T GetResult(short token) => _core.GetResult(token);

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    public void Execute() => _core.SetResult(_result!());

    /// <summary>Lets the operation complete soon.</summary>
    /// <param name="result">Finishes the operation at that moment.</param>
    internal void Complete(Func<T> result)
    {
        _result = result;
        ready.Enqueue(this);
    }
}
