using PlayChat.Chat.Configuration;
using PlayChat.Chat.Hosting;
using PlayChat.Core.Framing;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Modes;

public sealed class ClassroomModeTests
{
    [Fact]
    public async Task Classroom_passes_each_frame_to_every_connection_whatever_the_rooms_of_the_broadcast_mode()
    {
        await using TestServer server = await TestServer.StartOnSocketsAsync("--mode=classroom", "--rooms=3");
        await using RawClient teacher = await RawClient.ConnectAsync(FrameFormat.SenderPrefixed(), server.EndPoint);
        await using RawClient pupil = await RawClient.ConnectAsync(FrameFormat.SenderPrefixed(), server.EndPoint);
        await Eventually.TrueAsync(() => server.Server.Rooms.All.Sum(static room => room.MemberCount) == 2);

        teacher.Connection.Send("sit"u8, new FrameHeader(SenderId: 1));

        Assert.Equal("sit"u8.ToArray(), (await teacher.NextAsync()).Body);
        (ushort senderId, byte[] body) = await pupil.NextAsync();
        Assert.Equal((1, "sit"), (senderId, System.Text.Encoding.ASCII.GetString(body)));
    }

    [Fact]
    public void The_number_of_workers_has_a_range()
    {
        StartException problem = Assert.Throws<StartException>(
            () => ServerHost.Build(CommandLine.Parse(["--Workers=1025"]), TextWriter.Null));

        Assert.Equal("Workers is '1025'; allowed is 0 to 1024.", problem.Message);
    }
}
