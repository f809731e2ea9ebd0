namespace ArenaServer.Protocol;

/// <summary>Gives the seat up. Whose connection ends without it is expected back.</summary>
internal sealed record Goodbye;
