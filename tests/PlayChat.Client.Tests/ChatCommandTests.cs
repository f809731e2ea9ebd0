using PlayChat.Client.Interaction;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

public sealed class ChatCommandTests
{
    [Theory]
    [InlineData("/join Lobby One", "/join", "Lobby One")]
    [InlineData("/JOIN  Lobby ", "/join", "Lobby")]
    [InlineData("/Part", "/exit", "")]
    [InlineData("/query Ann hi", "/msg", "Ann hi")]
    [InlineData("/", "/", "")]
    [InlineData("/me", "/me", "")]
    [InlineData("/msg\tAnn hi", "/msg", "Ann hi")]
    [InlineData("/join\u3000Lobby", "/join", "Lobby")]
    [InlineData("\uff0fmsg Ann hi", "/msg", "Ann hi")]
    [InlineData("\u2044msg Ann hi", "/msg", "Ann hi")]
    [InlineData("\u2215msg Ann hi", "/msg", "Ann hi")]
    [InlineData("\u200b/msg Ann hi", "/msg", "Ann hi")]
    [InlineData("\u202e\u2060\ufeff/msg Ann hi", "/msg", "Ann hi")]
    [InlineData("\u0015\u001b\0/quit", "/quit", "")]
    [InlineData("\u3164\U000e0020\ufe0f\uff0fquit", "/quit", "")]
    public void A_line_with_a_slash_is_a_command(string line, string name, string argument) =>
        Assert.Equal(new ChatCommand(name, argument), ChatCommand.Read(line));

    [Theory]
    [InlineData("hello /join", "hello /join")]
    [InlineData("//join", "/join")]
    [InlineData(" //join", " //join")]
    [InlineData("  /exit", "  /exit")]
    [InlineData("\t/me waves", "\t/me waves")]
    [InlineData("/ME  waves", "*waves*")]
    [InlineData(" indented", " indented")]
    [InlineData("\u200d\u2640", "\u200d\u2640")]
    [InlineData("\u200b\ud800/x", "\u200b\ud800/x")]
    [InlineData("\uff0f\uff0fjoin", "\uff0fjoin")]
    [InlineData("/\uff0fjoin", "\uff0fjoin")]
    [InlineData("\u200b//join", "/join")]
    [InlineData("\uff0fme\u3000waves", "*waves*")]
    public void What_is_no_command_is_said(string line, string text)
    {
        Assert.Null(ChatCommand.Read(line));
        Assert.Equal(text, ChatCommand.TextOf(line));
    }

    [Theory]
    [InlineData("hello", "hello")]
    [InlineData("/quit", "/quit")]
    [InlineData("//quit", "//quit")]
    [InlineData("\uff0fquit", "\uff0fquit")]
    [InlineData("\u200b/quit", "/quit")]
    [InlineData("/me waves", "/me waves")]
    public void A_quoted_text_is_said_whatever_it_begins_with(string text, string said)
    {
        string line = ChatCommand.Quote(text);

        Assert.Null(ChatCommand.Read(line));
        Assert.Equal(said, ChatCommand.TextOf(line));
    }

    [Fact]
    public void The_page_knows_the_same_names_and_says_the_same_about_them()
    {
        string page = Repository.Read("clients/web/src/commands.ts");

        Assert.All(ChatCommand.OtherNames, name =>
            Assert.Contains($"\"{name.Key}\": \"{name.Value}\",", page, StringComparison.Ordinal));
        Assert.All(ChatCommand.Advices, advice =>
            Assert.Contains($"\"{advice.Key}\": \"{advice.Value}\",", page, StringComparison.Ordinal));
    }
}
