namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    [Fact]
    public async Task A_login_token_is_found_with_the_name_of_its_account_and_replaced_by_the_two_newest_alone()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", "hash", s_now)).Account;
        LoginTokenHashes first = Token(1, mina);
        await Store.AddLoginTokenAsync(first, limit: 10, usedAfter: s_now);
        DateTimeOffset later = s_now.AddDays(1);

        Assert.Equal(first with { PlayerName = "Mina" }, await Store.FindLoginTokenAsync(1));
        Assert.True(await Store.ReplaceLoginTokenAsync(1, "t1", "t2", later, "page 2"));
        Assert.True(await Store.ReplaceLoginTokenAsync(1, "t1", "t3", later, "page 2")); // shown again, because the answer was lost
        Assert.False(await Store.ReplaceLoginTokenAsync(1, "t2", "t4", later, "page 3"));
        Assert.True(await Store.ReplaceLoginTokenAsync(1, "t3", "t5", later, "page 2"));
        Assert.False(await Store.ReplaceLoginTokenAsync(1, "t1", "t6", later, "page 3"));
        Assert.False(await Store.ReplaceLoginTokenAsync(2, "t5", "t6", later, "page 3"));

        Assert.Equal(
            first with { PlayerName = "Mina", Newest = "t5", Used = "t3", UsedAt = later, ClientVersion = "page 2" },
            await Store.FindLoginTokenAsync(1));
    }

    [Fact]
    public async Task Of_a_player_those_used_last_stay_and_of_all_players_none_that_has_expired()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", "hash", s_now)).Account;
        Account jun = (await Store.CreateAccountAsync("Jun", "hash", s_now)).Account;
        await Store.AddLoginTokenAsync(Token(1, jun), limit: 3, usedAfter: s_now);
        await Store.AddLoginTokenAsync(Token(2, jun) with { UsedAt = s_now.AddHours(9) }, limit: 3, usedAfter: s_now);
        await Store.AddLoginTokenAsync(Token(3, mina) with { UsedAt = s_now.AddHours(2) }, limit: 3, usedAfter: s_now);
        await Store.AddLoginTokenAsync(Token(4, mina) with { UsedAt = s_now.AddHours(3) }, limit: 3, usedAfter: s_now);
        await Store.AddLoginTokenAsync(Token(5, mina) with { UsedAt = s_now.AddHours(4) }, limit: 3, usedAfter: s_now);

        await Store.AddLoginTokenAsync(Token(6, mina) with { UsedAt = s_now.AddHours(5) }, limit: 3, usedAfter: s_now.AddHours(1));

        Assert.Equal([6, 5, 4], (await Store.ListLoginTokensAsync(mina.Id)).Select(static token => token.Id));
        Assert.Equal([2], (await Store.ListLoginTokensAsync(jun.Id)).Select(static token => token.Id));
    }

    [Fact]
    public async Task A_login_token_that_is_added_again_because_the_answer_was_lost_is_there_once_and_removes_no_other()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", "hash", s_now)).Account;
        await Store.AddLoginTokenAsync(Token(1, mina), limit: 3, usedAfter: s_now);
        await Store.AddLoginTokenAsync(Token(2, mina) with { UsedAt = s_now.AddHours(1) }, limit: 3, usedAfter: s_now);

        for (int time = 0; time < 2; time++)
        {
            await Store.AddLoginTokenAsync(Token(3, mina) with { UsedAt = s_now.AddHours(2) }, limit: 3, usedAfter: s_now);
        }

        Assert.Equal([3, 2, 1], (await Store.ListLoginTokensAsync(mina.Id)).Select(static token => token.Id));
    }

    [Fact]
    public async Task A_login_token_is_removed_for_its_player_alone_and_with_the_resume_tokens_of_its_device()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", "hash", s_now)).Account;
        Account jun = (await Store.CreateAccountAsync("Jun", "hash", s_now)).Account;
        await Store.AddLoginTokenAsync(Token(1, mina), limit: 10, usedAfter: s_now);
        var phone = new ResumeTokenHashes(mina.Id, "", "m1", null, CloseIsLeave: false, DateTimeOffset.MaxValue.AddYears(-1))
        {
            AreAll = false,
            LoginTokenId = 1,
        };
        await Store.SaveResumeTokensAsync(phone);
        await Store.SaveResumeTokensAsync(phone with { Newest = "m2", LoginTokenId = 0 });
        Assert.Equal(1, (await Store.FindResumeTokensAsync("m1"))?.LoginTokenId);

        await Store.RemoveLoginTokenAsync(jun.Id, 1);
        Assert.NotNull(await Store.FindLoginTokenAsync(1));
        await Store.RemoveLoginTokenAsync(mina.Id, 1);
        await Store.RemoveLoginTokenAsync(mina.Id, 1);

        Assert.Null(await Store.FindLoginTokenAsync(1));
        Assert.Null(await Store.FindResumeTokensAsync("m1"));
        Assert.NotNull(await Store.FindResumeTokensAsync("m2"));
    }

    [Theory]
    [InlineData("password")]
    [InlineData("disabled")]
    [InlineData("deleted")]
    public async Task What_voids_resume_tokens_removes_the_login_tokens_of_the_account_and_of_no_other(string change)
    {
        Account mina = (await Store.CreateAccountAsync("Mina", "hash", s_now)).Account;
        Account jun = (await Store.CreateAccountAsync("Jun", "hash", s_now)).Account;
        await Store.AddLoginTokenAsync(Token(1, mina), limit: 10, usedAfter: s_now);
        await Store.AddLoginTokenAsync(Token(2, jun), limit: 10, usedAfter: s_now);

        bool isChanged = change switch
        {
            "password" => await Store.UpdatePasswordHashAsync(mina.Id, "another"),
            "disabled" => await Store.SetAccountDisabledAsync(mina.Id, disabled: true),
            _ => await Store.DeleteAccountAsync(mina.Id),
        };

        Assert.True(isChanged);
        Assert.Null(await Store.FindLoginTokenAsync(1));
        Assert.Empty(await Store.ListLoginTokensAsync(mina.Id));
        Assert.NotNull(await Store.FindLoginTokenAsync(2));
    }

    [Fact]
    public async Task A_login_token_of_before_a_new_password_is_void_although_it_was_added_after()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", "hash", s_now)).Account;
        await Store.UpdatePasswordHashAsync(mina.Id, "another");

        await Store.AddLoginTokenAsync(Token(1, mina), limit: 10, usedAfter: s_now);

        Assert.Null(await Store.FindLoginTokenAsync(1));
        Assert.Empty(await Store.ListLoginTokensAsync(mina.Id));
    }

    private static LoginTokenHashes Token(long id, Account account) =>
        new(id, account.Id, "", $"t{id}", null, account.TokenVersion, s_now, s_now, "page 1");
}
