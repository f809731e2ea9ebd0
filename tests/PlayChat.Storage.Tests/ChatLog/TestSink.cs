using System.Threading.Channels;
using PlayChat.Storage.ChatLog;

namespace PlayChat.Storage.Tests.ChatLog;

/// <summary>A sink that keeps what it gets, and fails or hangs when told to.</summary>
internal sealed class TestSink(string name = "test") : IChatLogSink
{
    private readonly Channel<ChatRecord[]> _batches = Channel.CreateUnbounded<ChatRecord[]>();
    private readonly Channel<int> _attempts = Channel.CreateUnbounded<int>();
    private volatile TaskCompletionSource? _held;
    private volatile bool _failing;
    private int _attemptCount;

    public string Name { get; } = name;

    /// <summary>While set, each write fails.</summary>
    public bool Failing
    {
        get => _failing;
        set => _failing = value;
    }

    /// <summary>The sequences of the records that the sink refuses for good, each with the whole batch.</summary>
    public HashSet<long> Refused { get; } = [];

    /// <summary>While true, a held write ignores its cancellation.</summary>
    public bool Stubborn { get; set; }

    /// <summary>Each batch that was written, in order.</summary>
    public List<ChatRecord[]> Written { get; } = [];

    public IEnumerable<long> Sequences => Written.SelectMany(batch => batch).Select(record => record.Sequence);

    /// <summary>Makes writes wait until <see cref="Release"/>.</summary>
    public void Hold() => _held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Release()
    {
        TaskCompletionSource? held = _held;
        _held = null;
        held?.TrySetResult();
    }

    public async Task<int> WriteBatchAsync(IReadOnlyList<ChatRecord> batch, CancellationToken cancellationToken)
    {
        _attempts.Writer.TryWrite(++_attemptCount);
        if (_held is { } held)
        {
            await held.Task.WaitAsync(Stubborn ? CancellationToken.None : cancellationToken);
        }
        if (_failing)
        {
            throw new StorageException(StorageErrorKind.Failed, "The test database is away.");
        }
        if (batch.Any(record => Refused.Contains(record.Sequence)))
        {
            throw new StorageException(StorageErrorKind.RefusedValue, "The test database does not take a value.");
        }
        Written.Add([.. batch]);
        _batches.Writer.TryWrite([.. batch]);
        return batch.Count;
    }

    /// <summary>The next batch that was written.</summary>
    public Task<ChatRecord[]> NextBatchAsync() => _batches.Reader.ReadAsync().AsTask();

    /// <summary>Completes when a write begins, one for each.</summary>
    public Task<int> NextAttemptAsync() => _attempts.Reader.ReadAsync().AsTask();
}
