namespace PlayChat.Storage.ChatLog;

/// <summary>Counters of a <see cref="ChatLogWriter"/> since it was created. Thread-safe.</summary>
public sealed class ChatLogMetrics
{
    private readonly ChatLogQueue _queue;
    private readonly ChatLogSpill? _spill;
    private long _stored;
    private long _inDatabase;
    private long _refused;
    private long _abandoned;
    private long _givenUp;
    private long _rejected;
    private long _rejectedFromSpill;
    private long _failures;

    internal ChatLogMetrics(ChatLogQueue queue, ChatLogSpill? spill)
    {
        _queue = queue;
        _spill = spill;
    }

    /// <summary>Records accepted and not yet in every sink, including those being written.</summary>
    public int Queued => _queue.Records;

    /// <summary>The estimated memory of the <see cref="Queued"/> records, in bytes.</summary>
    public long QueuedBytes => _queue.Bytes;

    /// <summary>Most records that were queued at once.</summary>
    public int PeakQueued => _queue.PeakRecords;

    /// <summary>Senders that now wait for space (<see cref="ChatLogFullPolicy.Wait"/>).</summary>
    public int Waiting => _queue.Waiting;

    /// <summary>Records accepted.</summary>
    public long Accepted => _queue.Accepted;

    /// <summary>
    /// Records written to every sink. A record that goes to the spill file counts when it is in that file, whatever becomes of it there.
    /// </summary>
    public long Stored => Interlocked.Read(ref _stored);

    /// <summary>
    /// Records that the first sink, the database, has added. One that goes to the spill file counts when the database has it. A record
    /// whose place in the room was taken does not count: the database keeps what it has there.
    /// </summary>
    public long InDatabase => Interlocked.Read(ref _inDatabase);

    /// <summary>Records now in the spill file, which the database does not have yet.</summary>
    public long InSpill => _spill?.Records ?? 0;

    /// <summary>
    /// Records refused because the queue was full or stopped, those that a stop had no time for, and <see cref="Rejected"/>.
    /// </summary>
    public long NotStored => Interlocked.Read(ref _refused) + Interlocked.Read(ref _abandoned) + Rejected;

    /// <summary>
    /// Records that the first sink, the database, has refused for good (<see cref="StorageErrorKind.RefusedValue"/>,
    /// <see cref="StorageErrorKind.TooLong"/>). The log names each. They do not count as <see cref="Stored"/>, except
    /// those that waited in the spill file.
    /// </summary>
    public long Rejected => Interlocked.Read(ref _rejected);

    /// <summary>Those of <see cref="Rejected"/> that count as <see cref="Stored"/> too.</summary>
    internal long RejectedFromSpill => Interlocked.Read(ref _rejectedFromSpill);

    /// <summary>Records that a sink other than the first gave up. They are missing there, not in the first.</summary>
    /// <remarks>A sink gives up its oldest records when it keeps failing while half of the queue is taken.</remarks>
    public long GivenUp => Interlocked.Read(ref _givenUp);

    /// <summary>Writes that failed in a sink. The writer tried each again.</summary>
    public long Failures => Interlocked.Read(ref _failures);

    internal void RecordRefused() => Interlocked.Increment(ref _refused);

    internal void RecordInDatabase(int records) => Interlocked.Add(ref _inDatabase, records);

    internal void RecordAbandoned(long records) => Interlocked.Exchange(ref _abandoned, records);

    internal void RecordGivenUp(int records) => Interlocked.Add(ref _givenUp, records);

    internal void RecordRejected(int records, bool wereStored)
    {
        Interlocked.Add(ref _rejectedFromSpill, wereStored ? records : 0);
        Interlocked.Add(ref _rejected, records);
    }

    internal void RecordFailure() => Interlocked.Increment(ref _failures);

    internal void RecordStored(int records) => Interlocked.Add(ref _stored, records);
}
