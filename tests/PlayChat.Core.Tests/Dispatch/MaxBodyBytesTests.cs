using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;
using static PlayChat.Core.Tests.Dispatch.TextPackets;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class MaxBodyBytesTests
{
    private readonly List<string> _log = [];

    [Fact]
    public async Task A_body_over_the_limit_of_its_route_is_malformed_and_no_filter_sees_it()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.OnMalformed = context => _log.Add($"malformed {context.PacketId}");
            router.AddFilter(new RecordingFilter("1", _log));
            router.MapPacket<string>((_, text) => _log.Add(text)).MaxBodyBytes(3);
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "four");
        Assert.Equal(["malformed 7"], _log);
        Assert.Equal(1, harness.Figures().ProtocolViolations);
        await harness.SayAsync(client, 7, "abc");

        Assert.Equal(["malformed 7", "1 in TEXT_7", "abc", "1 done"], _log);
        Assert.True(client.Session.Connection.IsOpen);
    }

    [Fact]
    public async Task The_limit_of_one_route_does_not_limit_the_others()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.MapPacket<string>((_, text) => _log.Add(text)).MaxBodyBytes(0);
            router.MapPacket<long>((_, number) => _log.Add($"number {number}"));
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayNumberAsync(client);
        Assert.Equal(["number 0"], _log);
        await harness.SayAsync(client, 7, "a");

        Assert.Equal(CloseReason.ProtocolViolation, client.Session.Connection.CloseReason);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(268_435_457)]
    public async Task A_limit_out_of_its_range_is_refused(int bytes)
    {
        ArgumentOutOfRangeException refusal = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => StartAsync(router => router.MapPacket<string>(static (_, _) => { }).MaxBodyBytes(bytes)));

        Assert.Equal("bytes", refusal.ParamName);
    }
}
