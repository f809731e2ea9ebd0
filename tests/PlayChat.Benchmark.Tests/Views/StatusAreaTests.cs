using PlayChat.Benchmark.Views;

namespace PlayChat.Benchmark.Tests.Views;

public sealed class StatusAreaTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Status_lines_never_climb_over_the_text_above(int lines)
    {
        using var screen = new Screen();
        using var status = new StatusArea(screen, () => screen.Columns, colored: true);
        screen.Write("before\r\n");

        for (int i = 0; i < 5; i++)
        {
            status.Show(Lines($"status {i}", lines));
            status.Show(Lines($"status {i} again", lines));
            status.WriteLine($"text {i}");
        }

        string[] text = ["before", "text 0", "text 1", "text 2", "text 3", "text 4"];
        Assert.Equal([.. text, .. Enumerable.Repeat("status 4 again", lines)], screen.Rows);
        status.Dispose();
        Assert.Equal(text, screen.Rows);
    }

    [Fact]
    public void Fewer_lines_and_shorter_ones_leave_nothing_of_those_before()
    {
        using var screen = new Screen();
        using var status = new StatusArea(screen, () => screen.Columns, colored: false);

        status.Show(Lines("a long line", 3));
        status.Show(Lines("short", 2));
        status.WriteLine("two\nlines");

        Assert.Equal(["two", "lines", "short", "short"], screen.Rows);
    }

    [Fact]
    public void A_status_line_is_cut_where_the_terminal_ends_and_text_wraps()
    {
        using var screen = new Screen { Columns = 10 };
        using var status = new StatusArea(screen, () => screen.Columns, colored: true);

        status.Show(new StatusLine().Add("12345", StatusStyle.Bold).Add("6789012345", StatusStyle.Bad));
        status.WriteLine("abcdefghijkl");
        status.Show(new StatusLine().Add("12345").Add("6789012345"));

        Assert.Equal(["abcdefghij", "kl", "123456789"], screen.Rows);
    }

    [Fact]
    public void A_line_that_a_narrower_window_has_wrapped_counts_as_several_rows()
    {
        using var output = new StringWriter();
        int width = 80;
        using var status = new StatusArea(output, () => width, colored: false);
        status.Show(new StatusLine().Add(new string('x', 60)));
        output.GetStringBuilder().Clear();

        width = 40;
        status.Show(new StatusLine().Add("y"));

        Assert.StartsWith("\r\u001b[1Ay", output.ToString(), StringComparison.Ordinal);
    }

    private static StatusLine[] Lines(string text, int count) =>
        Enumerable.Range(0, count).Select(_ => new StatusLine().Add(text)).ToArray();
}
