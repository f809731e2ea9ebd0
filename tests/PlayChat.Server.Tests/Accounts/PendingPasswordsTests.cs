using System.Net;
using PlayChat.Server.Accounts;

namespace PlayChat.Server.Tests.Accounts;

public sealed class PendingPasswordsTests
{
    private readonly PendingPasswords _pending = new(100);

    [Fact]
    public void One_network_takes_half_and_others_still_find_their_tenths()
    {
        int first = TakeAll(1);

        int[] others = [.. Enumerable.Range(2, 6).Select(TakeAll)];

        Assert.Equal(50, first);
        Assert.Equal([10, 10, 10, 10, 10, 0], others);
    }

    [Fact]
    public void What_is_given_back_can_be_taken_again()
    {
        TakeAll(1);
        Assert.False(_pending.TryTake(Network(1)));

        _pending.GiveBack(Network(1));

        Assert.True(_pending.TryTake(Network(1)));
        Assert.False(_pending.TryTake(Network(1)));
    }

    [Fact]
    public void Many_networks_take_all_that_there_is_and_no_more()
    {
        Assert.Equal(100, Enumerable.Range(0, 200).Count(i => _pending.TryTake(Network(i))));
    }

    [Fact]
    public void A_single_place_is_for_whoever_comes_first()
    {
        var pending = new PendingPasswords(1);

        Assert.True(pending.TryTake(Network(1)));
        Assert.False(pending.TryTake(Network(2)));
        pending.GiveBack(Network(1));
        Assert.True(pending.TryTake(Network(2)));
    }

    private static IPAddress Network(int number) => new([10, 0, 0, (byte)number]);

    private int TakeAll(int network)
    {
        int taken = 0;
        while (_pending.TryTake(Network(network)))
        {
            taken++;
        }

        return taken;
    }
}
