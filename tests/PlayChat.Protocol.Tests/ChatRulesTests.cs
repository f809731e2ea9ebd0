using System.Text;

namespace PlayChat.Protocol.Tests;

public sealed class ChatRulesTests
{
    [Theory]
    [InlineData("a")]
    [InlineData("민수")]
    [InlineData("Ann-Marie O'Neil")]
    [InlineData("👋🏽")]
    [InlineData("Ζωή")]
    [InlineData("Андрей 2")]
    [InlineData("日本 Tokyo")]
    [InlineData("नमस्ते")]
    [InlineData("systematic")]
    public void A_usual_player_name_is_allowed(string name) => Assert.True(ChatRules.IsPlayerName(name));

    [Theory]
    [InlineData("")]
    [InlineData("   ")]
    [InlineData("a\nb")]
    [InlineData("a\u0000")]
    [InlineData("a\u007f")]
    [InlineData("a\u0085b")]
    [InlineData("a\u2028b")]
    [InlineData("SYSTEM")]
    [InlineData("System")]
    [InlineData("ѕуѕтем")]
    [InlineData("ЅУЅТЕМ")]
    [InlineData("SY\u200bSTEM")]
    [InlineData(" ada")]
    [InlineData("ada ")]
    [InlineData("ada  lovelace")]
    [InlineData("ada\u00a0lovelace")]
    [InlineData("ad\u202ea")]
    [InlineData("\u3164")]
    [InlineData("\u2800\u115f")]
    [InlineData("ad\u0430")] // a Cyrillic letter among Latin ones
    [InlineData("\u0301")] // a mark on nothing
    [InlineData("z\u0301\u0301\u0301\u0301\u0301")]
    [InlineData("a\uffff")]
    [InlineData("a\ue000")]
    [InlineData("a\u0378")] // not assigned
    [InlineData("a\ufe0f")]
    public void A_player_name_that_breaks_a_rule_is_refused(string name) => Assert.False(ChatRules.IsPlayerName(name));

    [Fact]
    public void Names_are_measured_in_code_points()
    {
        Assert.True(ChatRules.IsPlayerName(Repeat("👋", 32)));
        Assert.False(ChatRules.IsPlayerName(Repeat("👋", 33)));
        Assert.True(ChatRules.IsRoomName(Repeat("방", 64)));
        Assert.False(ChatRules.IsRoomName(Repeat("방", 65)));
        Assert.True(ChatRules.IsClientVersion(Repeat("1", 64)));
        Assert.False(ChatRules.IsClientVersion(Repeat("1", 65)));
    }

    [Fact]
    public void Texts_and_passwords_are_measured_in_bytes()
    {
        Assert.True(ChatRules.IsText(Repeat("👋", 1000)));
        Assert.False(ChatRules.IsText(Repeat("👋", 1000) + "!"));
        Assert.True(ChatRules.IsPassword(Repeat("가", 85) + "1"));
        Assert.False(ChatRules.IsPassword(Repeat("가", 85) + "12"));
    }

    [Fact]
    public void What_may_be_empty_is_the_password_and_the_client_version()
    {
        Assert.False(ChatRules.IsText(string.Empty));
        Assert.False(ChatRules.IsRoomName(string.Empty));
        Assert.True(ChatRules.IsPassword(string.Empty));
        Assert.True(ChatRules.IsClientVersion(string.Empty));
    }

    [Fact]
    public void Nothing_at_all_is_never_allowed()
    {
        Assert.False(ChatRules.IsPlayerName(null));
        Assert.False(ChatRules.IsRoomName(null));
        Assert.False(ChatRules.IsText(null));
        Assert.False(ChatRules.IsPassword(null));
        Assert.False(ChatRules.IsClientVersion(null));
    }

    [Fact]
    public void Text_may_hold_line_breaks() => Assert.True(ChatRules.IsText("one\ntwo\t\u0007"));

    [Theory]
    [InlineData("👩‍👩‍👧 family")]
    [InlineData("می‌خواهم")]
    [InlineData("❤\ufe0f")]
    [InlineData(" a　room ")]
    public void A_room_name_may_have_joiners_and_any_space(string name) => Assert.True(ChatRules.IsRoomName(name));

    [Theory]
    [InlineData("a\u202eb")]
    [InlineData("a\u2066b")]
    [InlineData("\uffff")]
    [InlineData("\u200d")]
    [InlineData("a\u200b")]
    [InlineData("\u3164")]
    [InlineData("x\u0301\u0301\u0301\u0301\u0301")]
    public void A_room_name_that_cannot_be_seen_is_refused(string name) => Assert.False(ChatRules.IsRoomName(name));

    [Theory]
    [InlineData("plain")]
    [InlineData("two\r\nlines\tand a tab")]
    [InlineData("한글 👩‍👩‍👧 שלום \u200f نص")]
    public void A_usual_text_is_said_as_it_is(string text) => Assert.Same(text, ChatRules.Clean(text));

    [Theory]
    [InlineData("a\u0007\u001b[2Jb\u0085", "a[2Jb")]
    [InlineData("x\u202egpj.exe", "xgpj.exe")]
    [InlineData("\u2067a\u2069", "a")]
    [InlineData("\ue000\uffff\u0378", "\ufffd\ufffd\ufffd")]
    [InlineData("z\u0301\u0302\u0303\u0304\u0305\u0306!", "z\u0301\u0302\u0303\u0304!")]
    [InlineData("\u0000", "")]
    public void A_hostile_text_is_cleaned(string text, string clean) => Assert.Equal(clean, ChatRules.Clean(text));

    [Fact]
    public void No_text_that_is_cleaned_needs_it_again_or_grows()
    {
        var random = new Random(20261123);
        for (int i = 0; i < 2000; i++)
        {
            string text = string.Concat(Enumerable.Range(0, random.Next(1, 40)).Select(_ => new Rune(RandomScalar(random)).ToString()));
            string clean = ChatRules.Clean(text);

            Assert.Same(clean, ChatRules.Clean(clean));
            Assert.InRange(clean.Length, 0, text.Length);
        }

        static int RandomScalar(Random random)
        {
            int value = random.Next(0x110000 - 0x800);
            return value < 0xD800 ? value : value + 0x800;
        }
    }

    private static string Repeat(string text, int count) => string.Concat(Enumerable.Repeat(text, count));
}
