namespace PlayChat.Simulation.Cluster;

/// <summary>Kinds of faults of the nodes of a cluster, of their log and of their directory.</summary>
[Flags]
internal enum NodeFaults
{
    None = 0,

    /// <summary>A node is killed, and starts again 1 to 25 seconds later, within its lease or after it.</summary>
    Kills = 1,

    /// <summary>A node is killed, and starts again within a second.</summary>
    FastRestarts = 2,

    /// <summary>A node is frozen, and wakes up.</summary>
    Freezes = 4,

    /// <summary>A node stops, and hands its rooms over.</summary>
    Drains = 8,

    /// <summary>A node is started a second time while it lives.</summary>
    SecondStarts = 16,

    /// <summary>A node does not reach the log.</summary>
    LogCuts = 32,

    /// <summary>A node does not reach the directory.</summary>
    DirectoryCuts = 64,

    /// <summary>The log is away from all nodes.</summary>
    LogOutages = 128,

    /// <summary>The directory is away from all nodes.</summary>
    DirectoryOutages = 256,

    /// <summary>The log drops batches that a node may not have read.</summary>
    Trims = 512,

    /// <summary>The log is replaced by an empty one.</summary>
    Replacements = 1024,

    /// <summary>A connection to the log breaks, and batches are sent again.</summary>
    Repeats = 2048,

    /// <summary>The directory fails before or after it has done what it was asked for.</summary>
    DirectoryErrors = 4096,

    /// <summary>A room is ended by its owner.</summary>
    RoomEnds = 8192,

    All = 16_383,
}
