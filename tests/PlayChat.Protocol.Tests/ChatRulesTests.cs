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
    [InlineData("\U0001FAEA")] // an emoji of 2025
    [InlineData("\U0001FAFF")] // reserved for a later one
    [InlineData("❤\ufe0f\u200d🔥")]
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
    [InlineData("ꜱʏꜱᴛᴇᴍ")]
    [InlineData("\u054fYSTEM")]
    [InlineData("ᏚᎩᏚᎢᎬᎷ")]
    [InlineData("ꓢꓬꓢꓔꓰꓟ")]
    [InlineData("Ꮪ\u200dYSTEM")]
    [InlineData("🆂🆈🆂🆃🅴🅼")]
    [InlineData("🅢🅨🅢🅣🅔🅜")]
    [InlineData("🇸🇾🇸🇹🇪🇲")]
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
    [InlineData("a\u200d")]
    [InlineData("я\u200c")]
    [InlineData("a \u200cb")]
    [InlineData("\u200bа")]
    public void A_player_name_that_breaks_a_rule_is_refused(string name) => Assert.False(ChatRules.IsPlayerName(name));

    [Theory]
    [InlineData("", "is empty")]
    [InlineData(" ada", "a space at one of its ends")]
    [InlineData("ada ", "a space at one of its ends")]
    [InlineData("ada  lovelace", "two spaces in a row")]
    [InlineData("ada\nlovelace", "a character that no name may have")]
    [InlineData("\u0301", "marks alone")]
    [InlineData("z\u0301\u0301\u0301\u0301\u0301", "too many marks")]
    [InlineData("SYSTEM", "reserved")]
    [InlineData("ЅУЅТЕМ", "reserved")]
    [InlineData("ad\u0430", "mixes letters")]
    [InlineData("a name of 33 characters is too big", "too long: 32 characters are the most")]
    public void A_player_name_is_refused_for_the_rule_that_it_breaks(string name, string problem) =>
        Assert.Contains(problem, ChatRules.FindPlayerNameProblem(name), StringComparison.Ordinal);

    [Theory]
    [InlineData(0x00AD)]
    [InlineData(0x034F)]
    [InlineData(0x061C)]
    [InlineData(0x115F)]
    [InlineData(0x1160)]
    [InlineData(0x17B4)]
    [InlineData(0x180E)]
    [InlineData(0x2060)]
    [InlineData(0x2065)] // not assigned, and ignorable
    [InlineData(0x2800)]
    [InlineData(0x3164)]
    [InlineData(0xFEFF)]
    [InlineData(0xFFA0)]
    [InlineData(0xFFF9)]
    [InlineData(0xFFFC)]
    [InlineData(0x13430)]
    [InlineData(0x13441)]
    [InlineData(0x16FE4)]
    [InlineData(0x1BCA0)]
    [InlineData(0x1D159)]
    [InlineData(0x1D173)]
    [InlineData(0xE0001)]
    [InlineData(0xE0041)]
    [InlineData(0xE0100)]
    [InlineData(0xE0FFF)]
    [InlineData(0x1039)] // joins Burmese letters, and is not drawn itself
    [InlineData(0x17D2)]
    [InlineData(0x2D7F)]
    [InlineData(0x1107F)]
    public void A_name_has_nothing_invisible(int codePoint)
    {
        string invisible = new Rune(codePoint).ToString();

        Assert.False(ChatRules.IsPlayerName($"owner{invisible}"));
        Assert.False(ChatRules.IsPlayerName($"ow{invisible}ner"));
        Assert.False(ChatRules.IsRoomName($"owner{invisible}"));
        Assert.False(ChatRules.IsRoomName(invisible));
    }

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
    [InlineData("hi \U0001FAEA \U0001FAFF")] // an emoji of 2025, and one of a later year
    [InlineData("\uf8ff \u0378 \U00030000 \U000FFFFD")] // private, unassigned
    [InlineData("\U0001F3F4\U000E0067\U000E0062\U000E007F")]
    [InlineData("a\u0301\u0302\u0303\u0304\u0323\u0324\u0325\u0326")] // four above, four below
    public void A_usual_text_is_said_as_it_is(string text) => Assert.Same(text, ChatRules.Clean(text));

    [Theory]
    [InlineData("a\u0007\u001b[2Jb\u0085", "a[2Jb")]
    [InlineData("x\u202egpj.exe", "xgpj.exe")]
    [InlineData("\u2067a\u2069", "a")]
    [InlineData("\uffff\ufdd0\U0001FFFE", "\ufffd\ufffd\ufffd")]
    [InlineData("z\u0301\u0302\u0303\u0304\u0305\u0306!", "z\u0301\u0302\u0303\u0304!")]
    [InlineData("z\u0301\u0302\u0303\u0304\u200d\u0305\u034f\u0306\ufe0f\u0307", "z\u0301\u0302\u0303\u0304\u200d\u034f\ufe0f")]
    [InlineData("ก็็็็็็", "ก็็็็")] // of class 0, as all vowels of Thai
    [InlineData("z\u0301\u0302\u0303\u0304\u00ad\u0305", "z\u0301\u0302\u0303\u0304\u00ad")]
    [InlineData("a\u0301\u0302\u0303\u0304\u0323\u0324\u0325\u0326\u0334", "a\u0301\u0302\u0303\u0304\u0323\u0324\u0325\u0326")]
    [InlineData("\U0001D158\U0001D165\U0001D165\U0001D165\U0001D165\U0001D165", "\U0001D158\U0001D165\U0001D165\U0001D165\U0001D165")]
    [InlineData("z\u0897\u0897\u0897\u0897\u0897", "z\u0897\u0897\u0897\u0897")] // a mark of 2024
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
