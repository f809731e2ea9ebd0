using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    [Fact]
    public async Task The_first_account_has_id_1_and_is_found_as_it_was_created()
    {
        CreateAccountResult created = await Store.CreateAccountAsync("Mina", "some$hash", s_now);

        Assert.Equal(CreateAccountStatus.Created, created.Status);
        Assert.Equal(new Account(1, "Mina", "some$hash", s_now, LastLoginAt: null), created.Account);
        Assert.Equal(created.Account, await Store.FindAccountAsync("Mina"));
    }

    [Theory]
    [InlineData("Mina", "mINA")]
    [InlineData("äpfel", "ÄPFEL")]
    [InlineData("A\u0308pfel", "äPFEL")]
    [InlineData("ΟΔΥΣΣΕΥΣ", "οδυσσευς")]
    [InlineData("ｍｉｎａ", "MINA")]
    [InlineData("\u1112\u1161\u11ab글", "한글")]
    public async Task A_name_is_taken_in_any_case_and_form(string name, string same)
    {
        CreateAccountResult first = await Store.CreateAccountAsync(name, null, s_now);

        CreateAccountResult second = await Store.CreateAccountAsync(same, "hash", s_now.AddDays(1));

        Assert.Equal(CreateAccountStatus.NameTaken, second.Status);
        Assert.Equal(first.Account, second.Account);
        Assert.Equal(first.Account, await Store.FindAccountAsync(same));
    }

    [Theory]
    [InlineData("ılgaz", "İlgaz")]
    [InlineData("민아", "민야")]
    [InlineData("pena", "peña")]
    [InlineData("a", "a👍")]
    [InlineData("mina", "mina ")]
    public async Task Names_that_differ_in_more_than_case_are_two_accounts(string name, string other)
    {
        CreateAccountResult first = await Store.CreateAccountAsync(name, null, s_now);
        CreateAccountResult second = await Store.CreateAccountAsync(other, null, s_now);

        Assert.Equal(CreateAccountStatus.Created, second.Status);
        Assert.NotEqual(first.Account.Id, second.Account.Id);
        Assert.Equal(other, (await Store.FindAccountAsync(other))?.Name);
    }

    [Fact]
    public async Task Of_64_creations_of_one_name_at_once_exactly_one_creates_it()
    {
        CreateAccountResult[] results = await Task.WhenAll(
            Enumerable.Range(0, 64).Select(i => Task.Run(() => Store.CreateAccountAsync(i % 2 == 0 ? "Ärger" : "äRGER", null, s_now))))
            .WaitAsync(TestTimeouts.Hang);

        Assert.Single(results, result => result.Status == CreateAccountStatus.Created);
        Assert.Single(results.Select(result => result.Account).Distinct());
    }

    [Fact]
    public async Task A_name_that_no_account_can_have_is_refused_and_never_found()
    {
        // Not as theory data: an attribute cannot hold a lone surrogate.
        foreach (string name in new[] { "", " \t", "a\0b", "lone \ud83d surrogate" })
        {
            await Assert.ThrowsAsync<ArgumentException>(() => Store.CreateAccountAsync(name, null, s_now));

            Assert.Null(await Store.FindAccountAsync(name));
        }
    }

    [Fact]
    public async Task The_longest_name_is_stored_whole()
    {
        string name = new('가', AccountName.MaxLength);

        await Store.CreateAccountAsync(name, null, s_now);

        Assert.Equal(name, (await Store.FindAccountAsync(name))?.Name);
        await Assert.ThrowsAsync<ArgumentException>(() => Store.CreateAccountAsync(name + "가", null, s_now));
    }

    [Fact]
    public async Task A_login_and_a_new_password_are_kept()
    {
        Account account = (await Store.CreateAccountAsync("mina", null, s_now)).Account;
        DateTimeOffset login = s_now.AddHours(1).ToOffset(TimeSpan.FromHours(9));

        Assert.True(await Store.UpdateLastLoginAsync(account.Id, login));
        Assert.True(await Store.UpdatePasswordHashAsync(account.Id, "new"));

        Account? found = await Store.FindAccountAsync("mina");
        Assert.Equal(account with { LastLoginAt = s_now.AddHours(1), PasswordHash = "new", TokenVersion = 1 }, found);
        Assert.Equal(TimeSpan.Zero, found?.LastLoginAt?.Offset);
        Assert.True(await Store.UpdatePasswordHashAsync(account.Id, null));
        Assert.False((await Store.FindAccountAsync("mina"))!.HasPassword);
    }

    [Fact]
    public async Task A_hash_is_replaced_only_while_it_is_the_one_that_was_read()
    {
        Account account = (await Store.CreateAccountAsync("mina", "old", s_now)).Account;

        Assert.True(await Store.ReplacePasswordHashAsync(account.Id, "old", "new"));
        Assert.False(await Store.ReplacePasswordHashAsync(account.Id, "old", "late"));
        Assert.False(await Store.ReplacePasswordHashAsync(99, "old", "new"));

        Assert.Equal(account with { PasswordHash = "new" }, await Store.FindAccountAsync("mina"));
    }

    [Fact]
    public async Task An_account_that_does_not_exist_is_not_updated()
    {
        Assert.False(await Store.UpdateLastLoginAsync(99, s_now));
        Assert.False(await Store.UpdatePasswordHashAsync(99, "hash"));
        Assert.False(await Store.SetAccountDisabledAsync(99, true));
    }

    [Fact]
    public async Task An_account_is_disabled_and_enabled_again()
    {
        Account account = (await Store.CreateAccountAsync("mina", null, s_now)).Account;
        Assert.False(account.Disabled);

        Assert.True(await Store.SetAccountDisabledAsync(account.Id, true));
        Assert.Equal(account with { Disabled = true, TokenVersion = 1 }, await Store.FindAccountAsync("mina"));

        Assert.True(await Store.SetAccountDisabledAsync(account.Id, false));
        Assert.Equal(account with { TokenVersion = 1 }, await Store.FindAccountAsync("mina"));
    }

    [Fact]
    public async Task A_deleted_account_goes_with_its_tokens_and_its_messages_stay()
    {
        Account mina = (await Store.CreateAccountAsync("Mina", "hash", s_now)).Account;
        Account jun = (await Store.CreateAccountAsync("jun", "hash", s_now)).Account;
        await Store.SaveResumeTokensAsync(new ResumeTokenHashes(mina.Id, "", "m1", null, CloseIsLeave: false, s_now));
        var said = new ChatRecord(1, 1, mina.Id, "Mina", "hello", s_now);
        await Store.AppendChatAsync([said]);

        Assert.True(await Store.DeleteAccountAsync(mina.Id));
        Assert.False(await Store.DeleteAccountAsync(mina.Id));

        Assert.Null(await Store.FindAccountAsync("Mina"));
        Assert.Null(await Store.FindResumeTokensAsync("m1"));
        Assert.Equal([said], await Store.ReadChatAfterAsync(1, 0, 10));
        Assert.Equal([jun], await Store.ListAccountsAsync());
        CreateAccountResult again = await Store.CreateAccountAsync("mina", null, s_now);
        Assert.Equal((CreateAccountStatus.Created, jun.Id + 1), (again.Status, again.Account.Id));
    }

    [Fact]
    public async Task The_id_of_the_newest_account_is_not_given_again_when_it_is_deleted()
    {
        Account mina = (await Store.CreateAccountAsync("mina", null, s_now)).Account;

        await Store.DeleteAccountAsync(mina.Id);

        Assert.True((await Store.CreateAccountAsync("mina", null, s_now)).Account.Id > mina.Id);
    }

    [Fact]
    public async Task A_name_that_is_created_and_deleted_by_many_at_once_is_free_at_the_end()
    {
        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(async () =>
        {
            for (int i = 0; i < 10; i++)
            {
                CreateAccountResult result = await Store.CreateAccountAsync("mina", null, s_now);
                await Store.DeleteAccountAsync(result.Account.Id);
            }
        }))).WaitAsync(TestTimeouts.Hang);

        Assert.Null(await Store.FindAccountAsync("mina"));
    }

    [Fact]
    public async Task Accounts_are_listed_by_rising_id_a_page_at_a_time()
    {
        Assert.Empty(await Store.ListAccountsAsync());
        List<Account> created = [];
        foreach (string name in new[] { "zoe", "민아", "jun" })
        {
            created.Add((await Store.CreateAccountAsync(name, "hash", s_now)).Account);
        }

        Assert.Equal(created, await Store.ListAccountsAsync());
        Assert.Equal(created[..2], await Store.ListAccountsAsync(limit: 2));
        Assert.Equal(created[2..], await Store.ListAccountsAsync(afterId: created[1].Id, limit: 2));
        Assert.Empty(await Store.ListAccountsAsync(afterId: created[2].Id));
    }
}
