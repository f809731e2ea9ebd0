using PlayChat.Client.Interaction;

namespace PlayChat.Client.Tests;

public sealed class CompletionsTests
{
    private static readonly string[] s_commands = ["/members", "/join", "/msg", "/history", "/help"];
    private static readonly string[] s_rooms = ["lobby", "Long talks", "한국어 방"];
    private static readonly string[] s_members = ["Ann", "Anton", "민수"];
    private static readonly string[] s_players = ["Ann", "Bob Lee"];

    [Theory]
    [InlineData("/h", "/help |/history ")]
    [InlineData("/x", "")]
    [InlineData("/join l", "/join lobby|/join Long talks")]
    [InlineData("/join long t", "/join Long talks")]
    [InlineData("an", "Ann: |Anton: ")]
    [InlineData("hello 민", "hello 민수 ")]
    [InlineData("hello ", "")]
    [InlineData("/m", "/members |/msg ")]
    [InlineData("/msg ", "/msg Ann |/msg Bob Lee ")]
    [InlineData("/msg bob l", "/msg Bob Lee ")]
    [InlineData("/msg bob lee ask an", "/msg bob lee ask Ann |/msg bob lee ask Anton ")]
    public void Tab_completes_commands_rooms_and_names(string before, string expected)
    {
        Assert.Equal(expected, string.Join('|', Completions.Find(before, s_commands, s_rooms, s_members, s_players)));
    }
}
