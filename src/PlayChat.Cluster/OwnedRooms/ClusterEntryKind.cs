namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The kinds of records that the nodes of a cluster exchange about a room. They stand in logs: never renumber.</summary>
internal enum ClusterEntryKind : byte
{
    /// <summary>The publisher is the room's owner from here on.</summary>
    Owner = 101,

    /// <summary>The owner has given the room up. The directory names it until it has read this.</summary>
    Released = 102,

    /// <summary>What the room sends, and its joins and leaves (<see cref="ClusterOutputKind"/>). Replicas ignore all but the
    /// owner's.</summary>
    Output = 103,

    /// <summary>A part of the owner's members and state.</summary>
    Snapshot = 104,

    /// <summary>A node has missed records, or is new: it asks the owner for a snapshot.</summary>
    Sync = 105,

    /// <summary>A session of the publisher wants to join.</summary>
    Join = 106,

    /// <summary>A session of the publisher leaves.</summary>
    Leave = 107,

    /// <summary>A member's connection is lost.</summary>
    Away = 108,

    /// <summary>A member that was away has resumed.</summary>
    Return = 109,

    /// <summary>A member has sent a packet.</summary>
    Packet = 110,

    /// <summary>A member has sent a frame, for <see cref="Room.OnFrame"/>.</summary>
    Frame = 111,

    /// <summary>How many rooms the publisher runs (<see cref="NodeLoads"/>). It concerns no room.</summary>
    Load = 112,

    // What follows is never in a log: it reaches a replica in order with the records.

    /// <summary>A node was declared dead.</summary>
    NodeDown = 190,

    /// <summary>Records are missing.</summary>
    Gap = 191,

    /// <summary>The node has a place in the cluster.</summary>
    Begun = 192,

    /// <summary>The node has lost its place in the cluster.</summary>
    Fenced = 193,

    /// <summary>The directory has named the owner of the room.</summary>
    Named = 194,

    /// <summary>Time has passed.</summary>
    Look = 195,

    /// <summary>This node is to give the room up, or has given it up.</summary>
    HandOver = 196,
}
