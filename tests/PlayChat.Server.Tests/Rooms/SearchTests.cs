using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>What players find of what was said.</summary>
public sealed class SearchTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_player_finds_what_was_said_in_the_rooms_that_it_is_a_member_of_now(bool isLasting)
    {
        await using TestServer server = await TestServer.StartAsync(
            $"--Rooms:Lasting={isLasting}", "--Sessions:SearchesPerMinute=0");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long den = (await ann.CreateAsync("den")).RoomId;
        long bar = (await ann.CreateAsync("bar")).RoomId;
        long secret = (await ann.CreateAsync("secret")).RoomId;
        await bob.JoinAsync(den);
        await bob.JoinAsync(bar);
        await ann.SayAsync(den, "one needle");
        await ann.SayAsync(bar, "two needles? no: a NEEDLE");
        await ann.SayAsync(secret, "the needle of Ann");
        long last = (await ann.SayAsync(den, "three needle")).Sequence;
        await FoundAsync(ann, "needle", "three needle | the needle of Ann | two needles? no: a NEEDLE | one needle");

        SSearchRes found = await bob.SearchAsync(new CSearchReq { Words = "needle", Limit = 2 });
        SSearchRes next = await bob.SearchAsync(
            new CSearchReq { Words = "needle", BeforeRoomId = bar, BeforeSequence = found.Messages[1].Sequence });
        SSearchRes inDen = await bob.SearchAsync(new CSearchReq { Words = "\"needle\" -x*", RoomId = den, Limit = 1 });
        SErrorNtf outside = await bob.FailAsync(ChatPackets.CSearchReq, new CSearchReq { Words = "needle", RoomId = secret });
        await bob.LeaveAsync(den);

        Assert.Equal((den, last, "Ann", "three needle"), (
            found.Messages[0].RoomId, found.Messages[0].Sequence, found.Messages[0].PlayerName, found.Messages[0].Text));
        Assert.True(found.More && found.Messages[0].SentAtUnixMs > 0);
        Assert.Equal(("one needle", false), (Assert.Single(next.Messages).Text, next.More));
        Assert.Empty(inDen.Messages);
        Assert.Equal(ErrorCode.NotInRoom, outside.Code);
        await FoundAsync(bob, "needle", "two needles? no: a NEEDLE");
    }

    [Fact]
    public async Task A_search_that_breaks_a_rule_is_refused()
    {
        await using TestServer server = await TestServer.StartAsync("--Sessions:SearchesPerMinute=1");
        await using TestServer without = await TestServer.StartAsync("--Storage:Search=false");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await without.LoginAsync("Bob");

        Assert.Equal(ErrorCode.TextInvalid, await FailAsync(ann, new CSearchReq { Words = " *\"-" }));
        Assert.Equal(ErrorCode.MalformedPacket, await FailAsync(ann, new CSearchReq { Words = "x", Limit = 51 }));
        Assert.Equal(ErrorCode.MalformedPacket, await FailAsync(ann, new CSearchReq { Words = new string('x', 201) }));
        Assert.Empty((await ann.SearchAsync(new CSearchReq { Words = "x" })).Messages);
        Assert.Equal(ErrorCode.RateLimited, await FailAsync(ann, new CSearchReq { Words = "x" }));
        Assert.Equal(ErrorCode.Forbidden, await FailAsync(bob, new CSearchReq { Words = "x" }));
    }

    private static async Task<ErrorCode> FailAsync(TestClient client, CSearchReq request) =>
        (await client.FailAsync(ChatPackets.CSearchReq, request)).Code;

    // What was said last may not be stored yet.
    private static Task<string> FoundAsync(TestClient client, string words, string expected) => Eventually.GetAsync(
        async () => string.Join(
            " | ", (await client.SearchAsync(new CSearchReq { Words = words })).Messages.Select(static said => said.Text)),
        found => found == expected);
}
