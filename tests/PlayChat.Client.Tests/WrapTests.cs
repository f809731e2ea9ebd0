using PlayChat.Client.Text;

namespace PlayChat.Client.Tests;

public sealed class WrapTests
{
    [Theory]
    [InlineData("", 10, 10, "")]
    [InlineData("one two three", 10, 10, "one two|three")]
    [InlineData("one two three", 3, 10, "one|two three")]
    [InlineData("hello", 3, 10, "|hello")]
    [InlineData("hello", 0, 3, "|hel|lo")]
    [InlineData("a longestword b", 6, 6, "a|longes|tword|b")]
    [InlineData("한국어 방", 6, 6, "한국어|방")]
    [InlineData("한국어방", 5, 5, "한국|어방")]
    [InlineData("a   b", 2, 2, "a|b")]
    public void Lines_break_at_spaces_and_only_words_that_are_too_wide_are_broken(string text, int first, int columns, string expected)
    {
        Assert.Equal(expected, string.Join('|', TextWidth.Wrap(text, first, columns)));
    }

    [Fact]
    public void No_line_is_wider_than_it_may_be_and_no_letter_is_lost()
    {
        const string Text = "The 👩‍👩‍👧 family said: 안녕하세요 여러분, averyveryverylongwordthatfitsnowhere, and e\u0301 too.";
        for (int columns = 2; columns < 60; columns++)
        {
            for (int first = 0; first <= columns; first++)
            {
                List<string> lines = TextWidth.Wrap(Text, first, columns);

                Assert.True(TextWidth.Of(lines[0]) <= first);
                Assert.All(lines.Skip(1), line => Assert.True(TextWidth.Of(line) <= columns));
                Assert.Equal(WithoutSpaces(Text), WithoutSpaces(string.Concat(lines)));
            }
        }
    }

    private static string WithoutSpaces(string text) => text.Replace(" ", "", StringComparison.Ordinal);
}
