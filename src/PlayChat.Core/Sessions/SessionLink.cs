using PlayChat.Core.Connections;

namespace PlayChat.Core.Sessions;

/// <summary>What the rooms of a session know of its connection.</summary>
/// <param name="Connection">The connection that the rooms were last told of.</param>
/// <param name="IsAway">Whether that connection is lost and no other one has been announced to the rooms.</param>
internal sealed record SessionLink(Connection Connection, bool IsAway);
