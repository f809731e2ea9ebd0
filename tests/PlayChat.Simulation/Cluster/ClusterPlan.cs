namespace PlayChat.Simulation.Cluster;

/// <summary>What the seed has drawn for the cluster of a world.</summary>
internal sealed record ClusterPlan
{
    internal int Nodes { get; init; }

    internal NodeFaults Faults { get; init; }

    internal TimeSpan Lease { get; init; }

    internal TimeSpan SweepInterval { get; init; }

    internal TimeSpan SnapshotInterval { get; init; }

    internal TimeSpan AnswerTimeout { get; init; }

    internal int Shards { get; init; }

    /// <summary>The longest way of a batch to the log, and of a batch or a confirmation back.</summary>
    internal TimeSpan LogDelay { get; init; }

    /// <summary>The longest way of a question to the directory, and of its answer.</summary>
    internal TimeSpan DirectoryDelay { get; init; }

    /// <summary>The probability that the directory fails a question, of which it has answered half by then.</summary>
    internal double DirectoryErrors { get; init; }

    /// <summary>Whether a reader can tell a missing batch by the offsets.</summary>
    internal bool HasDenseOffsets { get; init; }

    /// <summary>Whether a node that connects again learns which of its batches the log has.</summary>
    internal bool TellsItsEnd { get; init; }

    internal TimeSpan PendingTimeout { get; init; }

    internal int PendingBytes { get; init; }

    internal int BatchBytes { get; init; }

    internal int MaxUnconfirmed { get; init; }

    internal int MaxRecordBytes { get; init; }

    internal bool RemovesWhenEmpty { get; init; }

    /// <summary>The most bytes by which a room's state is longer than needed.</summary>
    internal int StateFill { get; init; }

    /// <summary>The average seconds between two faults of nodes.</summary>
    internal double Pause { get; init; }

    internal static ClusterPlan Draw(ulong seed, int nodes)
    {
        var dice = new Dice(seed ^ 0xC105_7E12_0000_0000);
        NodeFaults faults = dice.Chance(0.1) ? NodeFaults.None
            : dice.Chance(0.5) ? (NodeFaults)(1 << dice.Next(14)) | (NodeFaults)(1 << dice.Next(14))
            : (NodeFaults)dice.Next((int)NodeFaults.All + 1);
        int maxUnconfirmed = dice.Pick(1, 4, 64);
        return new ClusterPlan
        {
            Nodes = nodes,
            Faults = faults,
            Lease = TimeSpan.FromSeconds(dice.Pick(3, 5, 10)),
            SweepInterval = TimeSpan.FromMilliseconds(dice.Pick(200, 1000, 2000)),
            SnapshotInterval = TimeSpan.FromMilliseconds(dice.Pick(50, 200, 1000)),
            AnswerTimeout = TimeSpan.FromSeconds(dice.Pick(1, 5, 20)),
            Shards = dice.Pick(1, 1, 2),
            LogDelay = TimeSpan.FromMilliseconds(dice.Pick(1, 5, 50, 200)),
            DirectoryDelay = TimeSpan.FromMilliseconds(dice.Pick(0, 5, 50, 200)),
            DirectoryErrors = dice.Pick(0.02, 0.1, 0.2),
            HasDenseOffsets = dice.Chance(0.5),
            TellsItsEnd = dice.Chance(0.5),
            PendingTimeout = TimeSpan.FromSeconds(dice.Pick(1, 5)),
            PendingBytes = dice.Pick(64 << 10, 64 << 10, 4 << 20),
            BatchBytes = maxUnconfirmed < 64 ? 64 << 10 : dice.Pick(1, 4096, 64 << 10), // otherwise the log is slower than the room
            MaxUnconfirmed = maxUnconfirmed,
            MaxRecordBytes = dice.Pick(4096, 32 << 10),
            RemovesWhenEmpty = dice.Chance(0.3),
            StateFill = dice.Pick(1, 200, 20_000),
            Pause = dice.Pick(2.0, 5, 15),
        };
    }

    internal bool Has(NodeFaults fault) => (Faults & fault) != NodeFaults.None;
}
