using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.TestUtilities;
using static PlayChat.Server.Tests.Chat.Resuming;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>Messages that get another text, or are deleted.</summary>
public sealed class EditTests
{
    private const string NotFound = "There is no such message, or it was deleted. Read the history of the room.";

    [Theory]
    [InlineData("Async", 1000)]
    [InlineData("Async", 0)] // nothing in memory: the message comes from the store
    [InlineData("Stored", 1000)]
    public async Task Everybody_gets_the_new_text_now_and_in_the_history_and_after_a_restart(string durability, int remembered)
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
            said = (await ann.SayAsync(room, "helo")).Sequence;
            await Eventually.GetAsync(
                async () => (await ann.ReadHistoryAsync(room)).Count, static count => count > 0); // it is stored

            Assert.Equal(said, (await ann.EditAsync(room, said, "hello")).Sequence);
            SMessageEditedNtf edited = await bob.NextAsync<SMessageEditedNtf>();
            await ann.SayAsync(room, "next");
            SRoomChatNtf first = await bob.NextAsync<SRoomChatNtf>();
            SRoomChatNtf next = await bob.NextAsync<SRoomChatNtf>();

            Assert.Equal((said, "hello", "Ann", said), (edited.MessageSequence, edited.Text, edited.Editor.Name, edited.PreviousSequence));
            Assert.Equal(("helo", 0L, edited.Sequence), (first.Text, first.EditedAtUnixMs, next.PreviousSequence));
            if (remembered > 0)
            {
                SRoomChatNtf read = (await bob.ReadHistoryAsync(room))[0];
                Assert.Equal((said, "hello", edited.EditedAtUnixMs), (read.Sequence, read.Text, read.EditedAtUnixMs));
            }
        }

        await using TestServer restarted = await TestServer.StartInAsync(folder.Path, null, args);
        await using TestClient again = await restarted.LoginAsync("Ann");
        await again.JoinAsync(room);
        await again.EditAsync(room, said, "");

        Assert.Equal(said, (await again.NextAsync<SMessageEditedNtf>()).MessageSequence);
        await Eventually.GetAsync(
            async () => (await again.ReadHistoryAsync(room))[0], static said => said is { Deleted: true, Text: "" });
        Assert.Equal((ErrorCode.MessageNotFound, NotFound), await again.FailToEditAsync(room, said, "again"));
    }

    [Fact]
    public async Task A_change_counts_although_the_clock_was_ahead_when_the_message_was_changed_before()
    {
        await using TestServer server = await TestServer.StartAsync("--Rooms:HistoryMessages=0");
        await using TestClient ann = await server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;
        long said = (await ann.SayAsync(room, "hello")).Sequence;
        Task<IReadOnlyList<ChatRecord>> StoredAsync(string text) => Eventually.GetAsync(
            () => server.Store.ReadChatAfterAsync(room, said - 1, limit: 1), read => read is [var record] && record.Text == text);
        ChatRecord stored = (await StoredAsync("hello"))[0];
        await server.Store.AppendChatAsync([stored with { Text = "earlier", EditedAt = DateTimeOffset.UtcNow.AddHours(1) }]);

        await ann.EditAsync(room, said, "later");

        await StoredAsync("later");
    }

    [Fact]
    public async Task A_player_that_was_away_gets_the_change_of_a_message_that_it_has_seen()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.ConnectAsync();
        SLoginRes login = await bob.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        long said = (await ann.SayAsync(room, "helo")).Sequence;
        await bob.NextAsync<SRoomChatNtf>();

        await BreakAsync(server, bob);
        await ann.EditAsync(room, said, "");
        await using TestClient back = await server.ConnectAsync();
        SResumeRes resumed = await ResumeAsync(back, login.ResumeToken, (room, said));

        Assert.True(resumed.Rooms[0].Recovered);
        SMessageEditedNtf edited = await back.NextAsync<SMessageEditedNtf>();
        Assert.Equal((said, "", said), (edited.MessageSequence, edited.Text, edited.PreviousSequence));
    }

    [Fact]
    public async Task Only_its_author_changes_a_message_and_only_a_higher_role_deletes_it()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient eve = await server.LoginAsync("Eve");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        long ofAnn = (await ann.SayAsync(room, "mine")).Sequence;
        long ofBob = (await bob.SayAsync(room, "spam")).Sequence;

        Assert.Equal(ErrorCode.NotInRoom, (await eve.FailToEditAsync(room, ofBob, "")).Code);
        Assert.Equal(ErrorCode.RoomNotFound, (await eve.FailToEditAsync(99, ofBob, "")).Code);
        Assert.Equal(
            (ErrorCode.Forbidden, "Only its author changes a message. Moderators may delete it."),
            await ann.FailToEditAsync(room, ofBob, "ham"));
        Assert.Equal(
            (ErrorCode.Forbidden, "This message is not yours to delete. Ask a moderator whose role is higher than its author's."),
            await bob.FailToEditAsync(room, ofAnn, ""));
        Assert.Equal((ErrorCode.MessageNotFound, NotFound), await ann.FailToEditAsync(room, 999, "x"));
        Assert.Equal(ErrorCode.TextInvalid, (await bob.FailToEditAsync(room, ofBob, "\u0001")).Code);
        await ann.EditAsync(room, ofBob, "");

        Assert.Equal("Ann", (await bob.NextAsync<SMessageEditedNtf>()).Editor.Name);
        Assert.Equal("mine | ", await bob.ReadTextsAsync(room));
        SRoomChatNtf tombstone = (await bob.ReadHistoryAsync(room))[^1];
        Assert.Equal((true, "Bob"), (tombstone.Deleted, tombstone.PlayerName));
    }

    [Fact]
    public async Task A_muted_player_learns_when_it_may_change_a_message_and_react_again()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        long said = (await bob.SayAsync(room, "spam")).Sequence;
        await ann.ModerateAsync(
            new CModerateReq { RoomId = room, Action = ModerationAction.Mute, PlayerId = bob.PlayerId, Seconds = 3600 });

        SErrorNtf edit = await bob.FailAsync(
            ChatPackets.CEditMessageReq, new CEditMessageReq { RoomId = room, Sequence = said, Text = "ham" });
        SErrorNtf react = await bob.FailAsync(ChatPackets.CReactReq, new CReactReq { RoomId = room, Sequence = said, Emoji = "👍" });

        Assert.InRange(edit.RetryAfterMs, 1u, 3_600_000u);
        Assert.InRange(react.RetryAfterMs, 1u, 3_600_000u);
    }

    [Fact]
    public async Task A_message_that_is_older_than_the_servers_bound_stays_as_it_is()
    {
        await using TestServer server = await TestServer.StartAsync("--Rooms:EditWindow=00:00:00");
        await using TestClient ann = await server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;
        long said = (await ann.SayAsync(room, "hello")).Sequence;

        Assert.Equal(
            (ErrorCode.Forbidden, "This server lets nobody change a message. Say something new."),
            await ann.FailToEditAsync(room, said, "x"));
        Assert.Equal("hello", (await ann.ReadHistoryAsync(room))[0].Text);
    }
}
