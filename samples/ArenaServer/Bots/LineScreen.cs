namespace ArenaServer.Bots;

/// <summary>For files and pipes: a line for each event.</summary>
internal sealed class LineScreen(TextWriter output) : IArenaScreen
{
    public void Show(ArenaSnapshot arena, IReadOnlyList<string> news)
    {
        foreach (string line in news)
        {
            output.WriteLine(line);
        }
    }

    public void ShowEnd(ArenaSnapshot arena) => output.WriteLine(ArenaDrawing.Summary(arena));

    public void Dispose() => output.Flush();
}
