using PlayChat.Client.Text;

namespace PlayChat.Client.Tests;

public sealed class TextWidthTests
{
    [Theory]
    [InlineData("", 0)]
    [InlineData("hello", 5)]
    [InlineData("안녕", 4)]
    [InlineData("\u1112\u1161\u11ab", 2)] // 한 in three jamo
    [InlineData("漢字かな", 8)]
    [InlineData("e\u0301", 1)]
    [InlineData("👋", 2)]
    [InlineData("👋🏽", 2)]
    [InlineData("👩‍👩‍👧", 2)]
    [InlineData("🇰🇷", 2)]
    [InlineData("❤️", 2)]
    [InlineData("❤", 1)]
    [InlineData("ＡＢ", 4)]
    [InlineData("\u200b", 0)]
    [InlineData("ㄱ", 2)]
    public void Columns_are_counted_by_what_a_reader_sees(string text, int columns) => Assert.Equal(columns, TextWidth.Of(text));
}
