namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The kinds of records that the nodes of a cluster exchange about a room. They stand in logs: never renumber.</summary>
internal enum ClusterEntryKind : byte
{
    Owner = 101, // the publisher is the room's owner from here on
    Released = 102, // the owner has given the room up. The directory names it until it has read this
    Output = 103, // what the room sends, and its joins and leaves (ClusterOutputKind). Replicas ignore all but the owner's
    Snapshot = 104, // a part of the owner's members and state
    Sync = 105, // a node has missed records, or is new: it asks the owner for a snapshot
    Join = 106, // a session of the publisher wants to join
    Leave = 107, // a session of the publisher leaves
    Away = 108, // a member's connection is lost
    Return = 109, // a member that was away has resumed
    Packet = 110, // a member has sent a packet
    Frame = 111, // a member has sent a frame, for Room.OnFrame
    Load = 112, // how many rooms the publisher runs (NodeLoads). It concerns no room

    // What follows is never in a log: it reaches a replica in order with the records.
    NodeDown = 190, // a node was declared dead
    Gap = 191, // records are missing
    Begun = 192, // the node has a place in the cluster
    Fenced = 193, // the node has lost its place in the cluster
    Named = 194, // the directory has said who owns the room
    Look = 195, // time has passed
    HandOver = 196, // this node is to give the room up, or has given it up
    Unanswered = 197, // the directory has not said who owns the room
}
