using PlayChat.Storage.ChatLog;

namespace PlayChat.Chat.ChatLog;

/// <summary>Gives the rooms' messages to the chat log without a wait in their turns. Senders wait instead, if the policy says so.</summary>
/// <remarks>
/// Under Count, a record that finds the queue full is counted and dropped. Under Wait, the writer keeps the record until there is space,
/// and meanwhile no sender passes <see cref="WaitForSpaceAsync"/>. So at most the messages of the rooms' queues are kept there, in order.
/// </remarks>
/// <param name="writer">The log.</param>
/// <param name="policy">What happens when its queue is full.</param>
/// <param name="timeout">The longest wait of a sender.</param>
/// <param name="time">The clock of that wait.</param>
/// <param name="isStuck">Says whether the store has accepted nothing for longer than that; then no sender waits.</param>
internal sealed class ChatLogGate(
    ChatLogWriter writer, ChatLogFullPolicy policy, TimeSpan timeout, TimeProvider time, Func<bool> isStuck)
{
    private readonly object _gate = new();
    private int _waiting; // guarded by _gate: records that the queue has no space for yet
    private int _waitingSenders;
    private volatile TaskCompletionSource? _space; // set while there are any

    /// <summary>Whether a sender need not wait.</summary>
    public bool HasSpace => _space is null && !isStuck();

    /// <summary>Senders that wait for space now.</summary>
    public int WaitingSenders => Volatile.Read(ref _waitingSenders);

    /// <summary>Hands a record to the log. For a room's turn: never waits.</summary>
    /// <returns><see langword="false"/> when it was left out.</returns>
    public bool Append(in ChatRecord record)
    {
        if (policy == ChatLogFullPolicy.Count)
        {
            return writer.TryAppend(in record); // counted there when refused
        }

        ValueTask<bool> appending = writer.AppendAsync(record);
        if (!appending.IsCompletedSuccessfully)
        {
            Close();
            _ = OpenWhenDoneAsync(appending);
        }

        return true;
    }

    /// <summary>Waits until the log takes more. For a handler, before it posts to a room.</summary>
    /// <returns><see langword="false"/> when there was no space in time.</returns>
    /// <exception cref="OperationCanceledException">The sender has gone.</exception>
    public ValueTask<bool> WaitForSpaceAsync(CancellationToken cancellationToken) =>
        isStuck() ? ValueTask.FromResult(false)
            : _space is { } space ? WaitAsync(space.Task, cancellationToken)
            : ValueTask.FromResult(true);

    private async ValueTask<bool> WaitAsync(Task space, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _waitingSenders);
        try
        {
            await space.WaitAsync(timeout, time, cancellationToken);
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
        finally
        {
            Interlocked.Decrement(ref _waitingSenders);
        }
    }

    private void Close()
    {
        lock (_gate)
        {
            _waiting++;
            _space ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    private async Task OpenWhenDoneAsync(ValueTask<bool> appending)
    {
        await appending; // false when the writer was stopped: counted there
        TaskCompletionSource? space = null;
        lock (_gate)
        {
            if (--_waiting == 0)
            {
                space = _space;
                _space = null;
            }
        }

        space?.SetResult();
    }
}
