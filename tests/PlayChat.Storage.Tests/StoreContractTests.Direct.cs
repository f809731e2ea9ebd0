namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    [Fact]
    public async Task Direct_messages_are_numbered_and_read_by_pages()
    {
        (long mina, long jun, long eve) = await CreatePlayersAsync();

        IReadOnlyList<DirectOutcome> outcomes = await Store.Direct.AppendAsync(
        [
            Say(jun, mina, "안녕 '; DROP TABLE direct_message", 1),
            Say(mina, jun, "hi", 2),
            Say(eve, mina, "other", 3),
            Say(jun, mina, "bye", 4),
            Say(mina, mina, "to myself", 5),
        ]);

        Assert.Equal([1, 2, 1, 3, 1], outcomes.Select(static outcome => outcome.Number));
        Assert.All(outcomes, static outcome => Assert.Equal(DirectStatus.Stored, outcome.Status));
        IDirectStore again = (await ReopenAsync()).Direct;
        DirectMessage first = Say(jun, mina, "안녕 '; DROP TABLE direct_message", 1) with { FromName = "", Number = 1 };
        DirectMessage second = Say(mina, jun, "hi", 2) with { FromName = "", Number = 2 };
        DirectMessage third = Say(jun, mina, "bye", 4) with { FromName = "", Number = 3 };
        Assert.Equal([first, second, third], await again.ReadBeforeAsync(mina, jun, long.MaxValue, 10));
        Assert.Equal([second], await again.ReadBeforeAsync(jun, mina, 3, 1));
        Assert.Equal([second, third], await again.ReadAfterAsync(jun, mina, 1, 10));
        Assert.Equal([second], await again.ReadAfterAsync(jun, mina, 1, 1));
        Assert.Equal("to myself", Assert.Single(await again.ReadAfterAsync(mina, mina, 0, 10)).Text);
        Assert.Empty(await again.ReadAfterAsync(jun, eve, 0, 10));
    }

    [Fact]
    public async Task Conversations_come_newest_first_with_what_is_unread()
    {
        (long mina, long jun, long eve) = await CreatePlayersAsync();
        await Store.Direct.AppendAsync([Say(jun, mina, "a", 1), Say(jun, mina, "b", 2), Say(mina, eve, "c", 3), Say(jun, mina, "d", 4)]);

        Assert.Equal(
            [(jun, "jun", 3L, "d"), (eve, "eve", 0L, "c")],
            (await ListAsync(mina)).Select(static c => (c.PartnerId, c.PartnerName, c.Unread, c.Last.Text)));
        Assert.Equal([(mina, "mina", 1L)], (await ListAsync(eve)).Select(static c => (c.PartnerId, c.PartnerName, c.Unread)));
        Assert.Equal(0, Assert.Single(await ListAsync(jun)).Unread); // a player has read what it says
        Assert.Equal(jun, Assert.Single(await Store.Direct.ListConversationsAsync(mina, before: null, 1, 10)).PartnerId);

        await Store.Direct.SaveReadAsync([new(mina, jun, 2), new(eve, mina, 99), new(jun, eve, 1)]);
        await Store.Direct.SaveReadAsync([new(mina, jun, 1)]); // a mark does not fall
        Assert.Equal([1, 0], (await ListAsync(mina)).Select(static c => c.Unread));
        Assert.Equal(0, Assert.Single(await ListAsync(eve)).Unread);
        await Store.Direct.AppendAsync([Say(mina, jun, "answer", 5)]);
        Assert.Equal([0, 0], (await ListAsync(mina)).Select(static c => c.Unread)); // an answer reads what is before it
        Assert.Equal(1, Assert.Single(await ListAsync(jun)).Unread);
    }

    [Fact]
    public async Task Conversations_are_read_by_pages_also_those_of_one_moment()
    {
        (long mina, long jun, long eve) = await CreatePlayersAsync();
        await Store.Direct.AppendAsync([Say(jun, mina, "a", 2), Say(eve, mina, "b", 2), Say(mina, mina, "c", 1)]);

        List<long> partners = [];
        (DateTimeOffset, long)? before = null;
        while (await Store.Direct.ListConversationsAsync(mina, before, minUnread: 0, limit: 1) is [var page])
        {
            partners.Add(page.PartnerId);
            before = (page.Last.SentAt, page.PartnerId);
        }

        Assert.Equal([eve, jun, mina], partners);
    }

    [Fact]
    public async Task A_repeated_direct_message_is_stored_once()
    {
        (long mina, long jun, _) = await CreatePlayersAsync();
        DirectMessage message = Say(jun, mina, "once", 1) with { ClientMessageId = ulong.MaxValue };

        IReadOnlyList<DirectOutcome> first = await Store.Direct.AppendAsync([message, message, Say(jun, mina, "no id", 2)]);
        IReadOnlyList<DirectOutcome> later = await Store.Direct.AppendAsync(
            [message with { Text = "again" }, message with { FromId = mina, ToId = jun }, Say(jun, mina, "no id", 2)]);

        Assert.Equal([new(DirectStatus.Stored, 1), new(DirectStatus.Duplicate, 1), new(DirectStatus.Stored, 2)], first);
        Assert.Equal([new(DirectStatus.Duplicate, 1), new(DirectStatus.Stored, 3), new(DirectStatus.Stored, 4)], later);
        Assert.Equal(ulong.MaxValue, (await Store.Direct.ReadAfterAsync(mina, jun, 0, 1))[0].ClientMessageId);
    }

    [Fact]
    public async Task What_is_for_no_account_or_blocked_is_not_stored()
    {
        (long mina, long jun, long eve) = await CreatePlayersAsync();
        BlockedPlayer blocked = new(jun, "jun", s_now);
        Assert.True(await Store.Direct.BlockAsync(mina, blocked, limit: 1));
        Assert.True(await Store.Direct.BlockAsync(mina, blocked, limit: 1)); // is blocked already
        Assert.False(await Store.Direct.BlockAsync(mina, new(eve, "eve", s_now), limit: 1));

        IReadOnlyList<DirectOutcome> outcomes = await Store.Direct.AppendAsync(
            [Say(jun, mina, "a", 1), Say(mina, jun, "b", 1), Say(mina, 999, "c", 1), Say(eve, mina, "d", 1)]);

        Assert.Equal(
            [DirectStatus.Refused, DirectStatus.Blocked, DirectStatus.Unknown, DirectStatus.Stored],
            outcomes.Select(static outcome => outcome.Status));
        Assert.Empty(await ListAsync(jun));
        IDirectStore again = (await ReopenAsync()).Direct;
        Assert.Equal([blocked], await again.ListBlockedAsync(mina));
        Assert.True(await again.IsBlockedAsync(mina, jun));
        Assert.False(await again.IsBlockedAsync(jun, mina));
        await again.UnblockAsync(mina, jun);
        await again.UnblockAsync(mina, jun);
        Assert.Empty(await again.ListBlockedAsync(mina));
        Assert.Equal(1, Assert.Single(await again.AppendAsync([Say(jun, mina, "e", 2)])).Number);
    }

    [Fact]
    public async Task A_deleted_account_has_no_conversations_and_its_partners_keep_theirs()
    {
        (long mina, long jun, long eve) = await CreatePlayersAsync();
        await Store.Direct.AppendAsync([Say(mina, jun, "secret", 1), Say(jun, mina, "mine", 2), Say(jun, eve, "else", 3)]);
        await Store.Direct.BlockAsync(mina, new(eve, "eve", s_now), 10);
        await Store.Direct.BlockAsync(eve, new(mina, "mina", s_now), 10);

        Assert.Equal(1, await Store.Direct.EraseOfAsync(mina));
        Assert.Equal(0, await Store.Direct.EraseOfAsync(mina));
        Assert.True(await Store.DeleteAccountAsync(mina));

        Assert.Empty(await ListAsync(mina));
        Assert.Equal("eve mina", string.Join(' ', (await ListAsync(jun)).Select(static c => c.PartnerName)));
        Assert.Equal(",mine", string.Join(',', (await Store.Direct.ReadAfterAsync(jun, mina, 0, 10)).Select(static m => m.Text)));
        Assert.Empty(await Store.Direct.ListBlockedAsync(mina));
        Assert.Empty(await Store.Direct.ListBlockedAsync(eve));
    }

    [Fact]
    public async Task Old_direct_messages_are_deleted_with_conversations_that_have_no_others()
    {
        (long mina, long jun, long eve) = await CreatePlayersAsync();
        await Store.Direct.AppendAsync([Say(mina, jun, "a", 1), Say(mina, eve, "b", 2), Say(mina, jun, "c", 3), Say(mina, jun, "d", 4)]);

        Assert.Equal(2, await Store.Direct.DeleteBeforeAsync(s_now.AddSeconds(4), 2));
        Assert.Equal(1, await Store.Direct.DeleteBeforeAsync(s_now.AddSeconds(4), 2));
        Assert.Equal(0, await Store.Direct.DeleteBeforeAsync(s_now.AddSeconds(4), 2));

        Assert.Equal("d", Assert.Single(await Store.Direct.ReadAfterAsync(mina, jun, 0, 10)).Text);
        Assert.Equal(jun, Assert.Single(await ListAsync(mina)).PartnerId);
        Assert.Empty(await ListAsync(eve));
        Assert.Equal(4, Assert.Single(await Store.Direct.AppendAsync([Say(jun, mina, "e", 5)])).Number);
        Assert.Equal(1, Assert.Single(await Store.Direct.AppendAsync([Say(eve, mina, "f", 6)])).Number);
    }

    [Fact]
    public async Task Stores_of_several_servers_number_one_conversation_without_a_gap()
    {
        (long mina, long jun, long eve) = await CreatePlayersAsync();
        IChatStore other = Open();
        await other.InitializeAsync();
        DirectMessage[] said = [.. Enumerable.Range(0, 10).Select(i => Say(i % 2 == 0 ? mina : jun, i % 2 == 0 ? jun : mina, "x", i))];
        DirectMessage[] mixed = [.. said, Say(eve, mina, "y", 11), Say(jun, eve, "z", 12)];

        await Task.WhenAll(
            Task.Run(() => Store.Direct.AppendAsync(mixed)), Task.Run(() => other.Direct.AppendAsync([.. mixed.Reverse()])),
            Task.Run(() => other.Direct.SaveReadAsync([new(jun, mina, 5), new(mina, jun, 5), new(mina, eve, 1)])));

        Assert.Equal(
            Enumerable.Range(1, 20).Select(static i => (long)i),
            (await Store.Direct.ReadAfterAsync(mina, jun, 0, 100)).Select(static message => message.Number));
    }

    private Task<IReadOnlyList<DirectConversation>> ListAsync(long playerId) =>
        Store.Direct.ListConversationsAsync(playerId, before: null, minUnread: 0, limit: 10);

    private async Task<(long Mina, long Jun, long Eve)> CreatePlayersAsync()
    {
        List<long> ids = [];
        foreach (string name in new[] { "mina", "jun", "eve" })
        {
            ids.Add((await Store.CreateAccountAsync(name, null, s_now)).Account.Id);
        }

        return (ids[0], ids[1], ids[2]);
    }

    private static DirectMessage Say(long from, long to, string text, int second) =>
        new(from, to, text, s_now.AddSeconds(second), from switch { 1 => "mina", 2 => "jun", _ => "eve" });
}
