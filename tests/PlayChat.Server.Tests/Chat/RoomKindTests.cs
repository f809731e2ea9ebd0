using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

/// <summary>The type and the properties of rooms.</summary>
public sealed class RoomKindTests
{
    [Fact]
    public async Task A_list_shows_the_type_and_properties_and_filters_by_them()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await kim.CreateAsync(Quiz("easy quiz", ("level", "easy"), ("lang", "ko")));
        await kim.CreateAsync(Quiz("hard quiz", ("level", "hard")));
        await kim.CreateAsync(new CCreateRoomReq { Name = "easy talk", Properties = { ["level"] = "easy" } });
        await kim.CreateAsync("lobby");

        SListRoomsRes all = await ListAsync(kim, new CListRoomsReq());

        Assert.Equal(["easy quiz", "hard quiz", "easy talk", "lobby"], all.Rooms.Select(static room => room.Name).ToList());
        Assert.Equal(["quiz", "quiz", "", ""], all.Rooms.Select(static room => room.Type).ToList());
        Assert.Equal(Quiz("", ("lang", "ko"), ("level", "easy")).Properties, all.Rooms[0].Properties);
        Assert.Empty(all.Rooms[3].Properties);
        await AssertListsAsync(kim, new CListRoomsReq { Type = "quiz" }, "easy quiz", "hard quiz");
        await AssertListsAsync(kim, new CListRoomsReq { Properties = { ["level"] = "easy" } }, "easy quiz", "easy talk");
        await AssertListsAsync(kim, new CListRoomsReq { Type = "quiz", Properties = { ["level"] = "easy" } }, "easy quiz");
        await AssertListsAsync(kim, new CListRoomsReq { Type = "chess" });
        await AssertListsAsync(kim, new CListRoomsReq { Type = "quiz", AfterRoomId = all.Rooms[0].RoomId }, "hard quiz");
    }

    [Fact]
    public async Task A_page_of_a_filtered_list_says_whether_more_such_rooms_follow()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await kim.CreateAsync(Quiz("one"));
        await kim.CreateAsync("between");
        await kim.CreateAsync(Quiz("two"));
        await kim.CreateAsync("behind");

        SListRoomsRes first = await ListAsync(kim, new CListRoomsReq { Type = "quiz", Limit = 1 });
        SListRoomsRes second = await ListAsync(kim, new CListRoomsReq { Type = "quiz", Limit = 1, AfterRoomId = first.Rooms[0].RoomId });

        Assert.Equal(("one", true), (Assert.Single(first.Rooms).Name, first.More));
        Assert.Equal(("two", false), (Assert.Single(second.Rooms).Name, second.More));
    }

    [Fact]
    public async Task A_room_comes_back_after_a_restart_with_its_type_and_properties()
    {
        using var folder = new TemporaryDirectory();
        long quizId;
        long plainId;
        await using (TestServer first = await TestServer.StartInAsync(folder.Path, null))
        {
            await using TestClient mina = await first.LoginAsync("mina");
            quizId = (await mina.CreateAsync(Quiz("quiz", ("level", "쉬움 \"1\"")))).RoomId;
            plainId = (await mina.CreateAsync("plain")).RoomId;
            await first.StopAsync();
        }

        await using TestServer second = await TestServer.StartInAsync(folder.Path, null);
        await using TestClient kim = await second.LoginAsync("kim");
        SJoinRoomRes quiz = await kim.JoinAsync(quizId);
        SJoinRoomRes plain = await kim.JoinAsync(plainId);

        Assert.Equal("quiz", quiz.Type);
        Assert.Equal("쉬움 \"1\"", Assert.Single(quiz.Properties).Value);
        Assert.Equal(("", 0), (plain.Type, plain.Properties.Count));
        await AssertListsAsync(kim, new CListRoomsReq { Type = "quiz", Properties = { ["level"] = "쉬움 \"1\"" } }, "quiz");
    }

    [Theory]
    [InlineData("", "key", "value", true)]
    [InlineData("a-z_0.9", "a-z_0.9", "Any thing 👋", true)]
    [InlineData("Quiz", "key", "value", false)]
    [InlineData("a b", "key", "value", false)]
    [InlineData("퀴즈", "key", "value", false)]
    [InlineData("quiz", "", "value", false)]
    [InlineData("quiz", "Key", "value", false)]
    [InlineData("quiz", "key", "", false)]
    [InlineData("quiz", "key", "two\nlines", false)]
    public async Task A_type_or_property_that_breaks_a_rule_is_refused(string type, string key, string value, bool isAllowed)
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        var create = new CCreateRoomReq { Name = "room", Type = type, Properties = { [key] = value } };
        var list = new CListRoomsReq { Type = type, Properties = { [key] = value } };

        if (isAllowed)
        {
            await kim.CreateAsync(create);
            await AssertListsAsync(kim, list, "room");
        }
        else
        {
            Assert.Equal(ErrorCode.MalformedPacket, (await kim.FailAsync(ChatPackets.CCreateRoomReq, create)).Code);
            Assert.Equal(ErrorCode.MalformedPacket, (await kim.FailAsync(ChatPackets.CListRoomsReq, list)).Code);
            await AssertListsAsync(kim, new CListRoomsReq());
        }
    }

    [Theory]
    [InlineData(32, 8, 32, 16, true)]
    [InlineData(33, 8, 32, 16, false)]
    [InlineData(32, 9, 32, 16, false)]
    [InlineData(32, 1, 33, 16, false)]
    [InlineData(32, 1, 32, 64, true)]
    [InlineData(32, 1, 32, 65, false)]
    public async Task The_lengths_and_the_number_of_properties_have_limits(
        int typeChars, int properties, int keyChars, int valueChars, bool isAllowed)
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        var create = new CCreateRoomReq { Name = "room", Type = new string('t', typeChars) };
        for (int i = 0; i < properties; i++)
        {
            create.Properties[new string('k', keyChars - 1) + (char)('a' + i)] = new string('v', valueChars);
        }

        if (isAllowed)
        {
            await kim.CreateAsync(create);
            Assert.Equal(create.Properties, Assert.Single((await ListAsync(kim, new CListRoomsReq())).Rooms).Properties);
        }
        else
        {
            Assert.Equal(ErrorCode.MalformedPacket, (await kim.FailAsync(ChatPackets.CCreateRoomReq, create)).Code);
        }
    }

    private static CCreateRoomReq Quiz(string name, params (string Key, string Value)[] properties)
    {
        var request = new CCreateRoomReq { Name = name, Type = "quiz" };
        foreach ((string key, string value) in properties)
        {
            request.Properties.Add(key, value);
        }

        return request;
    }

    private static Task<SListRoomsRes> ListAsync(TestClient client, CListRoomsReq request) =>
        client.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, request);

    private static async Task AssertListsAsync(TestClient client, CListRoomsReq request, params string[] names) =>
        Assert.Equal(names, (await ListAsync(client, request)).Rooms.Select(static room => room.Name).ToArray());
}
