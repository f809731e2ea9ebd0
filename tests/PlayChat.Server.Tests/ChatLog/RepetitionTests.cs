using PlayChat.Chat.Rooms.Order;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.TestUtilities;

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
        for (int i = 0; i < 3 * PendingMessage.MaxRepeats; i++)
        {
            kim.Send(ChatPackets.CRoomChatReq, message);
        }

        for (int i = 1; i <= PendingMessage.MaxRepeats; i++)
        {
            kim.Send(ChatPackets.CRoomChatReq, message, (ushort)(First + i));
        }

        SErrorNtf refused = await kim.FailAsync(ChatPackets.CRoomChatReq, message);
        back.SetResult();

        Assert.Equal(ErrorCode.StorageUnavailable, refused.Code);
        for (int i = 0; i <= PendingMessage.MaxRepeats; i++)
        {
            SRoomChatRes answer = Assert.IsType<SRoomChatRes>(await kim.NextAnswerAsync((ushort)(First + i)));
            Assert.Equal((1L, 77UL, i > 0), (answer.Sequence, answer.ClientMessageId, answer.Duplicate));
        }

        await kim.SayAsync(roomId, "next");
        Assert.Equal(["once", "next"], [(await kim.NextAsync<SRoomChatNtf>()).Text, (await kim.NextAsync<SRoomChatNtf>()).Text]);
    }

    [Theory]
    [InlineData("Async")]
    [InlineData("Stored")]
    public async Task A_message_that_is_sent_again_after_a_restart_is_answered_as_a_repetition_and_stored_once(string durability)
    {
        using var folder = new TemporaryDirectory();
        string option = $"--ChatLog:Durability={durability}";
        var message = new CRoomChatReq { Text = "once", ClientMessageId = ulong.MaxValue };
        await using (TestServer first = await TestServer.StartInAsync(folder.Path, null, option))
        {
            await using TestClient kim = await first.LoginAsync("kim");
            message.RoomId = (await kim.CreateAsync("lobby")).RoomId;
            Assert.Equal(1, (await SayAsync(kim, message)).Sequence);
            await first.StopAsync();
        }

        await using TestServer again = await TestServer.StartInAsync(folder.Path, null, option);
        await using TestClient lee = await again.LoginAsync("lee");
        await using TestClient back = await again.LoginAsync("kim");
        await lee.JoinAsync(message.RoomId);
        await back.JoinAsync(message.RoomId);
        SRoomChatRes ofAnother = await SayAsync(lee, message);
        SRoomChatRes repeated = await SayAsync(back, message);
        await again.StopAsync();

        Assert.Equal((1L, true, false), (repeated.Sequence, repeated.Duplicate, ofAnother.Duplicate));
        IReadOnlyList<ChatRecord> stored = await again.Store.ReadChatAfterAsync(message.RoomId, 0, 10);
        Assert.Equal(
            [(1L, "kim", ulong.MaxValue), (ofAnother.Sequence, "lee", ulong.MaxValue)],
            stored.Where(static record => record.PlayerId != 0)
                .Select(static record => (record.Sequence, record.PlayerName, record.ClientMessageId)));
    }

    private static Task<SRoomChatRes> SayAsync(TestClient client, CRoomChatReq message) =>
        client.AskAsync<CRoomChatReq, SRoomChatRes>(ChatPackets.CRoomChatReq, message);
}
