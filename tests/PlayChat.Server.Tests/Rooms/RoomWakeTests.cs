using PlayChat.Chat.Handlers;
using PlayChat.Chat.Places;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Sessions;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>Joins that meet while a room of an earlier run wakes.</summary>
public sealed class RoomWakeTests
{
    private const ushort RequestId = 77;

    [Fact]
    public async Task A_join_that_finds_a_woken_room_just_before_its_removal_wakes_it_again()
    {
        using var folder = new TemporaryDirectory();
        long roomId = await LeaveARoomAsync(folder);
        await using TestServer server =
            await TestServer.StartInAsync(folder.Path, null, "--PlayChat:Rooms:MaxItemsPerTurn=1", "--PlayChat:Rooms:MaxRoomsPerSession=1");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        await kim.CreateAsync("kim's only room");
        ChatRoomServices services = server.Get<ChatRoomServices>();
        ChatRoom first = (await services.Archive.WakeAsync(roomId, services, CancellationToken.None))!;
        var handler = new JoinRoomHandler(server.Get<IPlaces>(), server.Get<ShutdownState>());
        using var goOn = new ManualResetEventSlim();
        first.Post(static (_, wait) => wait.Wait(TestTimeouts.Hang), goOn);

        // Both wait in the room's queue. The first is refused, so its turn removes the empty room before the second one's turn.
        Task<JoinResult<ChatMember>> refused =
            first.JoinAsync(server.Server.Sessions.FindUser("kim")!, new RoomJoin(RequestOf(server, "kim"))).AsTask();
        Task joining = handler.HandleAsync(RequestOf(server, "lee"), new CJoinRoomReq { RoomId = roomId }, CancellationToken.None).AsTask();
        goOn.Set();

        Assert.Equal(JoinStatus.TooManyRooms, (await refused.WaitAsync(TestTimeouts.Hang)).Status);
        await joining.WaitAsync(TestTimeouts.Hang);
        Assert.True(first.IsRemoved);
        Assert.Equal("here to stay", Assert.IsType<SJoinRoomRes>(await lee.NextAnswerAsync(RequestId)).Name);
    }

    private static async Task<long> LeaveARoomAsync(TemporaryDirectory folder)
    {
        await using TestServer server = await TestServer.StartInAsync(folder.Path, null);
        await using TestClient mina = await server.LoginAsync("mina");
        long roomId = (await mina.CreateAsync("here to stay")).RoomId;
        await server.StopAsync();
        return roomId;
    }

    private static PacketContext RequestOf(TestServer server, string name) => new()
    {
        Connection = server.Server.Sessions.FindUser(name)!.Connection,
        PacketId = ChatPackets.CJoinRoomReq.Id,
        RequestId = RequestId,
    };
}
