namespace PlayChat.Server.Rooms;

/// <summary>
/// What waits in a room until messages are stored (ChatLog:Durability Stored). For the room's turn alone, but for <see
/// cref="OldestTimestamp"/>.
/// </summary>
/// <remarks>
/// Messages get their places at once and wait for the store. Whatever else changes what members see, such as a join, has its place only
/// when all messages before it have been heard; so it waits here, and what comes after it waits behind it.
/// </remarks>
internal sealed class UnstoredQueue
{
    // The chat log's queue bounds the messages; this bounds everything else that waits in a room that cannot store.
    private const int MaxJobs = 1024;

    private readonly Queue<UnstoredMessage> _messages = new();
    private readonly Queue<DeferredJob> _jobs = new();
    private long _oldest;

    /// <summary>When the oldest of what waits came, as a timestamp; 0 when nothing does. May be read from anywhere.</summary>
    public long OldestTimestamp => Interlocked.Read(ref _oldest);

    /// <summary>Whether nothing waits.</summary>
    public bool IsEmpty => _messages.Count == 0 && _jobs.Count == 0;

    /// <summary>Whether a message can have its place now: nothing waits that must come before it.</summary>
    public bool TakesMessages => _jobs.Count == 0;

    public void Add(UnstoredMessage message)
    {
        _messages.Enqueue(message);
        NoteOldest();
    }

    /// <returns><see langword="false"/> when too many jobs wait already.</returns>
    public bool TryAdd(DeferredJob job)
    {
        if (_jobs.Count == MaxJobs)
        {
            return false;
        }

        _jobs.Enqueue(job);
        NoteOldest();
        return true;
    }

    /// <summary>The message with a sequence, if it waits.</summary>
    public UnstoredMessage? Find(long sequence) => _messages.FirstOrDefault(message => message.Said.Sequence == sequence);

    /// <summary>Takes the oldest message if it is stored.</summary>
    /// <param name="storedThrough">The sequence up to which messages are.</param>
    /// <returns><see langword="null"/> when none is.</returns>
    public UnstoredMessage? TakeStored(long storedThrough)
    {
        UnstoredMessage? stored = _messages.TryPeek(out UnstoredMessage? first) && first.Said.Sequence <= storedThrough
            ? _messages.Dequeue()
            : null;
        NoteOldest();
        return stored;
    }

    /// <summary>Takes the oldest job if it can be done now.</summary>
    /// <returns><see langword="null"/> when there is none, or it must wait.</returns>
    public DeferredJob? TakeJob()
    {
        DeferredJob? next = _jobs.TryPeek(out DeferredJob? first) && (first.IsMessage || _messages.Count == 0) ? _jobs.Dequeue() : null;
        NoteOldest();
        return next;
    }

    /// <summary>Whose requests have waited since before a moment, in their order; they go on waiting.</summary>
    public IEnumerable<RoomRequest> WaitingSince(long timestamp) => _messages
        .Where(message => message.Since <= timestamp)
        .SelectMany(static message => (message.Request is null ? [] : new[] { message.Request }).Concat(message.Repeats ?? []))
        .Concat(_jobs.Where(job => job.Since <= timestamp).Select(static job => job.Request));

    /// <summary>Drops the messages, because the room has no members left. The store still gets them.</summary>
    public void ForgetMessages()
    {
        _messages.Clear();
        NoteOldest();
    }

    private void NoteOldest()
    {
        long message = _messages.TryPeek(out UnstoredMessage? firstMessage) ? firstMessage.Since : 0;
        long job = _jobs.TryPeek(out DeferredJob? firstJob) ? firstJob.Since : 0;
        Interlocked.Exchange(ref _oldest, message == 0 || (job != 0 && job < message) ? job : message);
    }
}
