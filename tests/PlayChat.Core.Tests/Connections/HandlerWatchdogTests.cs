using System.Net;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Tests.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;
using PlayChat.Transport.Linux;

namespace PlayChat.Core.Tests.Connections;

/// <summary>A handler that blocks an event loop is told of.</summary>
public sealed class HandlerWatchdogTests
{
    [Fact]
    public async Task A_handler_that_blocks_an_event_loop_is_logged_once_with_its_packet()
    {
        using LinuxTransport transport = NativeTransport.Create(loops: 1);
        var time = new ManualTimeProvider();
        using var logger = new RecordingLogger();
        using var release = new ManualResetEventSlim();
        var entered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var answered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = new PlayChatServer();
        server.Options.ListenTcp("127.0.0.1:0");
        server.UseTransport(transport).UseTime(time).UseLogging(logger).OnFrame((connection, frame) =>
        {
            entered.TrySetResult();
            Assert.True(release.Wait(TestTimeouts.Hang));
            connection.Send(frame);
        });
        await server.StartAsync();
        await using var connector = new PlayChatConnector(FrameFormat.Packet(), (_, _) => answered.TrySetResult());
        Connection client = await connector.ConnectAsync(server.EndPoints[0]);

        client.Send("hello"u8, new FrameHeader(PacketId: 77));
        await entered.Task.WaitAsync(TestTimeouts.Hang);
        for (int i = 0; i < 6; i++)
        {
            time.Advance(HandlerWatchdog.Patience / 2);
        }

        release.Set();
        await answered.Task.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(1, logger.Count("HandlerBlocks"));
        Assert.Contains(logger.Entries, static entry => entry.Event == "HandlerBlocks" && entry.Text.Contains(
            "packet id 77", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(6, 0)]
    [InlineData(60, 1)]
    public async Task A_handler_on_a_thread_of_the_pool_is_logged_once_when_it_does_not_return_for_long(int halves, int lines)
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        using var watchdog = new HandlerWatchdog(harness.Services, hasEngines: true);
        harness.Handler.OnFrame = (Connection _, in Frame _) =>
        {
            for (int i = 0; i < halves; i++)
            {
                harness.Time.Advance(HandlerWatchdog.Patience / 2);
            }

            return default;
        };

        harness.Stub.Feed(harness.Frame(1));

        Assert.Equal(1, harness.Handler.Frames);
        Assert.Equal((0, lines), (harness.Logger.Count("HandlerBlocks"), harness.Logger.Count("HandlerHangs")));
    }
}
