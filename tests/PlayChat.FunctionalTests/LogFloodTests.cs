using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>A peer cannot fill the log.</summary>
[Trait("Tier", "Full")]
public sealed class LogFloodTests
{
    [Fact]
    public async Task A_flood_of_http_requests_from_one_address_is_one_line_and_a_number()
    {
        const int Floods = 300;
        await using ServerProcess server = await ServerProcess.StartAsync("--Log:RepeatAfter=01:00:00", "--Serilog:WriteTo:0:Name=Console");
        for (int i = 0; i < Floods; i++)
        {
            using var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            await peer.ConnectAsync(IPAddress.Loopback, server.Port).WaitAsync(TestTimeouts.Hang);
            await peer.SendAsync("GET / HT"u8.ToArray());
            await ReadToEndAsync(peer);
        }

        await server.StopAsync();

        Assert.Single(server.Program.OutputLines, static line => line.Contains("spoke HTTP", StringComparison.Ordinal));
        string number = (Floods - 1).ToString(CultureInfo.InvariantCulture);
        Assert.Contains(
            server.Program.OutputLines,
            line => line.Contains($"SpokeHttp: {number} more from 127.0.0.1 in the last", StringComparison.Ordinal));
        // PlayChat.Core limits its own line about each bad frame, and the server's filter sees what is left of them.
        Assert.InRange(
            server.Program.OutputLines.Count(static line => line.Contains("sent a bad frame", StringComparison.Ordinal)), 1, 2);
        Assert.True(server.ReadFigures().GetProperty("extras").GetProperty("log_left_out").GetDouble() >= Floods - 1);
    }

    private static async Task ReadToEndAsync(Socket peer)
    {
        byte[] buffer = new byte[1024];
        try
        {
            while (await peer.ReceiveAsync(buffer).WaitAsync(TestTimeouts.Hang) > 0)
            {
            }
        }
        catch (SocketException)
        {
            // The server has reset the link.
        }
    }
}
