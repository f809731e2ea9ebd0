using PlayChat.Protocol;
using PlayChat.Server.Rooms;
using PlayChat.Server.Tests.Chat;

namespace PlayChat.Server.Tests.ChatLog;

public sealed class RepetitionTests
{
    private const ushort First = 1000;

    [Fact]
    public async Task Under_Stored_only_so_many_repetitions_of_a_message_wait_with_it_and_none_without_a_request_id()
    {
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var store = new FaultyStore { AppendWaitsFor = back.Task };
        await using TestServer server = await TestServer.StartInAsync(
            null, store.Wrap, "--ChatLog:Durability=Stored", "--ChatLog:FullTimeout=00:10:00");
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        var message = new CRoomChatReq { RoomId = roomId, Text = "once", ClientMessageId = 77 };

        kim.Send(ChatPackets.CRoomChatReq, message, First);
        for (int i = 0; i < 3 * UnstoredMessage.MaxRepeats; i++)
        {
            kim.Send(ChatPackets.CRoomChatReq, message);
        }

        for (int i = 1; i <= UnstoredMessage.MaxRepeats; i++)
        {
            kim.Send(ChatPackets.CRoomChatReq, message, (ushort)(First + i));
        }

        SErrorNtf refused = await kim.FailAsync(ChatPackets.CRoomChatReq, message);
        back.SetResult();

        Assert.Equal(ErrorCode.StorageUnavailable, refused.Code);
        for (int i = 0; i <= UnstoredMessage.MaxRepeats; i++)
        {
            SRoomChatRes answer = Assert.IsType<SRoomChatRes>(await kim.NextAnswerAsync((ushort)(First + i)));
            Assert.Equal((1L, 77UL, i > 0), (answer.Sequence, answer.ClientMessageId, answer.Duplicate));
        }

        await kim.SayAsync(roomId, "next");
        Assert.Equal(["once", "next"], [(await kim.NextAsync<SRoomChatNtf>()).Text, (await kim.NextAsync<SRoomChatNtf>()).Text]);
    }
}
