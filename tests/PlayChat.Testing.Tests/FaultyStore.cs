using PlayChat.Core.Sessions;

namespace PlayChat.Testing.Tests;

/// <summary>The stores of one process, on a disk that survives it: slow, failing before or after a write, hanging, or dead with the
/// process.</summary>
/// <param name="disk">The disk.</param>
/// <param name="random">Decides.</param>
/// <param name="lies">Whether it acknowledges writes now and then that it has not done, to show that the test notices.</param>
internal sealed class FaultyStore(FaultyStore.Disk disk, Random random, bool lies) : IResumeStore
{
    private bool _isDead; // guarded by the disk, so that no write comes after the death

    /// <summary>The clock, once there is one.</summary>
    internal TimeProvider Time { get; set; } = TimeProvider.System;

    internal bool HasFaults { get; set; } = true;

    /// <summary>Whether the process was killed: nothing is written or answered any more.</summary>
    internal bool IsDead
    {
        get
        {
            lock (disk)
            {
                return _isDead;
            }
        }

        set
        {
            lock (disk)
            {
                _isDead = value;
            }
        }
    }

    /// <summary>How many calls have not done what they promise, as their callers have learned it.</summary>
    internal int Faults { get; private set; }

    public ValueTask SaveAsync(ResumeRecord record, CancellationToken cancellationToken) =>
        new(RunAsync(() => disk.Records[record.User.Id] = record));

    public async ValueTask<ResumeRecord?> FindAsync(string tokenHash, CancellationToken cancellationToken)
    {
        ResumeRecord? found = null;
        await RunAsync(() => found = disk.Records.Values.SingleOrDefault(
            record => record.TokenHash == tokenHash || record.UsedTokenHash == tokenHash));
        return found;
    }

    public ValueTask RemoveAsync(string tokenHash, CancellationToken cancellationToken) => new(RunAsync(() =>
    {
        foreach (ResumeRecord record in disk.Records.Values.Where(record => record.TokenHash == tokenHash).ToArray())
        {
            disk.Records.Remove(record.User.Id);
        }
    }));

    internal Task AppendAsync(int note) => RunAsync(() => disk.Notes.Add(note));

    private async Task RunAsync(Action write)
    {
        int draw = HasFaults ? random.Next(100) : 100;
        if (draw < 30)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(random.Next(1, 1500)), Time);
        }

        if (IsDead)
        {
            await new TaskCompletionSource().Task; // also while it was slow: a write that has not happened
        }

        Faults += draw is >= 30 and < 55 ? 1 : 0;
        if (draw is >= 30 and < 40)
        {
            throw new IOException("The store fails before the write.");
        }

        if (draw is < 40 or (>= 45 and < 90) || (draw >= 90 && !lies))
        {
            lock (disk)
            {
                if (!_isDead)
                {
                    write();
                }
            }
        }

        if (draw is >= 40 and < 50)
        {
            await new TaskCompletionSource().Task; // hangs, before or after the write
        }

        if (draw is >= 50 and < 55)
        {
            throw new IOException("The store fails after the write.");
        }

        await (IsDead ? new TaskCompletionSource().Task : Task.CompletedTask);
    }

    /// <summary>What survives the process: the resume records by user, and the notes of a room.</summary>
    internal sealed class Disk
    {
        internal Dictionary<long, ResumeRecord> Records { get; } = [];

        internal List<int> Notes { get; } = [];
    }
}
