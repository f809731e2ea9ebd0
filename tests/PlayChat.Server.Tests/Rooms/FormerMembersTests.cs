using PlayChat.Server.Rooms;
using PlayChat.Storage;

namespace PlayChat.Server.Tests.Rooms;

public sealed class FormerMembersTests
{
    [Fact]
    public void Stored_messages_are_known_to_be_their_senders_and_those_without_an_id_are_not()
    {
        var former = new FormerMembers();

        former.Restore([Said(5, player: 1, id: 10), Said(6, player: 2, id: 10), Said(7, player: 1, id: 0), Said(8, player: 1, id: 11)], 16);

        RecentMessages recent = former.Take(1)!;
        Assert.True(recent.TryFind(10, out long first));
        Assert.True(recent.TryFind(11, out long second));
        Assert.Equal((5L, 8L), (first, second));
        Assert.True(former.Take(2)!.TryFind(10, out long other));
        Assert.Equal(6, other);
        Assert.Null(former.Take(0));
    }

    [Fact]
    public void Of_too_many_players_those_that_spoke_last_are_kept()
    {
        var former = new FormerMembers();

        former.Restore(Enumerable.Range(1, 300).Append(1).Select(static (player, i) => Said(i + 1, player, id: (ulong)i + 1)), 16);

        Assert.NotNull(former.Take(1));
        Assert.Null(former.Take(45));
        Assert.NotNull(former.Take(46));
        Assert.NotNull(former.Take(300));
    }

    private static ChatRecord Said(long sequence, long player, ulong id) =>
        new(1, sequence, player, "kim", "hello", DateTimeOffset.UnixEpoch, ClientMessageId: id);
}
