using PlayChat.Chat.Rooms.Order;
using PlayChat.Core.Dispatch;

namespace PlayChat.Server.Tests.Rooms.Order;

public sealed class PendingMessageTests
{
    private readonly PendingMessage _message = new(request: null, packet: null, since: 0);

    [Fact]
    public void A_repetition_that_was_told_of_a_failure_makes_room_for_the_next()
    {
        RoomRequest told = Repeat(1);
        Assert.True(_message.TryAddRepeat(told));
        for (ushort id = 2; id <= PendingMessage.MaxRepeats; id++)
        {
            Assert.True(_message.TryAddRepeat(Repeat(id)));
        }

        RoomRequest next = Repeat(100);
        Assert.False(_message.TryAddRepeat(next));
        told.IsAnswered = true;

        Assert.True(_message.TryAddRepeat(next));
        Assert.Equal(PendingMessage.MaxRepeats, _message.Repeats!.Count);
        Assert.DoesNotContain(told, _message.Repeats);
    }

    [Fact]
    public void Nobody_waits_for_a_repetition_without_a_request_id()
    {
        for (int i = 0; i <= PendingMessage.MaxRepeats; i++)
        {
            Assert.True(_message.TryAddRepeat(Repeat(0)));
        }

        Assert.Null(_message.Repeats);
    }

    private static RoomRequest Repeat(ushort requestId) => new(new PacketContext { RequestId = requestId });
}
