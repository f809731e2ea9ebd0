using System.Collections.Concurrent;
using ArenaServer.Protocol;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;

namespace Samples.Tests;

/// <summary>The arena as the programs that a user starts.</summary>
public sealed class ArenaServerTests
{
    [Fact]
    public async Task Clients_of_the_real_server_see_each_other_move_and_come_back()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), SampleProcess.NoSignals);
        await using SampleProcess server = SampleProcess.Start("ArenaServer", "--port", "0");
        int port = await server.WaitForPortAsync();
        var events = new ConcurrentQueue<ArenaEventKind>();
        var moved = new TaskCompletionSource<Position>(TaskCreationOptions.RunContinuationsAsynchronously);
        var returned = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var connector = new PlayChatConnector(FrameFormat.Packet(), ArenaPackets.All, router =>
        {
            router.MapPacket<ArenaState>(static (_, _) => { });
            router.MapPacket<Position>((_, position) => moved.TrySetResult(position));
            router.MapPacket<ArenaEvent>((context, happened) =>
            {
                if (context.Connection.Get<string>() is "bob")
                {
                    events.Enqueue(happened.Kind);
                    if (happened.Kind == ArenaEventKind.Returned)
                    {
                        returned.TrySetResult();
                    }
                }
            });
        });

        Connection ann = await connector.ConnectAsync("127.0.0.1", port);
        JoinAnswer annSeat = await JoinAsync(ann, new Join("ann"));
        Connection bob = await connector.ConnectAsync("127.0.0.1", port, static connection => connection.Set("bob"));
        await JoinAsync(bob, new Join("bob"));
        ann.SendPacket(new Steer(1, 1));
        Position position = await moved.Task.WaitAsync(Hang.Guard);
        ann.Abort();
        Connection again = await connector.ConnectAsync("127.0.0.1", port);
        JoinAnswer back = await again.RequestAsync<JoinAnswer>(new Resume(annSeat.Token), Hang.Guard);
        await returned.Task.WaitAsync(Hang.Guard);

        Assert.Equal(annSeat.PlayerId, position.PlayerId);
        Assert.Equal((annSeat.PlayerId, null), (back.PlayerId, back.Refusal));
        Assert.Contains(ArenaEventKind.Returned, events);
        Assert.Equal(0, await server.StopAsync());
    }

    [Fact]
    public async Task Bots_play_print_lines_into_a_pipe_and_end_cleanly()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), SampleProcess.NoSignals);
        await using SampleProcess server = SampleProcess.Start("ArenaServer", "--port", "0");
        string port = $"{await server.WaitForPortAsync()}";
        await using SampleProcess bots = SampleProcess.Start("ArenaServer", "--bots", "4", "--cut", "1", "--port", port);

        await bots.WaitForLineAsync(static line => line.EndsWith("connection has broken", StringComparison.Ordinal));
        await bots.WaitForLineAsync(static line => line.EndsWith("is back in its seat", StringComparison.Ordinal));
        await bots.WaitForLineAsync(static line => line.Contains("has taken the coin: ", StringComparison.Ordinal));
        bots.Interrupt();

        Assert.Equal(0, await bots.WaitForExitAsync());
        Assert.Contains(" positions came. ", bots.Lines[^1], StringComparison.Ordinal);
        Assert.DoesNotContain(bots.Lines, static line => line.Contains('\u001b'));
        Assert.Equal(0, await server.StopAsync());
    }

    [Theory]
    [InlineData(0, "--help")]
    [InlineData(2, "--bots", "0")]
    [InlineData(2, "--port")]
    [InlineData(2, "--no-such-option")]
    [InlineData(1, "--bots", "1", "--port", "1")]
    [InlineData(1, "--host", "192.0.2.1")]
    public async Task The_exit_code_and_a_sentence_say_what_was_wrong(int exitCode, params string[] arguments)
    {
        await using SampleProcess program = SampleProcess.Start("ArenaServer", arguments);

        Assert.Equal(exitCode, await program.WaitForExitAsync());
        Assert.NotEmpty(program.Lines);
        Assert.DoesNotContain(program.Lines, static line => line.Contains("   at ", StringComparison.Ordinal));
    }

    private static async Task<JoinAnswer> JoinAsync(Connection connection, Join join) =>
        await connection.RequestAsync<JoinAnswer>(join, Hang.Guard);
}
