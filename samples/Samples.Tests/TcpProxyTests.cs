using System.Net;
using System.Net.Sockets;

namespace Samples.Tests;

public sealed class TcpProxyTests
{
    private const int Bytes = 5_000_000;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Megabytes_pass_both_ways_and_the_side_that_ends_first_still_receives(bool clientEndsFirst)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), SampleProcess.NoSignals);
        using var upstream = new TcpListener(IPAddress.Loopback, 0);
        upstream.Start();
        await using SampleProcess proxy = SampleProcess.Start("TcpProxy", "127.0.0.1:0", $"{upstream.LocalEndpoint}");
        using var client = new TcpClient();
        await client.ConnectAsync("127.0.0.1", await proxy.WaitForPortAsync());
        using TcpClient server = await upstream.AcceptTcpClientAsync().WaitAsync(Hang.Guard);
        (TcpClient first, TcpClient second) = clientEndsFirst ? (client, server) : (server, client);

        // Both ways at once. The second side ends only after it has seen the end of the first one.
        Task<byte[]> receiving = ReceiveToEndAsync(first);
        Task<byte[]> secondReceiving = ReceiveToEndAsync(second);
        byte[] fromFirst = RandomBytes(1);
        byte[] fromSecond = RandomBytes(2);
        Task sending = second.GetStream().WriteAsync(fromSecond.AsMemory(0, Bytes / 2)).AsTask();
        await first.GetStream().WriteAsync(fromFirst).AsTask().WaitAsync(Hang.Guard);
        first.Client.Shutdown(SocketShutdown.Send);
        byte[] atSecond = await secondReceiving.WaitAsync(Hang.Guard);
        await sending.WaitAsync(Hang.Guard);
        await second.GetStream().WriteAsync(fromSecond.AsMemory(Bytes / 2)).AsTask().WaitAsync(Hang.Guard);
        second.Client.Shutdown(SocketShutdown.Send);

        Assert.Equal(fromFirst, atSecond);
        Assert.Equal(fromSecond, await receiving.WaitAsync(Hang.Guard));
        Assert.Equal(0, await proxy.StopAsync());
    }

    [Fact]
    public async Task A_client_is_reset_when_the_other_server_cannot_be_reached()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), SampleProcess.NoSignals);
        using var closed = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        closed.Bind(new IPEndPoint(IPAddress.Loopback, 0)); // refuses, and no other program gets the port meanwhile
        await using SampleProcess proxy = SampleProcess.Start("TcpProxy", "127.0.0.1:0", $"{closed.LocalEndPoint}");
        using var client = new TcpClient();
        await client.ConnectAsync("127.0.0.1", await proxy.WaitForPortAsync());

        IOException e = await Assert.ThrowsAsync<IOException>(() => ReceiveToEndAsync(client).WaitAsync(Hang.Guard));

        Assert.Equal(SocketError.ConnectionReset, Assert.IsType<SocketException>(e.InnerException).SocketErrorCode);
        Assert.Equal(0, await proxy.StopAsync());
    }

    [Fact]
    public async Task Wrong_arguments_end_it_with_its_usage()
    {
        await using SampleProcess proxy = SampleProcess.Start("TcpProxy", "127.0.0.1:0", "nowhere");

        Assert.Equal(2, await proxy.WaitForExitAsync());
        Assert.Contains(proxy.Lines, static line => line.StartsWith("Usage: ", StringComparison.Ordinal));
    }

    private static byte[] RandomBytes(int seed)
    {
        byte[] bytes = new byte[Bytes];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private static async Task<byte[]> ReceiveToEndAsync(TcpClient side)
    {
        using var all = new MemoryStream();
        await side.GetStream().CopyToAsync(all);
        return all.ToArray();
    }
}
