using PlayChat.Chat.Rooms;
using PlayChat.Storage;

namespace PlayChat.Server.Tests.Rooms;

public sealed class RecentOfPlayersTests
{
    [Fact]
    public void Stored_messages_are_known_to_be_their_senders_and_those_without_an_id_are_not()
    {
        var recent = new RecentOfPlayers(16, maxPlayers: 256);

        recent.Restore([Said(5, player: 1, id: 10), Said(6, player: 2, id: 10), Said(7, player: 1, id: 0), Said(8, player: 1, id: 11)]);

        Assert.True(recent.TryFind(1, 10, out long first));
        Assert.True(recent.TryFind(1, 11, out long second));
        Assert.Equal((5L, 8L), (first, second));
        Assert.True(recent.TryFind(2, 10, out long other));
        Assert.Equal(6, other);
        Assert.False(recent.TryFind(1, 0, out _));
    }

    [Fact]
    public void Of_too_many_players_those_that_spoke_last_are_kept()
    {
        var recent = new RecentOfPlayers(16, maxPlayers: 256);

        recent.Restore([.. Enumerable.Range(1, 300).Append(1).Select(static (player, i) => Said(i + 1, player, id: (ulong)i + 1))]);

        Assert.True(recent.TryFind(1, 301, out _));
        Assert.False(recent.TryFind(45, 45, out _));
        Assert.True(recent.TryFind(46, 46, out _));
        Assert.True(recent.TryFind(300, 300, out _));
    }

    [Fact]
    public void A_message_that_was_forgotten_is_new_when_it_is_sent_again()
    {
        var recent = new RecentOfPlayers(16, maxPlayers: 256);
        recent.Restore([Said(5, player: 1, id: 10), Said(6, player: 1, id: 11)]);

        recent.Forget(1, 10);

        Assert.False(recent.TryFind(1, 10, out _));
        Assert.True(recent.TryFind(1, 11, out _));
    }

    private static ChatRecord Said(long sequence, long player, ulong id) =>
        new(1, sequence, player, "kim", "hello", DateTimeOffset.UnixEpoch, ClientMessageId: id);
}
