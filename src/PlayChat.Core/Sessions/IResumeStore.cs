namespace PlayChat.Core.Sessions;

/// <summary>Keeps resume tokens where they survive a restart of the server, for example in a database; see <c>UseResumeStore</c>.</summary>
/// <remarks>
/// Implement it thread-safely. It gets hashes, never tokens. If a method throws, or takes longer than 2 seconds, the server logs and counts
/// that and continues: the player can resume until the server stops, but not afterwards. A token whose removal fails stays valid until it
/// expires. A resume that needs the answer of <see cref="FindAsync"/> fails with a <see cref="ResumeStoreException"/>, and its client has
/// to try again.
/// </remarks>
public interface IResumeStore
{
    /// <summary>Saves a record; it replaces every earlier record of the same user (<see cref="SessionUser.Id"/>).</summary>
    ValueTask SaveAsync(ResumeRecord record, CancellationToken cancellationToken);

    /// <summary>Finds the record of which a hash is the newest or the used one.</summary>
    /// <returns>The record; <see langword="null"/> if there is none. It may have expired: the server checks that.</returns>
    ValueTask<ResumeRecord?> FindAsync(string tokenHash, CancellationToken cancellationToken);

    /// <summary>
    /// Removes the record of which a hash is the newest one (<see cref="ResumeRecord.TokenHash"/>). Does nothing if there is none: the user
    /// may have a newer record.
    /// </summary>
    ValueTask RemoveAsync(string tokenHash, CancellationToken cancellationToken);
}
