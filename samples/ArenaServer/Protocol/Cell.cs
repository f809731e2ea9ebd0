namespace ArenaServer.Protocol;

/// <summary>A place in the arena.</summary>
internal readonly record struct Cell(int X, int Y);
