using System.Text;

namespace ArenaServer.Bots;

/// <summary>A terminal that understands ANSI sequences. While it draws, what was there before is put aside.</summary>
internal sealed class TerminalScreen : IArenaScreen
{
    private const string Enter = "\u001b[?1049h\u001b[?25l\u001b[2J"; // another screen, no cursor, empty
    private const string Leave = "\u001b[?25h\u001b[?1049l";
    private const int NewsLines = 4;

    private readonly TextWriter _output;
    private readonly bool _hasColors = Environment.GetEnvironmentVariable("NO_COLOR") is null or "";
    private readonly Queue<string> _news = new();
    private bool _left;

    public TerminalScreen(TextWriter output)
    {
        _output = output;
        Console.OutputEncoding = Encoding.UTF8;
        _output.Write(Enter);
    }

    public void Show(ArenaSnapshot arena, IReadOnlyList<string> news)
    {
        foreach (string line in news)
        {
            _news.Enqueue(line);
        }

        while (_news.Count > NewsLines)
        {
            _news.Dequeue();
        }

        // Some terminals give no size.
        int columns = Console.WindowWidth is > 0 and int width ? width : 80;
        int rows = Console.WindowHeight is > 0 and int height ? height : 24;
        var frame = new StringBuilder("\u001b[H");
        IReadOnlyList<string> lines = ArenaDrawing.Draw(arena, [.. _news], columns, rows, _hasColors);
        for (int i = 0; i < lines.Count; i++)
        {
            // Each line is cleared behind its text; no line break behind the last one, or the screen scrolls.
            frame.Append(i > 0 ? "\r\n" : "").Append(lines[i]).Append("\u001b[K");
        }

        _output.Write(frame.Append("\u001b[J"));
        _output.Flush();
    }

    public void ShowEnd(ArenaSnapshot arena)
    {
        Dispose();
        _output.WriteLine(ArenaDrawing.Summary(arena));
    }

    public void Dispose()
    {
        if (!_left)
        {
            _left = true;
            _output.Write(Leave);
            _output.Flush();
        }
    }
}
