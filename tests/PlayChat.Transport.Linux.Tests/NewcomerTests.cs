using System.Net;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Transport.Linux.Tests;

/// <summary>An established link and many new ones on one loop.</summary>
public sealed class NewcomerTests
{
    private const int Newcomers = 100;
    private const int ServedPerTurn = 16;
    private const int EventsOfNewcomer = 4;
    private const string Established = "established";
    private const string Newcomer = "newcomer";

    private readonly byte[] _byte = new byte[1];

    [Fact]
    public async Task An_established_link_is_served_before_the_new_ones_whose_events_came_earlier()
    {
        List<string> served = await ServeAsync(sendFromNewcomer: false);

        Assert.Equal([Established, .. Enumerable.Repeat(Newcomer, Newcomers)], served);
    }

    [Fact]
    public async Task An_established_link_waits_for_a_few_new_ones_at_most()
    {
        List<string> served = await ServeAsync(sendFromNewcomer: true);

        Assert.InRange(served.IndexOf(Established), 1, ServedPerTurn);
        Assert.Equal(Newcomers + 1, served.Count);
    }

    /// <summary>Holds the loop until the peers of all links have sent something.</summary>
    /// <param name="sendFromNewcomer">Whether the peer of the established link sends only when the first new link is served.</param>
    private async Task<List<string>> ServeAsync(bool sendFromNewcomer)
    {
        using LinuxTransport transport = NativeTransport.Create(loops: 1);
        await using TransportListener listener = transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
        var links = new List<(TransportConnection Client, TransportConnection Server)>();
        for (int i = 0; i < Newcomers + 2; i++)
        {
            TransportConnection client = await SocketTransport.Instance.ConnectAsync(listener.EndPoint, new TransportOptions());
            links.Add((client, (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!));
        }

        (TransportConnection holderClient, TransportConnection holder) = links[0];
        (TransportConnection client, TransportConnection server) established = links[1];
        await EstablishAsync(holderClient, holder);
        await EstablishAsync(established.client, established.server);

        using var held = new SemaphoreSlim(0);
        using var release = new SemaphoreSlim(0);
        var served = new List<string>(); // used by the loop's thread only
        Task holding = HoldAsync();
        List<Task> serving = [.. links.Skip(2).Select(link => ServeLinkAsync(link.Server, Newcomer))];
        serving.Add(ServeLinkAsync(established.server, Established));
        await holderClient.SendAsync(_byte);
        Assert.True(await held.WaitAsync(TestTimeouts.Hang));
        foreach ((TransportConnection newcomer, _) in links.Skip(2))
        {
            await newcomer.SendAsync(_byte);
        }

        if (!sendFromNewcomer)
        {
            await established.client.SendAsync(_byte);
        }

        release.Release();
        await Task.WhenAll([holding, .. serving]).WaitAsync(TestTimeouts.Hang);
        links.ForEach(static link =>
        {
            link.Client.Dispose();
            link.Server.Dispose();
        });
        return served;

        async Task HoldAsync()
        {
            await ReceiveAsync(holder).ConfigureAwait(false);
            held.Release();
            release.Wait(TestTimeouts.Hang); // the loop's thread
        }

        async Task ServeLinkAsync(TransportConnection link, string name)
        {
            await ReceiveAsync(link).ConfigureAwait(false);
            if (sendFromNewcomer && served.Count == 0)
            {
                _ = established.client.SendAsync(_byte); // at the peer when it returns: it is on this machine
            }

            served.Add(name);
        }
    }

    /// <summary>Sends as often as it takes for a link to be no newcomer any more.</summary>
    private async Task EstablishAsync(TransportConnection client, TransportConnection server)
    {
        for (int i = 0; i < EventsOfNewcomer; i++)
        {
            Task<int> received = ReceiveAsync(server).AsTask();
            await client.SendAsync(_byte);
            Assert.Equal(1, await received.WaitAsync(TestTimeouts.Hang));
        }
    }

    // Not WaitForDataAsync alone: the system may report one byte by two edges, and the second one would complete the next wait at once.
    private static ValueTask<int> ReceiveAsync(TransportConnection link) => link.ReceiveAsync(new byte[16].AsMemory());
}
