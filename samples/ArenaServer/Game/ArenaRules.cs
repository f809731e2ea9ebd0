namespace ArenaServer.Game;

/// <summary>The numbers of the game.</summary>
internal static class ArenaRules
{
    public const double Hertz = 20;
    public const int Width = 60;
    public const int Height = 20;
    public const int MaxPlayers = 200;
    public const int MaxNameLength = 16;

    /// <summary>Cells a second. Half as many up and down, where a terminal's cells are twice as high as they are wide.</summary>
    public const float Speed = 10;

    /// <summary>How long a player may be away before it loses its seat.</summary>
    public static readonly TimeSpan SeatKept = TimeSpan.FromSeconds(10);
}
