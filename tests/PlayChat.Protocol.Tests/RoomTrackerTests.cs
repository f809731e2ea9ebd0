using PlayChat.Testing;

namespace PlayChat.Protocol.Tests;

public sealed class RoomTrackerTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly RoomTracker _rooms;

    public RoomTrackerTests()
    {
        _rooms = new RoomTracker(_time);
    }

    [Fact]
    public void A_member_returns_within_two_minutes_after_a_restart_and_joins_later()
    {
        _rooms.Enter(1, "lobby", [], latestSequence: 1);
        _rooms.ExpectReturns(1, [new Member { PlayerId = 7 }, new Member { PlayerId = 8 }]);

        _time.Advance(TimeSpan.FromMinutes(2));
        Assert.True(_rooms.TakeReturn(1, 7));
        Assert.False(_rooms.TakeReturn(1, 7));

        _time.Advance(TimeSpan.FromTicks(1));
        Assert.False(_rooms.TakeReturn(1, 8));
    }
}
