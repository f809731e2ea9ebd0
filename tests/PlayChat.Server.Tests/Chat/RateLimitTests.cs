using Google.Protobuf;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

/// <summary>What one connection may send in how much time, under a clock that the test moves.</summary>
public sealed class RateLimitTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task More_rooms_than_a_minute_has_are_refused_for_so_long_and_all_else_goes_on()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Sessions:RoomsPerMinute=2");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("one")).RoomId;
        await kim.CreateAsync("two");

        SErrorNtf refused = await kim.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "three" });
        await kim.SayAsync(roomId, "still here");
        await lee.CreateAsync("lee's");
        _time.Advance(TimeSpan.FromMilliseconds(refused.RetryAfterMs));
        await kim.CreateAsync("three");

        Assert.Equal((ErrorCode.RateLimited, 30_000u), (refused.Code, refused.RetryAfterMs));
        Assert.Equal((uint)PacketId.CCreateRoomReq, refused.PacketId);
        Assert.Equal(4, server.Server.Rooms.Count);
    }

    [Fact]
    public async Task More_packets_than_a_second_has_are_refused_until_it_goes_on()
    {
        await using TestServer server = await TestServer.StartUnderAsync(
            _time, "--Sessions:PacketsPerSecond=3", "--Sessions:RoomsPerMinute=0");
        await using TestClient kim = await server.LoginAsync("kim");
        await EchoAsync(kim);
        await EchoAsync(kim);

        SErrorNtf refused = await kim.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "lobby" });
        _time.Advance(TimeSpan.FromMilliseconds(refused.RetryAfterMs));
        await EchoAsync(kim);

        Assert.Equal((ErrorCode.RateLimited, 334u), (refused.Code, refused.RetryAfterMs));
    }

    [Fact]
    public async Task Whoever_goes_on_all_the_same_is_told_and_closed()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Sessions:PacketsPerSecond=1");
        await using TestClient kim = await server.LoginAsync("kim");

        for (int i = 0; i < 150; i++)
        {
            kim.Send(ChatPackets.CHeartbeatNtf, new CHeartbeatNtf());
        }

        List<IMessage> heard = await kim.ReadToEndAsync();

        Assert.Equal(99, heard.OfType<SErrorNtf>().Count(static error => error.Code == ErrorCode.RateLimited));
        Assert.Equal(CloseCode.RateLimited, Assert.IsType<SCloseNtf>(heard[^1]).Reason);
    }

    [Fact]
    public async Task Zero_is_no_limit()
    {
        const int Rooms = 100;
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Sessions:RoomsPerMinute=0");
        await using TestClient kim = await server.LoginAsync("kim");

        for (int i = 0; i < Rooms; i++)
        {
            await kim.CreateAsync("another");
        }

        Assert.Equal(Rooms, server.Server.Rooms.Count);
        Assert.Equal(0, server.Figures.RateLimitedPackets);
    }

    private static Task<SEchoRes> EchoAsync(TestClient client) => client.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
}
