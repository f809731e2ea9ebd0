using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Order;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;

namespace PlayChat.Server.Tests.Rooms;

public sealed class ChatRoomFaultTests
{
    [Theory]
    [InlineData(7)]
    [InlineData(0)]
    public async Task A_room_that_fails_at_a_request_answers_it_once_and_goes_on(ushort requestId)
    {
        var clock = new FaultyClock();
        await using TestServer server =
            await TestServer.StartInAsync(null, services => services.AddSingleton(provider => new ChatRoomServices(
            provider.GetRequiredService<PlayChatServer>(),
            provider.GetRequiredService<ServerSettings>(),
            provider.GetRequiredService<RoomQuotas>(),
            provider.GetRequiredService<HistoryReader>(),
            provider.GetRequiredService<ChatLogGate>(),
            provider.GetRequiredService<StoredDelivery>(),
            provider.GetRequiredService<RoomArchive>(),
            clock,
            NullLogger<ChatRoom>.Instance)));
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        clock.IsBroken = true;
        kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "hi" }, requestId);
        SErrorNtf error = Assert.IsType<SErrorNtf>(await kim.NextAnswerAsync(requestId));
        clock.IsBroken = false;
        await kim.SayAsync(roomId, "again");
        kim.Connection.Close();
        var others = await kim.ReadToEndAsync();

        Assert.Equal((ErrorCode.Internal, (uint)PacketId.CRoomChatReq), (error.Code, error.PacketId));
        Assert.Equal(1, server.Figures.HandlerFaults);
        Assert.DoesNotContain(others, message => message is SErrorNtf or SRoomChatRes);
    }

    private sealed class FaultyClock : TimeProvider
    {
        public volatile bool IsBroken;

        public override DateTimeOffset GetUtcNow() => IsBroken ? throw new InvalidOperationException("a bug") : base.GetUtcNow();
    }
}
