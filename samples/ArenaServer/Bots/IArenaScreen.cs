namespace ArenaServer.Bots;

/// <summary>Where the arena is shown. For one thread.</summary>
internal interface IArenaScreen : IDisposable
{
    /// <summary>Shows the arena.</summary>
    /// <param name="arena">As it is.</param>
    /// <param name="news">What has happened since the last call.</param>
    void Show(ArenaSnapshot arena, IReadOnlyList<string> news);

    /// <summary>Shows what has come of it, and gives the screen back.</summary>
    void ShowEnd(ArenaSnapshot arena);
}
