using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class TransientPacketTests
{
    private readonly TransientPacket _packet = new(9);
    private readonly List<string> _log = [];

    [Fact]
    public async Task A_message_is_returned_once_when_its_handler_has_completed()
    {
        var handling = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var goOn = new TaskCompletionSource();
        await using RoomHarness<Room> harness = await TextPackets.StartAsync(router => router.MapPacket(_packet, async (_, length) =>
        {
            if (length == 2)
            {
                handling.SetResult();
                await goOn.Task;
            }
        }));
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 9, "1");
        Assert.Equal([1], _packet.Returned);
        client.Say(9, "22");
        await handling.Task.WaitAsync(TestTimeouts.Hang);
        Assert.Equal([1], _packet.Returned);
        goOn.SetResult();
        await harness.IdleAsync();

        Assert.Equal([1, 2], _packet.Returned);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_message_that_a_filter_has_read_is_returned_once_too(bool goesOn)
    {
        object? read = null;
        object? after = "";
        await using RoomHarness<Room> harness = await TextPackets.StartAsync(router =>
        {
            router.AddFilter(new RecordingFilter("1", _log)
            {
                OnReceive = async packet =>
                {
                    read = packet.Message;
                    if (goesOn)
                    {
                        await packet.NextAsync();
                        after = packet.Message;
                    }
                },
            });
            router.MapPacket(_packet, (_, length) => _log.Add($"handler {length}"));
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 9, "333");

        Assert.Equal(3, read);
        Assert.Equal([3], _packet.Returned);
        Assert.Equal(goesOn, _log.Contains("handler 3"));
        Assert.Equal(goesOn ? null : "", after);
    }

    [Fact]
    public async Task A_message_whose_handler_failed_is_not_used_again()
    {
        int faults = 0;
        await using RoomHarness<Room> harness = await TextPackets.StartAsync(router =>
        {
            router.OnFault = (_, _) => faults++;
            router.MapPacket(_packet, static (_, _) => throw new InvalidOperationException());
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 9, "1");

        Assert.Equal(1, faults);
        Assert.Empty(_packet.Returned);
    }
}
