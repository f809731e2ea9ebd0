using System.Net;
using System.Net.Sockets;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>More connections than the server's process may have file descriptors.</summary>
[Trait("Tier", "Full")]
public sealed class DescriptorTests
{
    private const int Descriptors = 512;
    private const int Idle = 600;

    [Theory]
    [InlineData("sockets")]
    [InlineData("linux")]
    public async Task The_server_lives_a_player_chats_on_and_others_log_in_when_the_idle_ones_have_gone(string transport)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The limit of descriptors is Linux's.");
        await using ServerProcess server = await ServerProcess.StartWithDescriptorsAsync(
            Descriptors,
            $"--Transport={transport}",
            "--PlayChat:Sessions:LoginTimeout=01:00:00",
            "--Operations:Enabled=true",
            "--Operations:Address=127.0.0.1:0");
        await server.Program.WaitForLineAsync(static line => line.Contains("no more open files", StringComparison.Ordinal));
        Assert.InRange(await ReadLimitAsync(server), 1, Descriptors);
        await using ChatClient early = await Players.LoginAsync(server, "early");
        SCreateRoomRes room = await early.CreateRoomAsync("crowded");

        var idle = new List<Socket>();
        try
        {
            for (int i = 0; i < Idle; i++)
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                idle.Add(socket);
                try
                {
                    await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, server.Port));
                }
                catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
                {
                    // The server refused the link before this end saw that it was connected.
                }
            }

            await server.WaitForFiguresAsync(
                static figures => ServerProcess.Figure(figures, "total", "connections_refused") >= Idle - Descriptors);
            Assert.Equal(1, (await early.ChatAsync(room.RoomId, "still here")).Sequence);
            await server.Program.WaitForLineAsync(static line => line.Contains("refused: ServerFull", StringComparison.Ordinal));
        }
        finally
        {
            idle.ForEach(static socket => socket.Dispose());
        }

        await server.WaitForFiguresAsync(static figures => ServerProcess.Figure(figures, "now", "connections") == 1);
        await using ChatClient late = await Players.LoginAsync(server, "late");
        await late.JoinRoomAsync(room.RoomId);

        Assert.Equal(3, (await early.ChatAsync(room.RoomId, "and so are you")).Sequence); // the join was 2
        Assert.Equal(0, await server.StopAsync());
    }

    /// <summary>Reads the most connections that the server says it takes.</summary>
    private static async Task<int> ReadLimitAsync(ServerProcess server)
    {
        const string name = "playchat_connections_limit ";
        using var http = new HttpClient { BaseAddress = await server.WaitForOperationsAsync() };
        string[] lines = (await http.GetStringAsync(new Uri("metrics", UriKind.Relative))).Split('\n');
        return int.Parse(
            lines.Single(static line => line.StartsWith(name, StringComparison.Ordinal))[name.Length..],
            System.Globalization.CultureInfo.InvariantCulture);
    }
}
