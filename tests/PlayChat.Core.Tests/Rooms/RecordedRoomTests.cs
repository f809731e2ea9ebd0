using PlayChat.Core.Rooms;
using PlayChat.Testing;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>The clock and the random numbers of a room that may be recorded.</summary>
public sealed class RecordedRoomTests
{
    [Fact]
    public void The_clock_stands_still_in_a_recorded_turn_and_runs_otherwise()
    {
        var real = new ManualTimeProvider();
        var time = new RoomTime(real);
        real.Advance(TimeSpan.FromSeconds(1));
        long atCreation = time.GetTimestamp();
        time.Run();
        long running = time.GetTimestamp();
        time.Stop(42, DateTimeOffset.UnixEpoch);
        real.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal((0, TimeSpan.TicksPerSecond), (atCreation, running));
        Assert.Equal((42, DateTimeOffset.UnixEpoch), (time.GetTimestamp(), time.GetUtcNow()));
        time.Run();
        Assert.Equal((2 * TimeSpan.TicksPerSecond, real.GetUtcNow()), (time.GetTimestamp(), time.GetUtcNow()));
    }

    [Fact]
    public void Random_numbers_that_begin_anew_are_those_of_their_seed()
    {
        var numbers = new RoomRandom(1);
        numbers.Next();

        numbers.Begin(7);

        var expected = new Random(7);
        Assert.Equal(7, numbers.Seed);
        Assert.Equal(expected.Next(), numbers.Next());
        Assert.Equal(expected.Next(9), numbers.Next(9));
        Assert.Equal(expected.Next(-9, 9), numbers.Next(-9, 9));
        Assert.Equal(expected.NextInt64(), numbers.NextInt64());
        Assert.Equal(expected.NextInt64(99), numbers.NextInt64(99));
        Assert.Equal(expected.NextInt64(-99, 99), numbers.NextInt64(-99, 99));
        Assert.Equal(expected.NextDouble(), numbers.NextDouble());
        Assert.Equal(expected.NextSingle(), numbers.NextSingle());
        byte[] one = new byte[9];
        byte[] other = new byte[9];
        expected.NextBytes(one);
        numbers.NextBytes(other);
        Assert.Equal(one, other);
    }
}
