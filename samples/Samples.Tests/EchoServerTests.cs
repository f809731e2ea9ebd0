using System.Net.Sockets;

namespace Samples.Tests;

public sealed class EchoServerTests
{
    [Fact]
    public async Task Frames_come_back_as_they_were_sent()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), SampleProcess.NoSignals);
        await using SampleProcess server = SampleProcess.Start("EchoServer", "127.0.0.1:0");
        using var client = new TcpClient();
        await client.ConnectAsync("127.0.0.1", await server.WaitForPortAsync());
        NetworkStream stream = client.GetStream();
        byte[] frames = [0, 0, 0, 5, .. "hello"u8, 0, 0, 0, 0, 0, 0, 0, 1, 42];

        await stream.WriteAsync(frames);
        byte[] echo = new byte[frames.Length];
        await stream.ReadExactlyAsync(echo).AsTask().WaitAsync(Hang.Guard);

        Assert.Equal(frames, echo);
        Assert.Equal(0, await server.StopAsync());
    }
}
