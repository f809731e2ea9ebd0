namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    private const string Thumb = "👍🏽";
    private const string Family = "👨‍👩‍👧‍👦";

    [Fact]
    public async Task Reactions_are_counted_once_a_player_in_the_order_of_their_emojis()
    {
        Assert.True(await Store.AddReactionAsync(7, 3, 1, Thumb, 20));
        Assert.True(await Store.AddReactionAsync(7, 3, 1, "👍", 20));
        Assert.False(await Store.AddReactionAsync(7, 3, 1, Thumb, 20));
        Assert.True(await Store.AddReactionAsync(7, 3, 2, Thumb, 20));
        Assert.True(await Store.AddReactionAsync(7, 4, 2, Family, 20));
        Assert.True(await Store.AddReactionAsync(8, 3, 2, "🎲", 20));

        Assert.Equal(
            [new(3, Thumb, 2, true), new(3, "👍", 1, true), new(4, Family, 1, false)], await Store.ReadReactionsAsync(7, 3, 9, readerId: 1));
        Assert.Equal([new(3, Thumb, 2, true), new(3, "👍", 1, false)], await Store.ReadReactionsAsync(7, 1, 3, readerId: 2));

        Assert.True(await Store.RemoveReactionAsync(7, 3, 1, Thumb));
        Assert.False(await Store.RemoveReactionAsync(7, 3, 1, Thumb));
        IChatStore reopened = await ReopenAsync();
        Assert.Equal([new(3, "👍", 1, true), new(3, Thumb, 1, false)], await reopened.ReadReactionsAsync(7, 3, 3, readerId: 1));
    }

    [Fact]
    public async Task Reactions_of_one_player_in_a_room_come_in_pages()
    {
        (long Sequence, string Emoji)[] added = [(3, "👍"), (3, Thumb), (3, Family), (4, "👍"), (9, "🎲")];
        foreach ((long sequence, string emoji) in added)
        {
            await Store.AddReactionAsync(7, sequence, 1, emoji, 20);
            await Store.AddReactionAsync(7, sequence, 2, emoji, 20);
            await Store.AddReactionAsync(8, sequence, 1, emoji, 20);
        }

        List<(long Sequence, string Emoji)> read = [];
        while (await Store.ReadReactionsOfAsync(7, 1, read.LastOrDefault(), limit: 2) is { Count: > 0 } page)
        {
            Assert.InRange(page.Count, 1, 2);
            Assert.All(page, static one => Assert.InRange(one.At, DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddHours(1)));
            read.AddRange(page.Select(static one => (one.Sequence, one.Emoji)));
        }

        Assert.Equal([3, 3, 3, 4, 9], read.Select(static one => one.Sequence));
        Assert.Equal(added.Order(), read.Order());
    }

    [Fact]
    public async Task A_message_has_a_bounded_number_of_different_reactions()
    {
        Assert.True(await Store.AddReactionAsync(7, 3, 1, "👍", 2));
        Assert.True(await Store.AddReactionAsync(7, 3, 2, "🎲", 2));

        Assert.Null(await Store.AddReactionAsync(7, 3, 1, "🐻", 2));
        Assert.True(await Store.AddReactionAsync(7, 3, 1, "🎲", 2));
        Assert.False(await Store.AddReactionAsync(7, 3, 1, "🎲", 2));
        Assert.True(await Store.AddReactionAsync(7, 4, 1, "🐻", 2));
    }

    [Fact]
    public async Task Reactions_go_with_the_messages_that_are_too_old_and_with_a_player_whose_texts_are_erased()
    {
        await Store.AppendChatAsync([Record(7, 1) with { SentAt = s_now.AddDays(-1) }, Record(7, 2)]);
        foreach (long player in (long[])[1, 2])
        {
            await Store.AddReactionAsync(7, 1, player, "👍", 20);
            await Store.AddReactionAsync(7, 2, player, "👍", 20);
        }

        await Store.DeleteChatBeforeAsync(7, s_now, limit: 10);
        await Store.EraseChatOfAsync(7, 2);

        Assert.Equal([new(2, "👍", 1, true)], await Store.ReadReactionsAsync(7, 0, 9, readerId: 1));
    }
}
