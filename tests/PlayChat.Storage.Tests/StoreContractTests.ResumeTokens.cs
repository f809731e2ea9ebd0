namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    [Fact]
    public async Task Resume_tokens_are_found_by_the_newest_and_the_used_hash_with_the_name_of_the_account()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", null, s_now)).Account;
        var saved = new ResumeTokenHashes(mina.Id, "", "newest", "used", CloseIsLeave: true, s_now.AddHours(1));

        await Store.SaveResumeTokensAsync(saved);

        Assert.Equal(saved with { PlayerName = "Mina" }, await Store.FindResumeTokensAsync("newest"));
        Assert.Equal(saved with { PlayerName = "Mina" }, await Store.FindResumeTokensAsync("used"));
        Assert.Null(await Store.FindResumeTokensAsync("NEWEST"));
        Assert.Null(await Store.FindResumeTokensAsync(""));
    }

    [Fact]
    public async Task Resume_tokens_replace_the_earlier_ones_of_the_player_and_no_others()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", null, s_now)).Account;
        Account jun = (await Store.CreateAccountAsync("Jun", null, s_now)).Account;
        await Store.SaveResumeTokensAsync(new ResumeTokenHashes(mina.Id, "", "m1", null, CloseIsLeave: false, s_now));
        await Store.SaveResumeTokensAsync(new ResumeTokenHashes(jun.Id, "", "j1", null, CloseIsLeave: false, s_now));

        await Store.SaveResumeTokensAsync(new ResumeTokenHashes(mina.Id, "", "m2", "m1", CloseIsLeave: false, s_now));
        await Store.SaveResumeTokensAsync(new ResumeTokenHashes(mina.Id, "", "m3", null, CloseIsLeave: false, s_now));

        Assert.Null(await Store.FindResumeTokensAsync("m1"));
        Assert.Null(await Store.FindResumeTokensAsync("m2"));
        Assert.Equal(mina.Id, (await Store.FindResumeTokensAsync("m3"))?.PlayerId);
        Assert.Equal(jun.Id, (await Store.FindResumeTokensAsync("j1"))?.PlayerId);
    }

    [Fact]
    public async Task Resume_tokens_of_one_session_replace_its_own_and_the_expired_ones_of_the_player()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", null, s_now)).Account;
        DateTimeOffset later = DateTimeOffset.MaxValue.AddYears(-1);
        var phone = new ResumeTokenHashes(mina.Id, "", "p1", null, CloseIsLeave: false, later) { AreAll = false };
        var past = new DateTimeOffset(2001, 1, 1, 0, 0, 0, TimeSpan.Zero);
        await Store.SaveResumeTokensAsync(phone with { Newest = "old", ExpiresAt = past });
        await Store.SaveResumeTokensAsync(phone);
        await Store.SaveResumeTokensAsync(phone with { Newest = "l1" });
        await Store.SaveResumeTokensAsync(phone with { Newest = "p2", Used = "p1" });
        await Store.SaveResumeTokensAsync(phone with { Newest = "p3", Used = "p1" }); // shown again, because the answer was lost

        string[] found = [.. (await Task.WhenAll(
            new[] { "old", "l1", "p1", "p2", "p3" }.Select(async hash => await Store.FindResumeTokensAsync(hash) is null ? "" : hash)))
            .Where(static hash => hash.Length > 0)];

        Assert.Equal("l1 p1 p3", string.Join(' ', found)); // p1 is the one that p3 has replaced
    }

    [Fact]
    public async Task Resume_tokens_are_removed_by_the_newest_hash_alone()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", null, s_now)).Account;
        await Store.SaveResumeTokensAsync(new ResumeTokenHashes(mina.Id, "", "newest", "used", CloseIsLeave: false, s_now));

        await Store.RemoveResumeTokensAsync("used");
        Assert.NotNull(await Store.FindResumeTokensAsync("newest"));
        await Store.RemoveResumeTokensAsync("newest");

        Assert.Null(await Store.FindResumeTokensAsync("newest"));
        Assert.Null(await Store.FindResumeTokensAsync("used"));
        await Store.RemoveResumeTokensAsync("newest");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_new_password_and_a_disabled_account_void_the_tokens_of_the_player_alone(bool isDisabled)
    {
        Account mina = (await Store.CreateAccountAsync("Mina", "old", s_now)).Account;
        Account jun = (await Store.CreateAccountAsync("Jun", "old", s_now)).Account;
        var minas = new ResumeTokenHashes(mina.Id, "Mina", "m1", "m0", CloseIsLeave: false, s_now);
        await Store.SaveResumeTokensAsync(minas);
        await Store.SaveResumeTokensAsync(new ResumeTokenHashes(jun.Id, "", "j1", null, CloseIsLeave: false, s_now));

        if (isDisabled)
        {
            await Store.SetAccountDisabledAsync(mina.Id, disabled: true);
        }
        else
        {
            await Store.UpdatePasswordHashAsync(mina.Id, "new");
        }

        Assert.Null(await Store.FindResumeTokensAsync("m1"));
        Assert.Null(await Store.FindResumeTokensAsync("m0"));
        Assert.NotNull(await Store.FindResumeTokensAsync("j1"));

        // A server that has not noticed the change yet saves what it knows: that is void as well.
        await Store.SaveResumeTokensAsync(minas with { Newest = "m2", Used = "m1" });
        Assert.Null(await Store.FindResumeTokensAsync("m2"));
        Assert.Null(await Store.FindResumeTokensAsync("m1"));
        ResumeTokenHashes next = minas with { Newest = "m3", Used = null, TokenVersion = 1 };
        await Store.SaveResumeTokensAsync(next);
        Assert.Equal(next, await Store.FindResumeTokensAsync("m3"));
    }

    [Fact]
    public async Task Resume_tokens_survive_a_hash_that_is_made_anew_and_an_account_that_is_enabled()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", "old", s_now)).Account;
        await Store.SaveResumeTokensAsync(new ResumeTokenHashes(mina.Id, "", "m1", null, CloseIsLeave: false, s_now));

        await Store.ReplacePasswordHashAsync(mina.Id, "old", "new");
        await Store.SetAccountDisabledAsync(mina.Id, disabled: false);

        Assert.NotNull(await Store.FindResumeTokensAsync("m1"));
    }

    [Fact]
    public async Task Resume_tokens_of_no_account_are_refused()
    {
        await Assert.ThrowsAsync<StorageException>(
            () => Store.SaveResumeTokensAsync(new ResumeTokenHashes(99, "", "newest", null, CloseIsLeave: false, s_now)));
        Assert.Null(await Store.FindResumeTokensAsync("newest"));
    }
}
