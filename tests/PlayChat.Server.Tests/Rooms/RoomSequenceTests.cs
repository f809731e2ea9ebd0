using PlayChat.Chat.Rooms;

namespace PlayChat.Server.Tests.Rooms;

public sealed class RoomSequenceTests
{
    [Fact]
    public void A_sequence_is_never_given_twice_when_an_older_event_is_noted()
    {
        var sequence = new RoomSequence();
        sequence.Next();
        sequence.Next();

        sequence.Advance(1);

        Assert.Equal((3, 2), sequence.Next());
    }

    [Fact]
    public void An_event_that_got_its_sequence_elsewhere_is_the_latest()
    {
        var sequence = new RoomSequence();

        sequence.Advance(40);

        Assert.Equal(40, sequence.Latest);
        Assert.Equal((41, 40), sequence.Next());
    }
}
