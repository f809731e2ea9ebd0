namespace PlayChat.Storage.Tests;

public sealed class AccountNameTests
{
    [Theory]
    [InlineData("ÄPFEL", "äpfel")]
    [InlineData("ΣΊΣΥΦΟΣ", "σίσυφοσ")]
    [InlineData("민아 👍", "민아 👍")]
    [InlineData("ＡＢＣ１", "abc1")]
    [InlineData("می\u200cخواهم", "میخواهم")]
    [InlineData("ශ්\u200dරී", "ශ්රී")]
    [InlineData("❤\ufe0f 葛\U000E0100", "❤ 葛")]
    public void A_key_is_folded_and_normalized(string name, string key)
    {
        Assert.Equal(key, AccountName.GetKey(name));
    }

    [Theory]
    [InlineData("ı")]
    [InlineData("İ")]
    [InlineData("ﬁ ß ǅ ŉ")]
    [InlineData("\ufdfa")]
    public void A_key_is_its_own_key(string name)
    {
        string key = AccountName.GetKey(name);

        Assert.Equal(key, AccountName.GetKey(key));
    }

    [Fact]
    public void A_name_whose_key_outgrows_the_index_is_refused()
    {
        // This one character normalizes to 18.
        Assert.False(AccountName.TryGetKey(new string('\ufdfa', 100), out _));
    }

    [Fact]
    public void A_noncharacter_is_refused_without_a_crash()
    {
        Assert.False(AccountName.TryGetKey("a\ufffe", out _));
        Assert.False(AccountName.TryGetKey("a\u200d\ud800", out _));
        Assert.False(AccountName.TryGetKey("\u200d", out _));
    }
}
