using System.Net;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Operations.Admin;
using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Server.Tests.Operations.Admin;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>Rooms:Lasting: rooms stay when their last member has left, and after a restart.</summary>
public sealed class LastingRoomTests
{
    private const string Lasting = "--Rooms:Lasting=true";

    [Fact]
    public async Task A_room_stays_with_its_history_when_everybody_has_left_and_after_a_restart()
    {
        using var folder = new TemporaryDirectory();
        long room;
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null, Lasting))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            room = (await ann.CreateAsync(new CCreateRoomReq { Name = "den", Type = "quiz" })).RoomId;
            await ann.SayAsync(room, "hello");
            await ann.LeaveAsync(room);

            Assert.Equal([(room, "den", 0u)], await ListAsync(ann));
            Assert.Contains((await ann.JoinAsync(room)).History, static said => said.Text == "hello");
            await ann.LeaveAsync(room);
        }

        await using TestServer next = await TestServer.StartInAsync(folder.Path, null, Lasting);
        await using TestClient bob = await next.LoginAsync("Bob");

        Assert.Equal([(room, "den", 0u)], await ListAsync(bob)); // no player has joined it since the start
        Assert.Equal([(room, "den", 0u)], await ListAsync(bob, new CListRoomsReq { Type = "quiz" }));
        Assert.Empty(await ListAsync(bob, new CListRoomsReq { Type = "chess" }));
        await bob.JoinAsync(room);
        SRoomHistoryRes history = await bob.AskAsync<CRoomHistoryReq, SRoomHistoryRes>(
            ChatPackets.CRoomHistoryReq, new CRoomHistoryReq { RoomId = room });
        Assert.Contains(history.Messages, static said => said.Text == "hello");
        Assert.Equal([(room, "den", 1u)], await ListAsync(bob));
    }

    [Fact]
    public async Task Two_rooms_may_not_have_the_same_name_until_one_is_removed()
    {
        await using AdminServer admin = await AdminServer.StartAsync(Lasting);
        await using TestClient ann = await admin.Server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("Den")).RoomId;

        SErrorNtf taken = await ann.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "ｄｅｎ" });
        string full = await admin.FailAsync(HttpStatusCode.Conflict, HttpMethod.Delete, $"/rooms/{room}");
        await ann.LeaveAsync(room);
        string removed = await admin.DoAsync(HttpMethod.Delete, $"/rooms/{room}");
        string gone = await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Delete, $"/rooms/{room}");
        SErrorNtf join = await ann.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        long next = (await ann.CreateAsync("den")).RoomId;

        Assert.Equal(
            (ErrorCode.RoomNameTaken, $"There is a room ｄｅｎ already: room {room}. Join it, or choose another name."),
            (taken.Code, taken.Message));
        Assert.Equal($"Room {room} has 1 members. Remove it when they have left.", full);
        Assert.Equal($"Room {room} was removed.", removed);
        Assert.Equal($"There is no chat room {room}. List the rooms to see which there are.", gone);
        Assert.Equal(ErrorCode.RoomNotFound, join.Code);
        Assert.NotEqual(room, next);
    }

    [Fact]
    public async Task A_room_that_sleeps_keeps_its_name_and_its_place_until_it_is_removed()
    {
        using var folder = new TemporaryDirectory();
        string[] args =
        [
            Lasting, "--Rooms:MaxRooms=3", "--Rooms:MaxCreatedPerPlayer=2", "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0",
        ];
        long den, hall;
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null, args))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            den = (await ann.CreateAsync("den")).RoomId;
            hall = (await ann.CreateAsync("hall")).RoomId;
        }

        await using TestServer next = await TestServer.StartInAsync(folder.Path, null, args);
        await using TestClient again = await next.LoginAsync("Ann");
        await using TestClient bob = await next.LoginAsync("Bob");

        Assert.Equal(ErrorCode.RoomNameTaken, await FailToCreateAsync(bob, "DEN"));
        Assert.Equal(ErrorCode.ServerFull, await FailToCreateAsync(again, "third of Ann"));
        await bob.CreateAsync("attic");
        Assert.Equal(ErrorCode.ServerFull, await FailToCreateAsync(bob, "fourth of all"));
        await again.JoinAsync(hall); // it is awake now, and counts once
        Assert.Equal(ErrorCode.ServerFull, await FailToCreateAsync(bob, "fourth of all"));
        await RemoveAsync(next, den);
        Assert.Equal([hall, hall + 1], (await ListAsync(bob)).Select(static room => room.Id));
        await again.CreateAsync("den");
    }

    [Fact]
    public async Task A_list_has_rooms_that_sleep_and_rooms_that_are_used_page_by_page()
    {
        using var folder = new TemporaryDirectory();
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null, Lasting))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            for (int i = 1; i <= 5; i++)
            {
                await ann.CreateAsync($"room {i}");
            }
        }

        await using TestServer next = await TestServer.StartInAsync(folder.Path, null, Lasting);
        await using TestClient bob = await next.LoginAsync("Bob");
        await bob.JoinAsync(2);
        await bob.JoinAsync(5);
        await bob.CreateAsync("room 6");
        List<long> listed = [];
        SListRoomsRes page;
        do
        {
            page = await bob.AskAsync<CListRoomsReq, SListRoomsRes>(
                ChatPackets.CListRoomsReq, new CListRoomsReq { AfterRoomId = listed.LastOrDefault(), Limit = 2 });
            listed.AddRange(page.Rooms.Select(static room => room.RoomId));
        }
        while (page.More);

        Assert.Equal([1, 2, 3, 4, 5, 6], listed);
    }

    [Fact]
    public async Task A_room_whose_creator_did_not_enter_leaves_neither_itself_nor_its_name()
    {
        await using TestServer server = await TestServer.StartAsync(Lasting, "--PlayChat:Rooms:MaxRoomsPerSession=1");
        await using TestClient ann = await server.LoginAsync("Ann");
        await ann.CreateAsync("den");

        Assert.Equal(ErrorCode.ServerFull, await FailToCreateAsync(ann, "hall"));
        await using TestClient bob = await server.LoginAsync("Bob");
        await Eventually.TrueAsync(() => server.Server.Rooms.Count == 1); // it removes itself at the end of its turn

        Assert.Equal("hall", (await bob.CreateAsync("hall")).Name);
    }

    private static Task<ActionResult> RemoveAsync(TestServer server, long room) =>
        server.Get<SessionActions>().RemoveRoomAsync(room, CancellationToken.None).WaitAsync(TestTimeouts.Hang);

    private static async Task<ErrorCode> FailToCreateAsync(TestClient client, string name) =>
        (await client.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = name })).Code;

    private static async Task<IReadOnlyList<(long Id, string Name, uint Members)>> ListAsync(TestClient client, CListRoomsReq? query = null)
    {
        SListRoomsRes page = await client.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, query ?? new CListRoomsReq());
        return [.. page.Rooms.Select(static room => (room.RoomId, room.Name, room.Members))];
    }
}
