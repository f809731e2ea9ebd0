using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>Who goes without a word leaves like anybody else.</summary>
[Trait("Tier", "Full")]
public sealed class DepartureTests
{
    private const ushort JoinRoomId = (ushort)PacketId.CJoinRoomReq;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_lost_connection_leaves_its_room_as_a_leave_does(bool isReset)
    {
        // Where a broken connection is not kept for a while; the other is reset as well, for there is something that it has not read.
        await using ServerProcess server =
            await ServerProcess.StartAsync("--PlayChat:Sessions:ResumeWindow=00:00:00", "--Rooms:Lasting=false");
        await using ChatClient friend = await Players.LoginAsync(server, $"stays {isReset}");
        var inbox = new Inbox(friend);
        SCreateRoomRes room = await friend.CreateRoomAsync("departures");
        using RawPeer peer = await RawPeer.ConnectAsync(server.Port);
        string name = $"goes {isReset}";
        await peer.SendAsync(HostileFrames.Login(name));
        await peer.SendAsync(RawPeer.Packet(JoinRoomId, 2, Payload.Of(new CJoinRoomReq { RoomId = room.RoomId })));
        SJoinRoomNtf joined = await inbox.NextJoinAsync();

        if (isReset)
        {
            peer.Reset();
        }
        else
        {
            peer.Dispose();
        }

        SRoomChatNtf left = await inbox.NextChatAsync();
        Assert.True(left.System);
        Assert.Equal((ChatLimits.SystemName, $"{name} has left the room."), (left.PlayerName, left.Text));
        Assert.Equal(joined.Member, left.Left);
        Assert.Equal(friend.Login!.Name, Assert.Single(friend.FindRoom(room.RoomId)!.Members).Name);

        // The last one goes in the same way, and the room with it.
        await friend.DisposeAsync();
        await using ChatClient witness = await Players.LoginAsync(server, $"sees {isReset}");
        await server.Program.WaitForLineAsync(line =>
            line.Contains($"Room {room.RoomId} (departures) is empty and was removed", StringComparison.Ordinal));
        ChatErrorException gone = await Assert.ThrowsAsync<ChatErrorException>(() => witness.JoinRoomAsync(room.RoomId));
        Assert.Equal(ErrorCode.RoomNotFound, gone.Code);
    }
}
