using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Sessions;

/// <summary>A resume store that outlives the servers of a test. Thread-safe.</summary>
internal sealed class MemoryResumeStore : IResumeStore
{
    private readonly object _gate = new();
    private readonly Dictionary<long, ResumeRecord> _byUser = [];

    /// <summary>What every call throws.</summary>
    internal Exception? Fault { get; set; }

    /// <summary>What every save throws.</summary>
    internal Exception? SaveFault { get; set; }

    /// <summary>What every call waits for.</summary>
    internal Task Holding { get; set; } = Task.CompletedTask;

    internal IReadOnlyList<ResumeRecord> Records
    {
        get
        {
            lock (_gate)
            {
                return [.. _byUser.Values];
            }
        }
    }

    public ValueTask SaveAsync(ResumeRecord record, CancellationToken cancellationToken) =>
        RunAsync(() => _byUser[record.User.Id] = SaveFault is { } fault ? throw fault : record);

    public async ValueTask<ResumeRecord?> FindAsync(string tokenHash, CancellationToken cancellationToken)
    {
        ResumeRecord? found = null;
        await RunAsync(() => found = _byUser.Values.FirstOrDefault(
            record => record.TokenHash == tokenHash || record.UsedTokenHash == tokenHash));
        return found;
    }

    public ValueTask RemoveAsync(string tokenHash, CancellationToken cancellationToken) => RunAsync(() =>
    {
        foreach (ResumeRecord record in _byUser.Values.Where(record => record.TokenHash == tokenHash).ToArray())
        {
            _byUser.Remove(record.User.Id);
        }
    });

    private async ValueTask RunAsync(Action action)
    {
        await Holding;
        if (Fault is { } fault)
        {
            throw fault;
        }

        lock (_gate)
        {
            action();
        }
    }
}
