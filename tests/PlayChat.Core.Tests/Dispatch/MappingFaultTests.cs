using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>A packet whose mapping is invalid: the error names the handlers, and a host logs it in one line.</summary>
public sealed class MappingFaultTests
{
    [Fact]
    public void The_two_handlers_of_an_id_are_named()
    {
        var router = new PacketRouter(provider: null, new PacketSet().Add(new TextPacket(7)));
        router.MapPacket<string>(OnText);

        InvalidOperationException e = Assert.Throws<InvalidOperationException>(
            () => router.MapRoomPacket<MemberRoom, TestMember, string>(static (_, _, _, _) => { }));

        Assert.Equal(
            "Packet id 7 (TEXT_7) is mapped twice: to MappingFaultTests.OnText and to a lambda in "
                + $"MappingFaultTests.{nameof(The_two_handlers_of_an_id_are_named)} of MemberRoom. Remove one of the two.",
            e.Message);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_host_logs_it_as_one_line_without_a_stack_trace(bool isMappedTwice)
    {
        using var logger = new RecordingLogger();
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<ILoggerFactory>(logger);
        builder.Services.AddPlayChat(server => Listening(server).UsePackets(new PacketSet().Add(new TextPacket(7))).OnPackets(router =>
        {
            if (isMappedTwice)
            {
                router.MapPacket<string>(OnText);
                router.MapPacket<string>(OnText);
            }
            else
            {
                router.MapPacket<long>(static (_, _) => { });
            }
        }));
        using IHost host = builder.Build();
        int before = Environment.ExitCode;

        await host.StartAsync();

        Environment.ExitCode = before;
        (LogLevel level, _, string text) = Assert.Single(logger.Entries, static entry => entry.Event == "StartFailed");
        Assert.Equal(LogLevel.Critical, level);
        Assert.Contains(
            isMappedTwice ? "both times to MappingFaultTests.OnText: map it once." : "No packet carries System.Int64.",
            text,
            StringComparison.Ordinal);
    }

    private static PlayChatServer Listening(PlayChatServer server)
    {
        server.Options.ListenTcp("127.0.0.1:0");
        return server;
    }

    private static void OnText(PacketContext context, string text)
    {
    }
}
