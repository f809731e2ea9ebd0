using PlayChat.Client.Text;

namespace PlayChat.Client.Tests;

public sealed class MentionTests
{
    [Theory]
    [InlineData("hello ann", "Ann")]
    [InlineData("Ann: look", "Ann")]
    [InlineData("annually, ann", "Ann")]
    [InlineData("민수야 안녕", "민수")] // a particle follows without a space
    [InlineData("@민수", "민수")]
    [InlineData("hi *x*!", "*x*")]
    [InlineData("\ud83d\ude00 Zoe\u0308: look", "Zo\u00eb")]
    [InlineData("Zo\u00eb: look", "Zoe\u0308")]
    [InlineData("\u1106\u1175\u11ab\u1109\u116e\uc57c", "\ubbfc\uc218")] // Korean in its parts
    [InlineData("\ud83d ann", "Ann")]
    public void A_text_that_names_the_user(string text, string name) => Assert.True(Mention.IsIn(text, name));

    [Theory]
    [InlineData("Annette", "Ann")]
    [InlineData("Joann", "Ann")]
    [InlineData("ann2", "Ann")]
    [InlineData("Zoe\u0308", "Zoe")]
    [InlineData("", "Ann")]
    [InlineData("anything", "")]
    public void A_text_that_does_not(string text, string name) => Assert.False(Mention.IsIn(text, name));
}
