using PlayChat.Core;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>A player who logs in a second time, where it may have one device.</summary>
public sealed class TakeoverTests
{
    [Fact]
    public async Task A_second_login_tells_the_older_session_and_closes_it()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--PlayChat:Sessions:MaxPerUser=1");
        await using ChatClient older = await Players.LoginAsync(server, "Twice");
        await using ChatClient friend = await Players.LoginAsync(server, "Twice's friend");
        var inbox = new Inbox(friend);
        SCreateRoomRes room = await friend.CreateRoomAsync("takeover");
        await older.JoinRoomAsync(room.RoomId);

        // Case does not make another player.
        await using ChatClient newer = await Players.LoginAsync(server, "tWICE");

        ChatDisconnectedEventArgs end = await older.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.TakenOver, end.Reason);
        Assert.Equal("Twice has logged in from elsewhere.", end.ServerMessage);
        Assert.Equal(older.Login!.PlayerId, newer.Login!.PlayerId);
        SRoomChatNtf left = await inbox.NextChatAsync();
        Assert.Equal(older.Login.PlayerId, left.Left.PlayerId);

        // The newer session is in no room, and may come back.
        SJoinRoomRes joined = await newer.JoinRoomAsync(room.RoomId);
        Assert.Equal(2, joined.Members.Count);
    }
}
