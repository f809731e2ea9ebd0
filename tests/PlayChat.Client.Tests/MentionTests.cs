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
    public void A_text_that_names_the_user(string text, string name) => Assert.True(Mention.IsIn(text, name));

    [Theory]
    [InlineData("Annette", "Ann")]
    [InlineData("Joann", "Ann")]
    [InlineData("ann2", "Ann")]
    [InlineData("", "Ann")]
    [InlineData("anything", "")]
    public void A_text_that_does_not(string text, string name) => Assert.False(Mention.IsIn(text, name));
}
