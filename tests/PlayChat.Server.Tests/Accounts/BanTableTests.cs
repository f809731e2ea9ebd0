using System.Net;
using PlayChat.Chat.Accounts;
using PlayChat.Storage;

namespace PlayChat.Server.Tests.Accounts;

public sealed class BanTableTests
{
    private static readonly DateTimeOffset s_now = DateTimeOffset.UnixEpoch;

    [Theory]
    [InlineData("203.0.113.7", "203.0.113.0/24")]
    [InlineData("203.0.113.255", "203.0.113.0/24")]
    [InlineData("::ffff:203.0.113.7", "203.0.113.0/24")]
    [InlineData("203.0.114.7", null)]
    [InlineData("198.51.100.1", "198.51.100.1/32")]
    [InlineData("198.51.100.2", null)]
    [InlineData("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64")]
    [InlineData("2001:db8:1:3:3:4:5:6", null)]
    [InlineData("cb00:7107::", null)] // the bits of 203.0.113.7, but another family
    public void An_address_is_found_by_its_network(string address, string? banned)
    {
        BanTable table = Of(
            Network("203.0.113.0", 24), Network("198.51.100.1", 32), Network("2001:db8:1:2::", 64), new Ban(
                BanSubject.OfAccount("203.0.114.7"), "", s_now, ExpiresAt: null));

        Assert.Equal(banned, table.FindAddress(new IPEndPoint(IPAddress.Parse(address), 4000), s_now)?.Subject.Text);
    }

    [Fact]
    public void Of_several_bans_of_an_address_the_one_that_ends_last_counts()
    {
        BanTable table = Of(
            Network("10.0.0.0", 8, s_now.AddHours(1)),
            Network("10.1.0.0", 16, s_now.AddHours(3)),
            Network("10.1.2.3", 32, s_now.AddHours(2)));
        var peer = new IPEndPoint(IPAddress.Parse("10.1.2.3"), 4000);

        Assert.Equal("10.1.0.0/16", table.FindAddress(peer, s_now)?.Subject.Text);
        Assert.Null(table.FindAddress(peer, s_now.AddHours(3)));
    }

    [Fact]
    public void A_name_is_found_in_any_case_until_its_ban_ends()
    {
        BanTable table = Of(new Ban(BanSubject.OfAccount("Mina"), "", s_now, s_now.AddHours(1)));

        Assert.NotNull(table.FindName("mINA", s_now.AddHours(1).AddTicks(-1)));
        Assert.Null(table.FindName("mINA", s_now.AddHours(1)));
        Assert.Null(table.FindName("jun", s_now));
    }

    [Fact]
    public void A_peer_without_an_IP_address_is_not_banned()
    {
        BanTable table = Of(Network("0.0.0.0", 0));

        Assert.NotNull(table.FindAddress(new IPEndPoint(IPAddress.Loopback, 1), s_now));
        Assert.Null(table.FindAddress(new DnsEndPoint("localhost", 1), s_now));
        Assert.Null(table.FindAddress(null, s_now));
    }

    private static BanTable Of(params Ban[] bans) => new(bans);

    private static Ban Network(string address, int prefix, DateTimeOffset? end = null) =>
        new(BanSubject.OfNetwork(IPAddress.Parse(address), prefix), "", s_now, end);
}
