using PlayChat.Cluster.Log;
using PlayChat.Protocol;

namespace PlayChat.Server.Cluster;

/// <summary>A member of a room, on any node. Immutable.</summary>
/// <param name="Shown">The player as clients see it.</param>
/// <param name="Node">The node of its session.</param>
/// <param name="SessionId">Its session there.</param>
internal sealed record RosterEntry(Member Shown, RecordOrigin Node, long SessionId);
