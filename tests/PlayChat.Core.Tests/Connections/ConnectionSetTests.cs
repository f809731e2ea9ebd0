using System.Net;
using PlayChat.Core.Connections;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionSetTests
{
    [Theory]
    [InlineData("192.0.2.1", "192.0.2.1", true)]
    [InlineData("192.0.2.1", "192.0.2.2", false)]
    [InlineData("192.0.2.1", "::ffff:192.0.2.1", true)] // the same peer, at an IPv4 and at an IPv6 endpoint
    [InlineData("::ffff:192.0.2.1", "::ffff:192.0.2.2", false)]
    [InlineData("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", true)]
    [InlineData("2001:db8:0:1::1", "2001:db8:0:2::1", false)]
    [InlineData("fe80::1%3", "fe80::2%3", true)]
    [InlineData("::1", "::1", true)]
    public async Task Of_IPv6_addresses_the_first_half_counts_and_of_IPv4_addresses_all(string first, string second, bool areOne)
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(configure: static o => o.MaxConnectionsPerAddress = 1).Start();
        using var set = new ConnectionSet(harness.Options, harness.Time, TimeSpan.FromSeconds(1), inspect: null);
        Connection one = At(first);
        Connection other = At(second);

        Assert.Equal(CloseReason.None, set.TryAdd(one));
        Assert.Equal(areOne ? CloseReason.AddressFull : CloseReason.None, set.TryAdd(other));
        set.Remove(one);
        set.Remove(other);

        Assert.Equal(CloseReason.None, set.TryAdd(other));

        Connection At(string address) => new(new StubLink { Remote = new IPEndPoint(IPAddress.Parse(address), 1024) }, harness.Services);
    }
}
