namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    [Fact]
    public async Task A_search_finds_what_players_have_said_in_the_rooms_newest_first_page_by_page()
    {
        await Store.AppendChatAsync(
        [
            Said(1, 1, "Hello world"), Said(2, 2, "world, hello!"), Said(3, 3, "hello world"), Said(1, 4, "WORLD (hello)"),
            Said(1, 5, "hello alone"), Said(1, 6, "hello world") with { PlayerId = 0 },
        ]);

        Assert.Equal([(1, 4), (2, 2), (1, 1)], await SearchAsync([1, 2], "hello world"));
        Assert.Equal([(1, 4)], await SearchAsync([1, 2], "hello world", limit: 1));
        Assert.Equal([(2, 2), (1, 1)], await SearchAsync([1, 2], "hello world", before: (1, 4)));
        Assert.Empty(await SearchAsync([1, 2], "hello world", before: (1, 1)));
        Assert.Empty(await SearchAsync([9], "hello"));
        Assert.Empty(await SearchAsync([], "hello"));
        Assert.Equal(Said(3, 3, "hello world"), Assert.Single(await Store.SearchChatAsync([3], "hello", before: null, limit: 10)));
    }

    [Theory]
    [InlineData("AND", "rock and roll")]
    [InlineData("\"rock*\" OR - (roll)", "rock or roll")]
    [InlineData("text:NEAR(a b)", "text near a b")]
    [InlineData("100% a_b [c]", "100 percent 100% of a_b [c]")]
    [InlineData("'; DROP TABLE chat_log; --", "drop the table chat log")]
    [InlineData("ann@example.org yes/no", "yes: mail ann@example.org, or no/yes")]
    [InlineData("!&|<->:* \\ 안녕 👋", "안녕 everybody")]
    [InlineData("ÄRGER", "so viel ärger")]
    public async Task Words_are_plain_text_whatever_is_between_them(string words, string text)
    {
        await Store.AppendChatAsync([Said(1, 1, text), Said(1, 2, "something else")]);

        Assert.Equal([(1, 1)], await SearchAsync([1], words));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" * \" - 👋 \u0000")]
    public async Task A_search_without_a_word_finds_nothing(string words)
    {
        await Store.AppendChatAsync([Said(1, 1, "something * \" - 👋")]);

        Assert.Empty(await SearchAsync([1], words));
    }

    [Fact]
    public async Task A_room_is_not_found_by_its_number_in_a_message_of_another_one()
    {
        await Store.AppendChatAsync([Said(2, 1, "room1 1 hello"), Said(1, 2, "hello")]);

        Assert.Equal([(1, 2)], await SearchAsync([1], "hello"));
    }

    [Fact]
    public async Task A_search_finds_the_text_that_a_message_has_now()
    {
        DateTimeOffset later = s_now.AddHours(1);
        await Store.AppendChatAsync(
        [
            Said(1, 1, "old") with { SentAt = s_now.AddDays(-1) }, Said(1, 2, "first"), Said(1, 3, "secret"),
            Said(1, 4, "mine") with { PlayerId = 77 }, Said(1, 5, "") with { EditedAt = later },
        ]);
        await Store.AppendChatAsync(
            [Said(1, 2, "second") with { EditedAt = later }, Said(1, 3, "") with { EditedAt = later }, Said(1, 2, "first")]);
        await Store.EraseChatOfAsync(1, 77);
        await Store.DeleteChatBeforeAsync(1, s_now, limit: 10);
        IChatStore reopened = await ReopenAsync();
        await reopened.AppendChatAsync([Said(1, 5, "restored") with { EditedAt = later.AddHours(1) }]);

        foreach (string gone in (string[])["old", "first", "secret", "mine", "restored"])
        {
            Assert.Empty(await reopened.SearchChatAsync([1], gone, before: null, limit: 10));
        }

        Assert.Equal(2, Assert.Single(await reopened.SearchChatAsync([1], "second", before: null, limit: 10)).Sequence);
    }

    [Fact]
    public async Task A_search_takes_as_many_rooms_as_a_player_may_have()
    {
        await Store.AppendChatAsync([.. Enumerable.Range(1, IChatStore.MaxReadLimit).Select(static room => Said(room, 1, "hello"))]);

        Assert.Equal(100, (await SearchAsync([.. Enumerable.Range(1, IChatStore.MaxReadLimit).Select(static room => (long)room)], "hello"))
            .Length);
    }

    /// <summary>A record whose time rises with its sequence.</summary>
    private static ChatRecord Said(long roomId, long sequence, string text) =>
        Record(roomId, sequence, text) with { SentAt = s_now.AddSeconds(sequence) };

    private async Task<(long RoomId, long Sequence)[]> SearchAsync(
        long[] rooms, string words, (long RoomId, long Sequence)? before = null, int limit = 100) =>
        [.. (await Store.SearchChatAsync(rooms, words, before, limit)).Select(static found => (found.RoomId, found.Sequence))];
}
