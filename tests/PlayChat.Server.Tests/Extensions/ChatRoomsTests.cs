using System.Net;
using PlayChat.Chat.Extensions;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Server.Tests.Cluster;
using PlayChat.Server.Tests.Operations.Admin;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Extensions;

/// <summary>What the program itself, or a service through the operations endpoint, says in rooms.</summary>
public sealed class ChatRoomsTests
{
    [Theory]
    [InlineData("--ChatLog:Durability=Async")]
    [InlineData("--ChatLog:Durability=Stored")]
    public async Task A_bot_is_heard_and_stored_as_players_are_and_once_for_each_number(string durability)
    {
        await using TestServer server = await TestServer.StartAsync(durability);
        await using TestClient ann = await server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;
        var rooms = server.Get<IChatRooms>();

        Assert.Equal(ChatSayResult.Said, await rooms.SayAsync(room, "news", "first", messageId: 7));
        SRoomChatNtf first = await ann.NextAsync<SRoomChatNtf>();
        Assert.Equal(ChatSayResult.Said, await rooms.SayAsync(room, "News", "first", messageId: 7)); // the same account
        Assert.Equal(ChatSayResult.Said, await rooms.SayAsync(room, "news", "second"));
        SRoomChatNtf second = await ann.NextAsync<SRoomChatNtf>();

        Assert.Equal(("news", "first", false), (first.PlayerName, first.Text, first.System));
        Assert.Equal("second", second.Text);
        Assert.Equal((first.PlayerId, first.Sequence), (second.PlayerId, second.PreviousSequence));
        Assert.Equal(first.PlayerId, (await server.Store.FindAccountAsync("news"))?.Id);
        SRoomHistoryRes history = await ann.AskAsync<CRoomHistoryReq, SRoomHistoryRes>(
            ChatPackets.CRoomHistoryReq, new CRoomHistoryReq { RoomId = room });
        Assert.Equal("first, second", string.Join(", ", history.Messages.Select(static said => said.Text)));
    }

    [Fact]
    public async Task What_cannot_be_said_is_told()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient ann = await server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;
        var rooms = server.Get<IChatRooms>();

        Assert.Equal(ChatSayResult.NoSuchRoom, await rooms.SayAsync(99, "news", "hello"));
        Assert.Equal(ChatSayResult.TextInvalid, await rooms.SayAsync(room, "news", ""));
        Assert.Equal(ChatSayResult.NameInvalid, await rooms.SayAsync(room, "SYSTEM", "hello"));
        await ann.LeaveAsync(room);
        await Eventually.TrueAsync(() => server.Server.Rooms.Count == 0);
        Assert.Equal(ChatSayResult.NoSuchRoom, await rooms.SayAsync(room, "news", "hello"));
    }

    [Fact]
    public async Task A_room_that_lasts_and_sleeps_wakes_for_it()
    {
        using var folder = new TemporaryDirectory();
        long room;
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null, "--Rooms:Lasting=true"))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            room = (await ann.CreateAsync("den")).RoomId;
        }

        await using TestServer next = await TestServer.StartInAsync(folder.Path, null, "--Rooms:Lasting=true");
        Assert.Equal(ChatSayResult.Said, await next.Get<IChatRooms>().SayAsync(room, "news", "while you slept"));
        await using TestClient bob = await next.LoginAsync("Bob");

        Assert.Equal("while you slept", (await bob.JoinAsync(room)).History.Last().Text);
    }

    [Fact]
    public async Task In_a_cluster_the_members_on_all_nodes_hear_it_once()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        var rooms = cluster[1].Get<IChatRooms>();

        Assert.Equal(ChatSayResult.Said, await rooms.SayAsync(room, "news", "hello", messageId: 1));
        Assert.Equal(ChatSayResult.Said, await rooms.SayAsync(room, "news", "hello", messageId: 1));
        Assert.Equal(ChatSayResult.Said, await rooms.SayAsync(room, "news", "and again", messageId: 2));

        foreach (TestClient client in (TestClient[])[ann, bob])
        {
            Assert.Equal(("news", "hello"), await HearAsync(client));
            Assert.Equal(("news", "and again"), await HearAsync(client));
        }
    }

    [Fact]
    public async Task A_rule_may_answer_in_the_room()
    {
        await using TestServer server = await TestServer.StartExtendedAsync(static chat => chat.AddRules<Answering>());
        await using TestClient ann = await server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;

        await ann.SayAsync(room, "/time");

        Assert.Equal(("clock", "It is late, Ann."), await HearAsync(ann));
        Assert.Equal(("Ann", "/time"), await HearAsync(ann));
    }

    [Fact]
    public async Task A_service_says_it_over_the_operations_endpoint()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        await using TestClient ann = await admin.Server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;

        await admin.DoAsync(HttpMethod.Post, $"/rooms/{room}/messages", """{"player":"ci","text":"build 7 is green","messageId":7}""");
        string noRoom = await admin.FailAsync(
            HttpStatusCode.NotFound, HttpMethod.Post, "/rooms/99/messages", """{"player":"ci","text":"hello"}""");
        string noText = await admin.FailAsync(
            HttpStatusCode.BadRequest, HttpMethod.Post, $"/rooms/{room}/messages", """{"player":"ci"}""");
        string noName = await admin.FailAsync(
            HttpStatusCode.BadRequest, HttpMethod.Post, $"/rooms/{room}/messages", """{"text":"hello"}""");

        Assert.Equal(("ci", "build 7 is green"), await HearAsync(ann));
        Assert.Equal("There is no chat room 99. List the rooms to see which there are.", noRoom);
        Assert.StartsWith("A text has 1 to", noText, StringComparison.Ordinal);
        Assert.Equal("No account may have the name ''. Choose another.", noName);
    }

    private static async Task<(string Player, string Text)> HearAsync(TestClient client)
    {
        SRoomChatNtf heard = await client.NextAsync<SRoomChatNtf>();
        return (heard.PlayerName, heard.Text);
    }

    internal sealed class Answering(IChatRooms rooms) : IChatRules
    {
        public async ValueTask<ChatTextDecision> ReadTextAsync(
            SessionUser player, long roomId, string text, CancellationToken cancellationToken)
        {
            if (text == "/time")
            {
                await rooms.SayAsync(roomId, "clock", $"It is late, {player.Name}.", cancellationToken: cancellationToken);
            }

            return ChatTextDecision.Keep;
        }
    }
}
