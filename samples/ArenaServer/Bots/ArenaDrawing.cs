using System.Globalization;
using System.Text;
using ArenaServer.Protocol;

namespace ArenaServer.Bots;

/// <summary>Draws an arena as lines of text, scaled to the room there is.</summary>
internal static class ArenaDrawing
{
    private const int BoardColumns = 24;
    private const int MinColumns = 20;
    private const int MinRows = 6;
    private const string NoColor = "\u001b[0m";
    private const string CoinColor = "\u001b[1;33m";

    private static readonly int[] s_colors = [196, 46, 51, 201, 214, 81, 118, 141, 203, 45, 227, 213]; // of the 256

    /// <summary>The arena in its frame, scores beside it, the news below.</summary>
    /// <param name="arena">What to draw.</param>
    /// <param name="news">The newest last; as many as there is room for.</param>
    /// <param name="columns">The width there is.</param>
    /// <param name="rows">The height there is.</param>
    /// <param name="hasColors">Whether ANSI colors may be used.</param>
    public static IReadOnlyList<string> Draw(ArenaSnapshot arena, IReadOnlyList<string> news, int columns, int rows, bool hasColors)
    {
        columns = Math.Max(columns, MinColumns);
        rows = Math.Max(rows, MinRows);
        bool hasBoard = columns >= 2 * BoardColumns;
        int width = Math.Min(arena.Width, columns - 2 - (hasBoard ? BoardColumns : 0));
        int newsLines = Math.Min(news.Count, Math.Max(0, rows - MinRows));
        int height = Math.Min(arena.Height, rows - 3 - newsLines);
        string?[] cells = PlaceAll(arena, width, height, hasColors);
        List<string> board = hasBoard ? Board(arena, height, hasColors) : [];

        List<string> lines = [Cut(Title(arena), columns), $"┌{new string('─', width)}┐"];
        for (int y = 0; y < height; y++)
        {
            var line = new StringBuilder("│");
            for (int x = 0; x < width; x++)
            {
                line.Append(cells[(y * width) + x] ?? " ");
            }

            line.Append('│');
            if (y < board.Count)
            {
                line.Append("  ").Append(board[y]);
            }

            lines.Add(line.ToString());
        }

        lines.Add($"└{new string('─', width)}┘");
        lines.AddRange(news.Skip(news.Count - newsLines).Select(line => Cut(line, columns)));
        return lines;
    }

    /// <summary>What has come of it, in a line.</summary>
    public static string Summary(ArenaSnapshot arena) => string.Create(
        CultureInfo.InvariantCulture,
        $"{arena.Positions:N0} positions came. "
            + $"{string.Join(", ", Ranked(arena).Select(static player => $"{player.Name} {player.Score}"))}");

    private static string Title(ArenaSnapshot arena) => string.Create(
        CultureInfo.InvariantCulture,
        $"Arena: {arena.Players.Count} players, {arena.Players.Count(static player => player.IsAway)} away, {arena.Positions:N0} "
            + $"positions. Ctrl+C ends.");

    private static IEnumerable<PlayerState> Ranked(ArenaSnapshot arena) =>
        arena.Players.OrderByDescending(static player => player.Score).ThenBy(static player => player.Id);

    private static string?[] PlaceAll(ArenaSnapshot arena, int width, int height, bool hasColors)
    {
        string?[] cells = new string?[width * height];
        void Place(float x, float y, string text)
        {
            int column = Math.Clamp((int)(x * width / arena.Width), 0, width - 1);
            int row = Math.Clamp((int)(y * height / arena.Height), 0, height - 1);
            cells[(row * width) + column] = text;
        }

        Place(arena.Coin.X, arena.Coin.Y, Colored("$", CoinColor, hasColors));
        foreach (PlayerState player in arena.Players)
        {
            Place(player.X, player.Y, Colored(Letter(player), Color(player), hasColors));
        }

        return cells;
    }

    private static List<string> Board(ArenaSnapshot arena, int height, bool hasColors) =>
    [
        .. Ranked(arena).Take(height).Select(player => string.Create(
            CultureInfo.InvariantCulture,
            $"{Colored(Letter(player), Color(player), hasColors)} {Cut(player.Name, 12),-12} "
                + $"{player.Score,4}{(player.IsAway ? " ?" : "")}")),
    ];

    /// <summary>Who is away is drawn small.</summary>
    private static string Letter(PlayerState player)
    {
        char letter = char.IsAsciiLetterOrDigit(player.Name[0]) ? player.Name[0] : '#'; // others may be two columns wide, or none
        return (player.IsAway ? char.ToLowerInvariant(letter) : char.ToUpperInvariant(letter)).ToString();
    }

    private static string Color(PlayerState player) => $"\u001b[38;5;{s_colors[player.Id % s_colors.Length]}m";

    private static string Colored(string text, string color, bool hasColors) => hasColors ? color + text + NoColor : text;

    private static string Cut(string text, int columns) => text.Length <= columns ? text : text[..columns];
}
