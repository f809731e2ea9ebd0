using System.Runtime.CompilerServices;
using PlayChat.Client.Interaction;

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
    public void What_is_no_command_is_said(string line, string text)
    {
        Assert.Null(ChatCommand.Read(line));
        Assert.Equal(text, ChatCommand.TextOf(line));
    }

    [Fact]
    public void The_page_knows_the_same_names_and_says_the_same_about_them()
    {
        string page = File.ReadAllText(Path.Combine(Path.GetDirectoryName(FileName())!, "../../clients/web/src/commands.ts"));

        Assert.All(ChatCommand.OtherNames, name =>
            Assert.Contains($"\"{name.Key}\": \"{name.Value}\",", page, StringComparison.Ordinal));
        Assert.All(ChatCommand.Advices, advice =>
            Assert.Contains($"\"{advice.Key}\": \"{advice.Value}\",", page, StringComparison.Ordinal));
    }

    private static string FileName([CallerFilePath] string file = "") => file;
}
