using PlayChat.Chat.Rooms;

namespace PlayChat.Server.Tests.Rooms;

public sealed class RecentMessagesTests
{
    [Theory]
    [InlineData(2)]
    [InlineData(16)]
    [InlineData(100)]
    public void The_oldest_is_forgotten_for_a_new_one(int capacity)
    {
        var recent = new RecentMessages(capacity);
        for (int i = 1; i <= 3 * capacity; i++)
        {
            recent.Add((ulong)i, 100 + i);
        }

        Assert.False(recent.TryFind((ulong)(2 * capacity), out _));
        for (int i = (2 * capacity) + 1; i <= 3 * capacity; i++)
        {
            Assert.True(recent.TryFind((ulong)i, out long sequence));
            Assert.Equal(100 + i, sequence);
        }
    }

    [Fact]
    public void Id_0_is_no_id()
    {
        var recent = new RecentMessages(capacity: 2);
        recent.Add(10, 99);
        recent.Add(0, 100);
        recent.Add(0, 101);
        recent.Add(11, 102);

        Assert.False(recent.TryFind(0, out _));
        Assert.True(recent.TryFind(10, out _)); // what has no id took no place
        Assert.True(recent.TryFind(11, out _));
    }

    [Fact]
    public void With_no_capacity_nothing_is_remembered()
    {
        var recent = new RecentMessages(capacity: 0);
        recent.Add(10, 100);
        recent.Add(10, 101);

        Assert.False(recent.TryFind(10, out _));
    }
}
