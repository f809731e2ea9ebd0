using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class TransientPacketTests : IAsyncDisposable
{
    private readonly RouterHarness _harness = new();
    private readonly TransientPacket _packet = new(9);
    private readonly List<string> _log = [];

    public ValueTask DisposeAsync() => _harness.DisposeAsync();

    [Fact]
    public async Task A_message_is_returned_once_when_its_handler_has_completed()
    {
        var goOn = new TaskCompletionSource();
        _harness.Router.MapPacket(_packet, async (_, length) =>
        {
            if (length == 2)
            {
                await goOn.Task;
            }
        });

        _harness.Receive(9, "1");
        Assert.Equal([1], _packet.Returned);
        _harness.Receive(9, "22");
        Assert.Equal([1], _packet.Returned);
        goOn.SetResult();

        await Eventually.TrueAsync(() => _packet.Returned.Count == 2);
        Assert.Equal([1, 2], _packet.Returned);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_message_that_a_filter_has_read_is_returned_once_too(bool goesOn)
    {
        object? after = "";
        _harness.Router.AddFilter(new RecordingFilter("1", _log)
        {
            OnReceive = async packet =>
            {
                Assert.Equal(3, packet.Message);
                if (goesOn)
                {
                    await packet.NextAsync();
                    after = packet.Message;
                }
            },
        });
        _harness.Router.MapPacket(_packet, (_, length) => _log.Add($"handler {length}"));

        _harness.Receive(9, "333");

        Assert.Equal([3], _packet.Returned);
        Assert.Equal(goesOn, _log.Contains("handler 3"));
        Assert.Equal(goesOn ? null : "", after);
    }

    [Fact]
    public void A_message_whose_handler_failed_is_not_used_again()
    {
        _harness.Router.OnFault = static (_, _) => { };
        _harness.Router.MapPacket(_packet, static (_, _) => throw new InvalidOperationException());

        _harness.Receive(9, "1");

        Assert.Empty(_packet.Returned);
    }
}
