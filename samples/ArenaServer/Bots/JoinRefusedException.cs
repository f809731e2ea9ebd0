namespace ArenaServer.Bots;

/// <summary>The server has no seat for a bot; the message says why.</summary>
internal sealed class JoinRefusedException(string message) : Exception(message);
