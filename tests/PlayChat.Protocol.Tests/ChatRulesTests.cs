namespace PlayChat.Protocol.Tests;

public sealed class ChatRulesTests
{
    [Theory]
    [InlineData("a")]
    [InlineData("민수")]
    [InlineData("Ann-Marie O'Neil")]
    [InlineData("👋🏽")]
    [InlineData(" padded ")]
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
    [InlineData(" system ")]
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

    private static string Repeat(string text, int count) => string.Concat(Enumerable.Repeat(text, count));
}
