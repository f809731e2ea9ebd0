using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>Two people through everything there is, and the day after, where rooms end when they are empty.</summary>
public sealed class StoryTests
{
    private const string Fleeting = "--Rooms:Lasting=false";
    private const string First = "민수";
    private const string Second = "영희 🌸";
    private const string RoomName = "수다방 ☕";

    [Fact]
    public async Task Two_people_talk_leave_and_find_everything_again_after_a_restart()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        using var folder = new TemporaryDirectory();
        (long firstId, long secondId, long roomId) = await TalkAsync(folder.Path);

        await using (SqliteChatStore store = await Database.OpenAsync(folder.Combine("data", "playchat.db")))
        {
            await AssertStoredAsync(store, firstId, secondId, roomId);
        }

        // The day after: the same players, and a room that is not the old one.
        await using ServerProcess server = await ServerProcess.StartInAsync(folder.Path, Fleeting);
        await using ChatClient second = await Players.ConnectAsync(server);
        SLoginRes secondLogin = await second.LoginAsync(Second);
        await using ChatClient first = await Players.ConnectAsync(server);
        SLoginRes firstLogin = await first.LoginAsync(First);
        Assert.Empty((await first.ListRoomsAsync()).Rooms);
        SCreateRoomRes newRoom = await first.CreateRoomAsync(RoomName);

        Assert.Equal(firstId, firstLogin.PlayerId);
        Assert.Equal(secondId, secondLogin.PlayerId);
        Assert.True(newRoom.RoomId > roomId, $"Room {newRoom.RoomId} must come after room {roomId}, which is in the log.");
    }

    private static async Task<(long First, long Second, long Room)> TalkAsync(string folder)
    {
        await using ServerProcess server = await ServerProcess.StartInAsync(folder, Fleeting);
        await using ChatClient first = await Players.ConnectAsync(server);
        await using ChatClient second = await Players.ConnectAsync(server);
        var firstInbox = new Inbox(first);
        var secondInbox = new Inbox(second);

        SLoginRes firstLogin = await first.LoginAsync(First);
        SLoginRes secondLogin = await second.LoginAsync(Second);
        Assert.Equal((First, Second), (firstLogin.Name, secondLogin.Name));
        Assert.NotEqual(firstLogin.PlayerId, secondLogin.PlayerId);

        SCreateRoomRes room = await first.CreateRoomAsync(RoomName);
        Assert.Equal((RoomName, 0L), (room.Name, room.LatestSequence));
        RoomInfo listed = Assert.Single((await second.ListRoomsAsync()).Rooms);
        Assert.Equal((room.RoomId, RoomName, 1u), (listed.RoomId, listed.Name, listed.Members));

        SJoinRoomRes joined = await second.JoinRoomAsync(room.RoomId);
        Assert.Equal([First, Second], joined.Members.Select(static member => member.Name), StringComparer.Ordinal);
        Assert.Equal(1, joined.LatestSequence);
        SJoinRoomNtf join = await firstInbox.NextJoinAsync();
        Assert.Equal((Second, 1L, 0L), (join.Member.Name, join.Sequence, join.PreviousSequence));

        SRoomChatRes said = await first.ChatAsync(room.RoomId, "안녕하세요 👋");
        await AssertHeardAsync("안녕하세요 👋", First, firstLogin.PlayerId, said.Sequence, firstInbox, secondInbox);
        SRoomChatRes answered = await second.ChatAsync(room.RoomId, "반가워요 🎉👨‍👩‍👧‍👦");
        await AssertHeardAsync("반가워요 🎉👨‍👩‍👧‍👦", Second, secondLogin.PlayerId, answered.Sequence, firstInbox, secondInbox);
        Assert.Equal((2L, 3L), (said.Sequence, answered.Sequence));

        await second.LeaveRoomAsync(room.RoomId);
        SRoomChatNtf left = await firstInbox.NextChatAsync();
        Assert.True(left.System);
        Assert.Equal((ChatLimits.SystemName, $"{Second} has left the room.", 4L), (left.PlayerName, left.Text, left.Sequence));
        Assert.Equal(secondLogin.PlayerId, left.Left.PlayerId);
        Assert.Null(second.FindRoom(room.RoomId));

        // Nobody is in it any more: it is gone.
        await first.LeaveRoomAsync(room.RoomId);
        Assert.Empty((await first.ListRoomsAsync()).Rooms);
        ChatErrorException refused = await Assert.ThrowsAsync<ChatErrorException>(() => second.JoinRoomAsync(room.RoomId));
        Assert.Equal(ErrorCode.RoomNotFound, refused.Code);
        Assert.Equal((0L, 0L), (first.MissedMessages, second.MissedMessages));

        int exitCode = await server.StopAsync();
        Assert.True(exitCode == 0, server.Program.Describe());
        return (firstLogin.PlayerId, secondLogin.PlayerId, room.RoomId);
    }

    private static async Task AssertHeardAsync(string text, string name, long playerId, long sequence, params Inbox[] inboxes)
    {
        foreach (Inbox inbox in inboxes)
        {
            SRoomChatNtf heard = await inbox.NextChatAsync();
            Assert.Equal((text, name, playerId, sequence, sequence - 1),
                (heard.Text, heard.PlayerName, heard.PlayerId, heard.Sequence, heard.PreviousSequence));
        }
    }

    private static async Task AssertStoredAsync(SqliteChatStore store, long firstId, long secondId, long roomId)
    {
        Account? first = await store.FindAccountAsync(First);
        Account? second = await store.FindAccountAsync(Second);
        Assert.Equal((firstId, First), (first?.Id, first?.Name));
        Assert.Equal((secondId, Second), (second?.Id, second?.Name));
        Assert.NotNull(first?.LastLoginAt);

        // Sequence 1 was a join: it takes a place in the order, but nothing was said.
        List<ChatRecord> records = await Database.ReadRoomAsync(store, roomId);
        Assert.Equal(
            [
                (2L, firstId, First, "안녕하세요 👋"),
                (3L, secondId, Second, "반가워요 🎉👨‍👩‍👧‍👦"),
                (4L, 0L, ChatLimits.SystemName, $"{Second} has left the room."),
                (5L, 0L, ChatLimits.SystemName, $"{First} has left the room."),
            ],
            records.Select(static record => (record.Sequence, record.PlayerId, record.PlayerName, record.Text)));
        Assert.All(records, static record => Assert.Equal(RoomName, record.RoomName));
    }
}
