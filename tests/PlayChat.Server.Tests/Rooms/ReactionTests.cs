using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;
using static PlayChat.Server.Tests.Chat.Resuming;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>What players react to messages with.</summary>
public sealed class ReactionTests
{
    [Theory]
    [InlineData("Async", 1000)]
    [InlineData("Async", 0)] // nothing in memory: message and reactions come from the store
    [InlineData("Stored", 1000)]
    public async Task Members_hear_of_a_reaction_once_and_each_history_counts_it(string durability, int remembered)
    {
        using var folder = new TemporaryDirectory();
        string[] args = ["--Rooms:Lasting=true", $"--ChatLog:Durability={durability}", $"--Rooms:HistoryMessages={remembered}"];
        long room, said;
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null, args))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            await using TestClient bob = await server.LoginAsync("Bob");
            room = (await ann.CreateAsync("den")).RoomId;
            await bob.JoinAsync(room);
            said = (await ann.SayAsync(room, "hello")).Sequence;
            await Eventually.GetAsync(
                async () => (await ann.ReadHistoryAsync(room)).Count, static count => count > 0); // it is stored

            Assert.Equal(said, (await bob.ReactAsync(room, said, "👍")).Sequence);
            await bob.ReactAsync(room, said, "👍"); // nothing new
            await ann.ReactAsync(room, said, "👍");
            await ann.ReactAsync(room, said, "🎲");
            await ann.ReactAsync(room, said, "🎲", remove: true);
            List<SReactionNtf> heard = [];
            while (heard.Count < 4)
            {
                heard.Add(await bob.NextAsync<SReactionNtf>());
            }

            Assert.Equal(
                [("Bob", "👍", false), ("Ann", "👍", false), ("Ann", "🎲", false), ("Ann", "🎲", true)],
                heard.Select(static reaction => (reaction.Player.Name, reaction.Emoji, reaction.Removed)));
            Assert.All(heard, reaction => Assert.Equal((room, said), (reaction.RoomId, reaction.MessageSequence)));
            Assert.Equal([said, .. heard.SkipLast(1).Select(static reaction => reaction.Sequence)], heard.Select(
                static reaction => reaction.PreviousSequence));
            Assert.Equal("👍 2 own", await ReadAsync(bob, room));
            await bob.ReactAsync(room, said, "👍", remove: true);
            Assert.Equal("👍 1", await ReadAsync(bob, room));
            Assert.Equal("👍 1 own", await ReadAsync(ann, room));
        }

        await using TestServer restarted = await TestServer.StartInAsync(folder.Path, null, args);
        await using TestClient again = await restarted.LoginAsync("Ann");
        await again.JoinAsync(room);
        Assert.Equal("👍 1 own", await ReadAsync(again, room));
        await again.EditAsync(room, said, "");
        Assert.Equal("", await Eventually.GetAsync(() => ReadAsync(again, room), static shown => shown.Length == 0));
        Assert.Equal(ErrorCode.MessageNotFound, await FailAsync(again, room, said, "👍"));
    }

    [Fact]
    public async Task A_player_that_was_away_or_joins_later_has_the_right_counts()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.ConnectAsync();
        await using TestClient eve = await server.LoginAsync("Eve");
        SLoginRes login = await bob.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        long said = (await ann.SayAsync(room, "hello")).Sequence;
        await bob.NextAsync<SRoomChatNtf>();

        await BreakAsync(server, bob);
        await ann.ReactAsync(room, said, "❤️");
        await using TestClient back = await server.ConnectAsync();
        SResumeRes resumed = await ResumeAsync(back, login.ResumeToken, (room, said));
        SReactionNtf missed = await back.NextAsync<SReactionNtf>();
        Reaction shown = Assert.Single(Assert.Single((await eve.JoinAsync(room)).History).Reactions);

        Assert.True(resumed.Rooms[0].Recovered);
        Assert.Equal((said, "❤️", said), (missed.MessageSequence, missed.Emoji, missed.PreviousSequence));
        Assert.Equal(("❤️", 1u, false), (shown.Emoji, shown.Count, shown.Own));
    }

    [Fact]
    public async Task A_reaction_that_breaks_a_rule_is_refused()
    {
        await using TestServer server = await TestServer.StartAsync("--Sessions:PagesPerSecond=0");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        long said = (await ann.SayAsync(room, "hello")).Sequence;

        Assert.Equal(ErrorCode.NotInRoom, await FailAsync(bob, room, said, "👍"));
        Assert.Equal(ErrorCode.RoomNotFound, await FailAsync(ann, 99, said, "👍"));
        Assert.Equal(ErrorCode.MessageNotFound, await FailAsync(ann, room, 999, "👍"));
        Assert.Equal(ErrorCode.TextInvalid, await FailAsync(ann, room, said, "no"));
        await bob.JoinAsync(room);
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Mute, PlayerId = bob.PlayerId });
        Assert.Equal(ErrorCode.Forbidden, await FailAsync(bob, room, said, "👍"));
        for (int i = 0; i < ChatLimits.MaxReactions; i++)
        {
            await ann.ReactAsync(room, said, char.ConvertFromUtf32(0x1F600 + i));
        }

        Assert.Equal(ErrorCode.Forbidden, await FailAsync(ann, room, said, "👍"));
    }

    [Theory]
    [InlineData("👍", true)]
    [InlineData("👍🏽", true)]
    [InlineData("👨‍👩‍👧‍👦", true)]
    [InlineData("🇰🇷", true)]
    [InlineData("1️⃣", true)]
    [InlineData("❤️", true)]
    [InlineData("", false)]
    [InlineData("a", false)]
    [InlineData("1", false)]
    [InlineData("👍👍", false)]
    [InlineData("👍 ", false)]
    [InlineData("⠀", false)] // drawn as nothing
    [InlineData("👍\u0300\u0301", false)]
    public void A_reaction_is_one_emoji(string text, bool isOne) => Assert.Equal(isOne, ChatRules.IsReaction(text));

    private static async Task<ErrorCode> FailAsync(TestClient client, long room, long sequence, string emoji) =>
        (await client.FailAsync(
            ChatPackets.CReactReq, new CReactReq { RoomId = room, Sequence = sequence, Emoji = emoji })).Code;

    /// <summary>The reactions to the first message of the history.</summary>
    private static async Task<string> ReadAsync(TestClient client, long room) => string.Join(", ", (await client.ReadHistoryAsync(room))[0]
        .Reactions.Select(static shown => $"{shown.Emoji} {shown.Count}{(shown.Own ? " own" : "")}"));
}
