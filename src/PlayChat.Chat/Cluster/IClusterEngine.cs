using System.Diagnostics.Metrics;
using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>Makes what a node needs to be part of a cluster.</summary>
internal interface IClusterEngine
{
    /// <summary>Makes the node's view of the directory; once.</summary>
    IClusterDirectory CreateDirectory();

    /// <summary>Makes the backplane of one life of the node.</summary>
    RoomBackplane CreateBackplane(RecordOrigin origin, IMeterFactory meters);
}
