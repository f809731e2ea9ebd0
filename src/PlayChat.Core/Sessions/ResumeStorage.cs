namespace PlayChat.Core.Sessions;

/// <summary>Writes tokens through to the application's store. A failure of the store is logged and counted. It is thrown only where the
/// server needs the answer, so that a store that is away is not taken for one that does not know a token.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class ResumeStorage(IResumeStore store, TimeSpan lifetime, TimeProvider time, ServerMetrics metrics, ILogger logger)
{
    // A login or a resume waits for the store, so it must not wait long: memory is enough until the next restart.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);

    private readonly ConcurrentDictionary<Task, string[]> _removals = new(); // those that are under way

    /// <summary>Saves the present tokens of a session, if it has any and is bound to a user.</summary>
    internal async ValueTask SaveAsync(ResumeTable table, Session session)
    {
        if (table.TryTakeRecord(session, time.GetUtcNow() + lifetime) is not { } record)
        {
            return;
        }

        if (await RunAsync(token => store.SaveAsync(record, token)).ConfigureAwait(false) is null)
        {
            table.OnSaved(session, record);
        }

        if (session.HasEnded)
        {
            await RemoveAsync(record.TokenHash).ConfigureAwait(false); // its end may have tried to remove it before it was saved
        }
    }

    /// <summary>Finds a record that is still valid.</summary>
    /// <exception cref="ResumeStoreException">The store did not answer.</exception>
    internal async ValueTask<ResumeRecord?> FindAsync(string tokenHash)
    {
        ResumeRecord? found = null;
        await Task.WhenAll(_removals.Keys).ConfigureAwait(false); // a session that has just ended is not restored
        if (await RunAsync(async token => found = await store.FindAsync(tokenHash, token).ConfigureAwait(false)).ConfigureAwait(false)
            is { } fault)
        {
            throw new ResumeStoreException(fault);
        }

        return found is { } record
            && record.ExpiresAt > time.GetUtcNow()
            && (record.TokenHash == tokenHash || record.UsedTokenHash == tokenHash)
                ? record
                : null;
    }

    /// <summary>Removes the records of tokens. When it returns, each removal has begun.</summary>
    internal async ValueTask RemoveAsync(params string[] tokenHashes)
    {
        Task removal = Task.WhenAll(tokenHashes.Select(hash => RunAsync(token => store.RemoveAsync(hash, token)).AsTask()));
        _removals.TryAdd(removal, tokenHashes);
        await removal.ConfigureAwait(false);
        _removals.TryRemove(removal, out _);
    }

    /// <returns>Why the store did not do it; <see langword="null"/> when it did.</returns>
    private async ValueTask<Exception?> RunAsync(Func<CancellationToken, ValueTask> call)
    {
        using var patience = new CancellationTokenSource(s_patience, time);
        try
        {
            await call(patience.Token).AsTask().WaitAsync(patience.Token).ConfigureAwait(false);
            return null;
        }
        catch (Exception e)
        {
            // The application's code, or its database: neither may stop a login.
            metrics.Add(Counter.ResumeStoreFaults);
            SessionLog.ResumeStoreFault(logger, e);
            return e;
        }
    }
}
