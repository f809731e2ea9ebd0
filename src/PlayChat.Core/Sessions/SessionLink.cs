namespace PlayChat.Core.Sessions;

/// <summary>What rooms and broadcasts know of a session's connection.</summary>
/// <param name="Connection">The connection that was announced last.</param>
/// <param name="IsAway">Whether that connection is lost.</param>
/// <param name="Former">The connection before it; <see langword="null"/> if nothing is known of what the client received on it.</param>
/// <param name="FormerFrames">The frames that the client says it has received on <paramref name="Former"/>.</param>
internal sealed record SessionLink(Connection Connection, bool IsAway, Connection? Former = null, long FormerFrames = 0);
