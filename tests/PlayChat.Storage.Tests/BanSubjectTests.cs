using System.Net;

namespace PlayChat.Storage.Tests;

public sealed class BanSubjectTests
{
    [Theory]
    [InlineData("203.0.113.77", null, "203.0.113.77/32")]
    [InlineData("203.0.113.77", 24, "203.0.113.0/24")]
    [InlineData("203.0.113.77", 0, "0.0.0.0/0")]
    [InlineData("203.0.113.77", 31, "203.0.113.76/31")]
    [InlineData("2001:db8:1:2:3:4:5:6", null, "2001:db8:1:2::/64")]
    [InlineData("2001:db8:1:2:3:4:5:6", 128, "2001:db8:1:2:3:4:5:6/128")]
    [InlineData("2001:db8:1:ffff::", 49, "2001:db8:1:8000::/49")]
    [InlineData("fe80::1%3", 128, "fe80::1/128")]
    [InlineData("::ffff:203.0.113.77", null, "203.0.113.77/32")]
    [InlineData("::ffff:203.0.113.77", 120, "203.0.113.0/24")]
    public void A_network_is_cut_to_its_prefix(string address, int? prefix, string expected)
    {
        BanSubject subject = BanSubject.OfNetwork(IPAddress.Parse(address), prefix);

        Assert.Equal((BanKind.Network, expected, expected), (subject.Kind, subject.Text, subject.Key));
        Assert.Equal(subject, BanSubject.Of(BanKind.Network, subject.Text));
        Assert.Equal(IPNetwork.Parse(expected), subject.ToNetwork());
    }

    [Theory]
    [InlineData("203.0.113.77", 33)]
    [InlineData("203.0.113.77", -1)]
    [InlineData("2001:db8::", 129)]
    public void A_prefix_that_the_family_does_not_have_is_refused(string address, int prefix) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => BanSubject.OfNetwork(IPAddress.Parse(address), prefix));

    [Fact]
    public void A_name_is_compared_as_accounts_are()
    {
        Assert.Equal(BanSubject.OfAccount("Mina").Key, BanSubject.OfAccount("ｍＩＮＡ").Key);
        Assert.Throws<ArgumentException>(() => BanSubject.OfAccount(""));
        Assert.Throws<InvalidOperationException>(() => BanSubject.OfAccount("Mina").ToNetwork());
    }
}
