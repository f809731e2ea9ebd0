using PlayChat.Chat.Operations.Admin;

namespace PlayChat.Server.Tests.Operations.Admin;

public sealed class TopListTests
{
    [Fact]
    public void A_full_list_keeps_the_highest_ranks_in_falling_order()
    {
        var top = new TopList<string>(3);

        foreach ((string name, double rank) in new[] { ("c", 3.0), ("a", 1.0), ("e", 5.0), ("b", 2.0), ("d", 4.0) })
        {
            top.Add(name, rank);
        }

        Assert.Equal(5, top.Added);
        Assert.Equal(["e", "d", "c"], top.TakeAll());
        Assert.Empty(top.TakeAll());
    }
}
