using PlayChat.Server.Rooms;

namespace PlayChat.Server.Tests.Rooms;

public sealed class RecentMessagesTests
{
    [Fact]
    public void The_oldest_is_forgotten_for_a_new_one()
    {
        var recent = new RecentMessages(capacity: 2);
        recent.Add(1, 10, 100);
        recent.Add(1, 11, 101);
        recent.Add(2, 10, 102);

        Assert.False(recent.TryFind(1, 10, out _));
        Assert.True(recent.TryFind(1, 11, out long second));
        Assert.True(recent.TryFind(2, 10, out long third));
        Assert.Equal((101, 102), (second, third));
    }

    [Fact]
    public void Id_0_is_no_id()
    {
        var recent = new RecentMessages(capacity: 2);
        recent.Add(1, 0, 100);
        recent.Add(1, 0, 101);

        Assert.False(recent.TryFind(1, 0, out _));
    }

    [Fact]
    public void With_no_capacity_nothing_is_remembered()
    {
        var recent = new RecentMessages(capacity: 0);
        recent.Add(1, 10, 100);
        recent.Add(1, 10, 101);

        Assert.False(recent.TryFind(1, 10, out _));
    }
}
