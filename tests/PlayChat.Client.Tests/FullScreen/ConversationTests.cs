using System.Globalization;
using PlayChat.Client.FullScreen;
using PlayChat.Client.Interaction;

namespace PlayChat.Client.Tests.FullScreen;

public sealed class ConversationTests
{
    private const int Columns = 20;
    private const int Rows = 5;

    private readonly Conversation _room = new(1, "room");

    [Fact]
    public void The_newest_lines_are_seen_until_the_user_scrolls_and_then_the_same_ones()
    {
        Add(0, 20);
        Assert.Equal(["15", "16", "17", "18", "19"], Seen());

        _room.Scroll(up: 3, Columns, Rows);
        Add(20, 5);
        Assert.Equal(["12", "13", "14", "15", "16"], Seen());
        Assert.Equal(8, _room.LinesBelow);

        _room.AddBefore([Line("earlier")]);
        Assert.Equal(["12", "13", "14", "15", "16"], Seen());

        _room.Scroll(up: -100, Columns, Rows);
        Assert.Equal(["20", "21", "22", "23", "24"], Seen());
        Add(25, 1);
        Assert.Equal(["21", "22", "23", "24", "25"], Seen());
    }

    [Fact]
    public void Scrolling_ends_at_the_oldest_line_and_says_so()
    {
        Add(0, 7);

        Assert.True(_room.Scroll(up: 100, Columns, Rows));
        Assert.Equal(["0", "1", "2", "3", "4"], Seen());
        Assert.False(_room.Scroll(up: 1, Columns, Rows));
        Assert.Equal(["0", "1", "2", "3", "4"], Seen());
    }

    [Fact]
    public void A_line_of_many_rows_is_scrolled_by_rows()
    {
        string words = string.Join(' ', Enumerable.Range(0, 20).Select(static i => $"word-number-{i:00}--"));
        _room.Add(Line(words), isSeen: true);

        _room.Scroll(up: 10, Columns, Rows);

        Assert.Equal(["word-number-05--", "word-number-06--", "word-number-07--", "word-number-08--", "word-number-09--"], Seen());
    }

    [Fact]
    public void The_mark_for_unread_messages_stands_before_the_first_of_them_until_the_user_goes_on()
    {
        Add(0, 1);
        _room.Add(Line("new") with { IsMention = true }, isSeen: false);
        _room.Add(Line("newer"), isSeen: false);
        Assert.Equal((2, true), (_room.Unread, _room.IsMentioned));

        _room.Enter();
        Assert.Equal((0, false), (_room.Unread, _room.IsMentioned));
        Assert.Equal(["0", "─────── new ────────", "new", "newer"], Seen());

        _room.Leave();
        Assert.Equal(["0", "new", "newer"], Seen());
    }

    [Fact]
    public void The_first_line_of_another_day_stands_below_its_date()
    {
        var evening = new DateTimeOffset(2026, 3, 14, 23, 59, 0, TimeSpan.Zero);
        foreach (int minutes in (int[])[0, 0, 1, 2])
        {
            _room.Add(new ScreenLine(LineKind.Info, $"+{minutes}", At: evening.AddMinutes(minutes)), isSeen: true);
        }

        Assert.Equal(
            ["+0", "+0", new string('─', 14) + " 2026-03-15 " + new string('─', 14), "+1", "+2"],
            _room.SeenRows(40, Rows).Select(static row => row[^1].Text),
            StringComparer.Ordinal);
    }

    [Fact]
    public void The_oldest_lines_go_when_there_are_too_many()
    {
        Add(0, Conversation.MaxLines);
        _room.Scroll(up: 2, Columns, Rows);
        IReadOnlyList<string> seen = Seen();

        Add(Conversation.MaxLines, 3);

        Assert.Equal(Conversation.MaxLines, _room.Lines.Count);
        Assert.Equal("3", _room.Lines[0].Text);
        Assert.Equal(seen, Seen());
    }

    [Fact]
    public void Another_width_keeps_the_line_that_is_seen()
    {
        for (int i = 0; i < 30; i++)
        {
            _room.Add(Line($"line {i} with words that need two rows"), isSeen: true);
        }

        _room.Scroll(up: 21, Columns, Rows);
        Assert.Contains(Seen(), static row => row.StartsWith("line 18", StringComparison.Ordinal));

        Assert.Contains(
            _room.SeenRows(60, Rows), static row => row[^1].Text.StartsWith("line 18", StringComparison.Ordinal));
    }

    private static ScreenLine Line(string text) => new(LineKind.Chat, text, Speaker: null);

    private void Add(int from, int count)
    {
        for (int i = from; i < from + count; i++)
        {
            _room.Add(new ScreenLine(LineKind.Info, i.ToString(CultureInfo.InvariantCulture)), isSeen: true);
        }
    }

    // Without the ": " before the text of a line of chat.
    private string[] Seen() => [.. _room.SeenRows(Columns, Rows).Select(static row => row[^1].Text)];
}
