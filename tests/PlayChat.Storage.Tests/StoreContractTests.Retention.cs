namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    [Fact]
    public async Task The_oldest_records_of_a_room_are_deleted_up_to_a_time_a_batch_at_a_time()
    {
        await Store.SaveRoomAsync(1, "lobby", s_now);
        await Store.AppendChatAsync([.. Enumerable.Range(1, 10).Select(static i => Record(1, i, $"m{i}"))]); // sent a second apart
        await Store.AppendChatAsync([Record(2, 1, "other room")]);
        DateTimeOffset before = s_now.AddSeconds(8);

        Assert.Equal(3, await Store.DeleteChatBeforeAsync(1, before, limit: 3));
        Assert.Equal("m4 m5 m6 m7 m8 m9 m10", await TextsAsync(Store, 1));
        Assert.Equal(3, await Store.DeleteChatBeforeAsync(1, before, limit: 3));
        Assert.Equal(1, await Store.DeleteChatBeforeAsync(1, before, limit: 3));
        Assert.Equal(0, await Store.DeleteChatBeforeAsync(1, before, limit: 3));

        Assert.Equal("m8 m9 m10", await TextsAsync(Store, 1));
        Assert.Equal("other room", await TextsAsync(Store, 2));
        Assert.Equal(10, (await Store.GetRoomPositionAsync(1))?.LastSequence);
        Assert.Equal(4, Store.Metrics.Of(StoreOperation.DeleteChat).Count);
    }

    [Fact]
    public async Task When_all_records_are_deleted_the_room_goes_on_behind_them()
    {
        await Store.AppendChatAsync([Record(7, 1), Record(7, 2)]);

        Assert.Equal(2, await Store.DeleteChatBeforeAsync(7, s_now.AddDays(1), IChatStore.MaxReadLimit));

        Assert.Equal(7, await Store.GetLastRoomIdAsync());
        Assert.Equal(2, (await Store.GetRoomPositionAsync(7))?.LastSequence);
        Assert.Equal(1, await Store.AppendChatAsync([Record(7, 3)]));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Store.DeleteChatBeforeAsync(7, s_now, IChatStore.MaxReadLimit + 1));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Store.DeleteChatBeforeAsync(7, s_now, 0));
    }

    [Fact]
    public async Task The_texts_of_one_player_are_read_and_emptied_in_one_room()
    {
        await Store.AppendChatAsync(
            [.. Enumerable.Range(1, 6).Select(static i => Record(1, i, $"m{i}") with { PlayerId = i % 2 == 0 ? 20 : 30 })]);
        await Store.AppendChatAsync([Record(2, 1, "other room") with { PlayerId = 20 }]);

        IReadOnlyList<ChatRecord> page = await Store.ReadChatOfAsync(1, playerId: 20, afterSequence: 2, limit: 1);
        int erased = await Store.EraseChatOfAsync(1, playerId: 20);

        Assert.Equal((4, "m4"), (page.Single().Sequence, page.Single().Text));
        Assert.Equal(3, erased);
        Assert.Equal("m1  m3  m5 ", await TextsAsync(Store, 1));
        Assert.Equal("other room", await TextsAsync(Store, 2));
        Assert.Equal([2, 4, 6], (await Store.ReadChatOfAsync(1, 20, 0, 100)).Select(static record => record.Sequence));
        Assert.Equal(0, await Store.EraseChatOfAsync(1, playerId: 20)); // as when it is repeated
        Assert.Equal(0, await Store.EraseChatOfAsync(1, playerId: 40));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Store.ReadChatOfAsync(1, 20, 0, IChatStore.MaxReadLimit + 1));
    }
}
