using System.Net;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Transport.Linux.Tests;

public sealed class LinuxTransportTests : TcpTransportTests, IDisposable
{
    private readonly LinuxTransport _transport = NativeTransport.Create();

    protected override ITransport Transport => _transport;

    public void Dispose() => _transport.Dispose();

    [Fact]
    public async Task A_client_connects_from_its_source_addresses_in_turn()
    {
        IPAddress[] sources = [IPAddress.Parse("127.0.0.2"), IPAddress.Parse("127.0.0.3")];
        using var client = new LinuxTransport(new LinuxTransportOptions { Loops = 1, SourceAddresses = sources });
        await using TransportListener listener = _transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
        var seen = new List<IPAddress>();
        for (int i = 0; i < 4; i++)
        {
            using TransportConnection link = await client.ConnectAsync(listener.EndPoint, new TransportOptions());
            using TransportConnection accepted = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;
            seen.Add(((IPEndPoint)accepted.RemoteEndPoint!).Address);
        }

        Assert.Equal([.. sources, .. sources], seen);
    }

    [Fact]
    public async Task A_source_address_of_another_machine_fails_the_connect()
    {
        using var client = new LinuxTransport(
            new LinuxTransportOptions { Loops = 1, SourceAddresses = [IPAddress.Parse("192.0.2.1")] }); // TEST-NET-1: no machine's
        await using TransportListener listener = _transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());

        await Assert.ThrowsAsync<ConnectFailedException>(
            async () => await client.ConnectAsync(listener.EndPoint, new TransportOptions()));
    }
}
