using System.Net;

namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    [Fact]
    public async Task Bans_come_back_as_they_were_saved_oldest_first()
    {
        Assert.Empty(await Store.ListBansAsync());
        Ban[] bans =
        [
            new(BanSubject.OfAccount("김 '; DROP TABLE ban"), "도배 👎", s_now, s_now.AddDays(7)),
            new(BanSubject.OfNetwork(IPAddress.Parse("203.0.113.77"), 24), "", s_now.AddSeconds(1), ExpiresAt: null),
            new(BanSubject.OfNetwork(IPAddress.Parse("2001:db8::1")), new string('가', 200), s_now, s_now.AddYears(100)),
            new(BanSubject.OfAccount("203.0.113.0/24"), "a name and no network", s_now, ExpiresAt: null),
        ];

        foreach (Ban ban in bans)
        {
            await Store.SaveBanAsync(ban);
        }

        Assert.Equal(bans, await Store.ListBansAsync());
        Assert.Equal(bans, await (await ReopenAsync()).ListBansAsync());
    }

    [Fact]
    public async Task A_later_ban_of_the_same_name_or_network_replaces_the_earlier_one()
    {
        await Store.SaveBanAsync(new Ban(BanSubject.OfAccount("Mina"), "first", s_now, s_now.AddHours(1)));
        await Store.SaveBanAsync(new Ban(BanSubject.OfNetwork(IPAddress.Parse("10.1.2.3"), 16), "first", s_now, ExpiresAt: null));
        Ban[] later =
        [
            new(BanSubject.OfAccount("mINA"), "second", s_now.AddHours(2), ExpiresAt: null),
            new(BanSubject.OfNetwork(IPAddress.Parse("10.1.9.9"), 16), "second", s_now.AddHours(2), s_now.AddHours(3)),
        ];

        foreach (Ban ban in later)
        {
            await Store.SaveBanAsync(ban);
        }

        Assert.Equal(later, await Store.ListBansAsync());
    }

    [Fact]
    public async Task A_ban_is_removed_by_its_subject_alone()
    {
        await Store.SaveBanAsync(new Ban(BanSubject.OfAccount("mina"), "", s_now, ExpiresAt: null));
        var kept = new Ban(BanSubject.OfAccount("mina "), "", s_now, ExpiresAt: null);
        await Store.SaveBanAsync(kept);

        Assert.True(await Store.RemoveBanAsync(BanSubject.OfAccount("MINA")));
        Assert.False(await Store.RemoveBanAsync(BanSubject.OfAccount("mina")));
        Assert.False(await Store.RemoveBanAsync(BanSubject.OfNetwork(IPAddress.Loopback)));

        Assert.Equal([kept], await Store.ListBansAsync());
    }

    [Fact]
    public async Task Expired_bans_are_removed_and_no_others()
    {
        var ends = new Ban(BanSubject.OfAccount("mina"), "", s_now, s_now.AddHours(1));
        var endsLater = new Ban(BanSubject.OfAccount("jun"), "", s_now, s_now.AddHours(2));
        var stays = new Ban(BanSubject.OfAccount("zoe"), "", s_now, ExpiresAt: null);
        foreach (Ban ban in new[] { ends, endsLater, stays })
        {
            await Store.SaveBanAsync(ban);
        }

        Assert.Equal(0, await Store.RemoveExpiredBansAsync(s_now.AddHours(1).AddTicks(-10)));
        Assert.Equal(1, await Store.RemoveExpiredBansAsync(s_now.AddHours(1)));

        Assert.Equal([endsLater, stays], await Store.ListBansAsync());
    }
}
