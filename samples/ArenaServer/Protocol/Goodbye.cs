namespace ArenaServer.Protocol;

/// <summary>Gives the seat up. A client whose connection ends without it is expected back.</summary>
internal sealed record Goodbye;
