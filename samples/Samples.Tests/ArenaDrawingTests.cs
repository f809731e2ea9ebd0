using ArenaServer.Bots;
using ArenaServer.Protocol;

namespace Samples.Tests;

public sealed class ArenaDrawingTests
{
    private static readonly ArenaSnapshot s_arena = new(
        12,
        4,
        [new(1, "ann", 0.9f, 0.2f, 3, IsAway: false), new(2, "bob", 11.9f, 3.9f, 12, IsAway: true)],
        new Cell(5, 2),
        1234);

    [Fact]
    public void A_known_arena_is_drawn_in_its_frame_with_the_scores_beside_it_and_the_news_below()
    {
        IReadOnlyList<string> lines = ArenaDrawing.Draw(s_arena, ["ann has come", "bob's connection has broken"], 80, 24, hasColors: false);

        Assert.Equal(
            [
                "Arena: 2 players, 1 away, 1,234 positions. Ctrl+C ends.",
                "┌────────────┐",
                "│A           │  b bob            12 ?",
                "│            │  A ann             3",
                "│     $      │",
                "│           b│",
                "└────────────┘",
                "ann has come",
                "bob's connection has broken",
            ],
            lines);
    }

    [Fact]
    public void Colors_are_around_single_letters()
    {
        IReadOnlyList<string> lines = ArenaDrawing.Draw(s_arena, [], 80, 24, hasColors: true);

        Assert.StartsWith("│\u001b[38;5;46mA\u001b[0m           │", lines[2], StringComparison.Ordinal);
        Assert.Contains("     \u001b[1;33m$\u001b[0m      ", lines[4], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(100, 40)]
    [InlineData(80, 24)]
    [InlineData(48, 10)]
    [InlineData(30, 8)]
    [InlineData(20, 6)]
    public void It_never_takes_more_room_than_there_is(int columns, int rows)
    {
        ArenaSnapshot large = s_arena with { Width = 60, Height = 20 };

        IReadOnlyList<string> lines =
            ArenaDrawing.Draw(large, ["one", "two", "three", new string('x', 200)], columns, rows, hasColors: false);

        Assert.InRange(lines.Count, 1, rows);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, columns));
        Assert.Contains(lines, static line => line.Contains('A'));
        Assert.Contains(lines, static line => line.Contains('$'));
    }

    [Fact]
    public void The_summary_ranks_by_coins() => Assert.Equal("1,234 positions came. bob 12, ann 3", ArenaDrawing.Summary(s_arena));
}
