using System.Net;
using PlayChat.Chat.Accounts;
using PlayChat.Storage;

namespace PlayChat.Server.Tests.Accounts;

public sealed class BanTermsTests
{
    private static readonly DateTimeOffset s_now = new(2026, 11, 23, 16, 30, 0, TimeSpan.Zero);

    [Fact]
    public void The_sentence_says_what_until_when_and_why()
    {
        Assert.Equal(
            "This account is banned until 2026-11-30 16:30 UTC: spam. Ask the operator of the server.",
            BanTerms.Text(new Ban(BanSubject.OfAccount("kim"), "spam.", s_now, s_now.AddDays(7))));
        Assert.Equal(
            "Your address is banned. Ask the operator of the server.",
            BanTerms.Text(new Ban(BanSubject.OfNetwork(IPAddress.Loopback), "", s_now, ExpiresAt: null)));
    }

    [Fact]
    public void The_wait_is_what_is_left_of_the_ban_and_fits_the_packet()
    {
        var week = new Ban(BanSubject.OfAccount("kim"), "", s_now, s_now.AddDays(7));

        Assert.Equal(TimeSpan.FromDays(6), BanTerms.RetryAfter(week, s_now.AddDays(1)));
        Assert.Equal(TimeSpan.Zero, BanTerms.RetryAfter(week with { ExpiresAt = null }, s_now));
        Assert.Equal(TimeSpan.FromMilliseconds(uint.MaxValue), BanTerms.RetryAfter(week with { ExpiresAt = s_now.AddYears(1) }, s_now));
    }
}
