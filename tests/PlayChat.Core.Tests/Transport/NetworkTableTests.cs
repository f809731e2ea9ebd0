using System.Net;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Tests.Transport;

public sealed class NetworkTableTests
{
    private const long Second = 1000; // ticks of the timestamps in these tests

    [Theory]
    [InlineData("192.0.2.1", "192.0.2.1", true)]
    [InlineData("192.0.2.1", "192.0.2.2", false)]
    [InlineData("192.0.2.1", "::ffff:192.0.2.1", true)] // the same peer, at an IPv4 and at an IPv6 endpoint
    [InlineData("::ffff:192.0.2.1", "::ffff:192.0.2.2", false)]
    [InlineData("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", true)]
    [InlineData("2001:db8:0:1::1", "2001:db8:0:2::1", false)]
    [InlineData("fe80::1%3", "fe80::2%3", true)]
    [InlineData("::1", "::1", true)]
    public void Of_IPv6_addresses_the_first_half_counts_and_of_IPv4_addresses_all(string first, string second, bool areOne) =>
        Assert.Equal(areOne, Network(first) == Network(second));

    [Theory]
    [InlineData("127.0.0.1", true)]
    [InlineData("127.255.0.9", true)]
    [InlineData("::ffff:127.0.0.1", true)]
    [InlineData("::1", true)]
    [InlineData("128.0.0.1", false)]
    [InlineData("10.0.0.1", false)]
    [InlineData("0:0:7f00:1::1", false)]
    [InlineData("2001:db8::1", false)]
    public void Only_addresses_of_this_machine_are_loopback(string address, bool isLoopback) =>
        Assert.Equal(isLoopback, Network(address).IsLoopback);

    [Theory]
    [InlineData("::ffff:192.0.2.1", "192.0.2.1")]
    [InlineData("127.0.0.1", "127.0.0.1")]
    [InlineData("2001:db8:0:1::7", "2001:db8:0:1::/64")]
    [InlineData("::1", "::/64")]
    public void A_network_is_written_as_an_operator_knows_it(string address, string text) =>
        Assert.Equal(text, Network(address).ToString());

    [Fact]
    public void An_end_point_without_an_address_has_no_network() => Assert.Null(PeerNetwork.Of(new DnsEndPoint("localhost", 1)));

    [Fact]
    public void A_network_has_as_many_places_as_the_limit_says_and_others_have_their_own()
    {
        var quota = new NetworkQuota();
        Assert.True(quota.TryEnter(Network("192.0.2.1"), 2));
        Assert.True(quota.TryEnter(Network("192.0.2.1"), 2));

        Assert.False(quota.TryEnter(Network("192.0.2.1"), 2));
        Assert.True(quota.TryEnter(Network("192.0.2.2"), 2));
        quota.Leave(Network("192.0.2.1"));

        Assert.True(quota.TryEnter(Network("192.0.2.1"), 2));
    }

    [Fact]
    public void A_network_that_has_left_has_no_entry()
    {
        var quota = new NetworkQuota();
        quota.TryEnter(Network("192.0.2.1"), 2);
        quota.TryEnter(Network("192.0.2.1"), 2);
        quota.TryEnter(Network("192.0.2.1"), 0);
        quota.TryEnter(Network("192.0.2.2"), 0);

        quota.Leave(Network("192.0.2.1"));
        Assert.Equal(1, quota.Networks);
        quota.Leave(Network("192.0.2.1"));

        Assert.Equal(0, quota.Networks);
        Assert.Throws<InvalidOperationException>(() => quota.Leave(Network("192.0.2.1")));
    }

    [Fact]
    public void Places_are_counted_right_when_many_threads_enter_and_leave()
    {
        var quota = new NetworkQuota();
        int most = 0;
        int held = 0;

        Parallel.For(0, 20_000, i =>
        {
            if (quota.TryEnter(Network("192.0.2.1"), 3))
            {
                int now = Interlocked.Increment(ref held);
                InterlockedMax(ref most, now);
                Interlocked.Decrement(ref held);
                quota.Leave(Network("192.0.2.1"));
            }
        });

        Assert.InRange(most, 1, 3);
        Assert.Equal(0, quota.Networks);
    }

    [Fact]
    public void A_bucket_gives_its_burst_and_then_its_rate()
    {
        var rate = new NetworkRate(Second);
        Assert.Equal(5, Take(rate, "192.0.2.1", now: Second, tries: 10));

        Assert.Equal(0, Take(rate, "192.0.2.1", now: Second + (Second / 20), tries: 10));
        Assert.Equal(1, Take(rate, "192.0.2.1", now: Second + (Second / 10), tries: 10));
        Assert.Equal(5, Take(rate, "192.0.2.2", now: Second + (Second / 10), tries: 10));
        Assert.Equal(5, Take(rate, "192.0.2.1", now: 9 * Second, tries: 10));
    }

    [Fact]
    public void An_empty_bucket_is_not_forgotten_while_it_fills()
    {
        var rate = new NetworkRate(Second);
        int taken = 0;

        // 5 at once and 10 a second: 25 in the two seconds, however many generations have passed.
        for (long now = Second; now <= 3 * Second; now += Second / 100)
        {
            taken += Take(rate, "192.0.2.1", now, tries: 2);
        }

        Assert.Equal(25, taken);
    }

    [Fact]
    public void The_table_holds_at_most_two_generations()
    {
        var recent = new RecentNetworks<int>(capacity: 10);
        for (int i = 0; i < 1000; i++)
        {
            recent.Find(Network($"192.0.{i / 250}.{i % 250}"), now: 1, keep: 1000) = i;
            Assert.InRange(recent.Count, 1, 20);
        }

        Assert.Equal(999, recent.Find(Network("192.0.3.249"), now: 1, keep: 1000));
    }

    private static int Take(NetworkRate rate, string address, long now, int tries)
    {
        int taken = 0;
        for (int i = 0; i < tries; i++)
        {
            taken += rate.TryTake(Network(address), perSecond: 10, burst: 5, now) ? 1 : 0;
        }

        return taken;
    }

    private static void InterlockedMax(ref int most, int value)
    {
        int seen;
        while ((seen = Volatile.Read(ref most)) < value && Interlocked.CompareExchange(ref most, value, seen) != seen)
        {
            // Another thread has changed it meanwhile.
        }
    }

    private static PeerNetwork Network(string address) => PeerNetwork.Of(IPAddress.Parse(address));
}
