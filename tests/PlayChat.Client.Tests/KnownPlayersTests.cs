using PlayChat.Client.Screens;
using PlayChat.Protocol;

namespace PlayChat.Client.Tests;

public sealed class KnownPlayersTests
{
    private static readonly Member[] s_players =
        [new() { PlayerId = 1, Name = "Ann" }, new() { PlayerId = 2, Name = "Ann Lee" }, new() { PlayerId = 3, Name = "민수" }];

    [Theory]
    [InlineData("Ann hello", 1)]
    [InlineData("ann lee hello", 2)]
    [InlineData("Ann Leeds is far", 1)]
    [InlineData("ANN LEE", 2)]
    [InlineData("민수 안녕", 3)]
    [InlineData("Anna hello", 0)]
    [InlineData("Lee hello", 0)]
    [InlineData("", 0)]
    public void The_longest_name_that_the_text_begins_with_is_found(string text, long expected)
    {
        Assert.Equal(expected, KnownPlayers.FindAtStart(s_players, text)?.PlayerId ?? 0);
    }

    [Fact]
    public void Members_come_first_and_a_player_that_has_spoken_counts_with_its_last_id_and_name()
    {
        var players = new KnownPlayers();
        players.Note(4, "Bob");
        players.Note(5, "Carl");
        players.Note(6, "bob"); // another server gave another id
        players.Note(7, "ANN");

        Assert.Equal("1 Ann, 6 bob, 5 Carl", string.Join(", ", players.With([s_players[0]]).Select(static player =>
            $"{player.PlayerId} {player.Name}")));
    }

    [Fact]
    public void The_player_that_was_silent_for_longest_is_forgotten()
    {
        var players = new KnownPlayers();
        for (int i = 1; i <= 501; i++)
        {
            players.Note(i, $"player {i}");
        }

        List<Member> known = players.With([]);

        Assert.Equal((500, 501, 2), (known.Count, known[0].PlayerId, known[^1].PlayerId));
    }
}
