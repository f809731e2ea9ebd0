using PlayChat.Client.Text;

namespace PlayChat.Client.Tests;

public sealed class SafeTextTests
{
    [Theory]
    [InlineData("안녕 👋 e\u0301 👩‍👩‍👧 🇰🇷")]
    [InlineData("[red]no markup[/]")]
    [InlineData("")]
    public void What_is_harmless_stays_as_it_is(string text) => Assert.Equal(text, SafeText.Clean(text));

    [Theory]
    [InlineData("a\u001b[2Jb", "a␛[2Jb")]
    [InlineData("a\r\nb\tc", "a␍␊b␉c")]
    [InlineData("\0\u007f", "␀␡")]
    [InlineData("\u009b31m", "<U+009B>31m")]
    [InlineData("a\u2028b\u2029", "a␤b␤")]
    [InlineData("a\u202eb\u2066", "a<U+202E>b<U+2066>")]
    public void What_would_move_the_cursor_or_turn_the_text_is_shown_as_a_sign(string text, string expected) =>
        Assert.Equal(expected, SafeText.Clean(text));

    [Fact]
    public void Half_of_a_pair_is_replaced() => Assert.Equal("\ufffd!", SafeText.Clean("\ud83d!"));

    [Fact]
    public void No_control_character_survives()
    {
        string everything = string.Concat(Enumerable.Range(0, char.MaxValue + 1).Select(static c => (char)c));

        Assert.DoesNotContain(SafeText.Clean(everything), static c => char.IsControl(c));
    }
}
