using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Storage.ChatLog;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    [Fact]
    public async Task A_batch_comes_back_as_it_was_written()
    {
        ChatRecord[] batch =
        [
            new(1, 1, 1, "민아", "안녕하세요 👋🏽 여러분", s_now, "수다방 🎉"),
            new(1, 2, 0, "SYSTEM", "ㅋㅋㅋ'; DROP TABLE account; --", s_now.AddTicks(10), null),
            new(2, long.MaxValue, 2, "jun", new string('가', 1333), DateTimeOffset.UnixEpoch, "b"),
        ];

        Assert.Equal(3, await Store.AppendChatAsync(batch));

        Assert.Equal(batch[..2], await Store.ReadChatAfterAsync(1, 0, 10));
        Assert.Equal(batch[2..], await Store.ReadChatAfterAsync(2, 0, 10));
    }

    [Fact]
    public async Task A_time_is_kept_as_utc_to_the_microsecond()
    {
        DateTimeOffset sentAt = new DateTimeOffset(2024, 3, 1, 8, 0, 0, TimeSpan.FromHours(9)).AddTicks(1_234_567);

        await Store.AppendChatAsync([Record(1, 1) with { SentAt = sentAt }]);

        ChatRecord stored = Assert.Single(await Store.ReadChatAfterAsync(1, 0, 1));
        Assert.Equal(sentAt.AddTicks(-7), stored.SentAt);
        Assert.Equal(TimeSpan.Zero, stored.SentAt.Offset);
    }

    [Fact]
    public async Task A_character_that_some_database_refuses_is_replaced()
    {
        await Store.AppendChatAsync([Record(1, 1, "a\0b"), Record(1, 2, "lone \ud83d surrogate", roomName: "\udc4d"), Record(1, 3, "👍")]);

        Assert.Equal("a\ufffdb lone \ufffd surrogate 👍", await TextsAsync(Store, 1));
    }

    [Fact]
    public async Task A_repeated_batch_is_stored_once()
    {
        ChatRecord[] batch = [Record(1, 1, "one"), Record(1, 2, "two"), Record(2, 1, "other")];

        Assert.Equal(3, await Store.AppendChatAsync(batch));
        Assert.Equal(0, await Store.AppendChatAsync(batch));
        Assert.Equal(1, await Store.AppendChatAsync([.. batch, Record(1, 3, "three")]));

        Assert.Equal("one two three", await TextsAsync(Store, 1));
        Assert.Equal(4, Store.Metrics.RowsWritten);
    }

    [Fact]
    public async Task A_changed_record_replaces_the_text_of_the_stored_one_whenever_that_was_stored()
    {
        ChatRecord first = Record(1, 1, "first");
        ChatRecord changed = first with { Text = "changed 👍", EditedAt = s_now.AddMinutes(1) };
        ChatRecord deleted = Record(1, 2, "") with { EditedAt = s_now.AddMinutes(2) };
        await Store.AppendChatAsync([first]);

        // The second message is new, and changed twice, in the batch that changes the first.
        await Store.AppendChatAsync([changed, Record(1, 2, "second"), Record(1, 3), deleted with { Text = "x" }, deleted]);
        Assert.Equal([changed, deleted], await Store.ReadChatAfterAsync(1, 0, 2));

        await Store.AppendChatAsync([first, Record(1, 2, "second")]); // comes again, because the answer to its commit was lost
        Assert.Equal([changed, deleted], await Store.ReadChatAfterAsync(1, 0, 2));
        Assert.Equal(3, (await Store.GetRoomPositionAsync(1))!.LastSequence);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_change_that_comes_late_replaces_no_later_one_and_no_deletion(bool isOneBatch)
    {
        ChatRecord first = Record(1, 1, "first");
        ChatRecord changed = first with { Text = "changed", EditedAt = s_now.AddMinutes(1) };
        ChatRecord later = first with { Text = "later", EditedAt = s_now.AddMinutes(2) };
        ChatRecord deleted = Record(1, 2, "") with { EditedAt = s_now.AddMinutes(2) };
        ChatRecord behind = Record(1, 3, "") with { EditedAt = s_now.AddMinutes(1) }; // by a node whose clock is behind
        ChatRecord[] all =
        [
            first, Record(1, 2), Record(1, 3), changed, later, changed, deleted, deleted with { Text = "old", EditedAt = s_now },
            deleted with { Text = "new", EditedAt = s_now.AddMinutes(3) },
            behind with { Text = "x", EditedAt = s_now.AddMinutes(2) }, behind,
        ];

        foreach (ChatRecord[] batch in isOneBatch ? [all] : all.Chunk(1))
        {
            await Store.AppendChatAsync(batch);
        }

        Assert.Equal([later, deleted, behind], await Store.ReadChatAfterAsync(1, 0, 3));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_change_leaves_who_said_the_message_and_when(bool isOneBatch)
    {
        ChatRecord said = Record(1, 1, "first") with { ClientMessageId = 7 };
        ChatRecord changed = new(1, 1, said.PlayerId + 1, "moderator", "", s_now.AddMinutes(1), EditedAt: s_now.AddMinutes(1));

        foreach (ChatRecord[] batch in new[] { said, changed }.Chunk(isOneBatch ? 2 : 1))
        {
            await Store.AppendChatAsync(batch);
        }

        Assert.Equal([said with { Text = "", EditedAt = changed.EditedAt }], await Store.ReadChatAfterAsync(1, 0, 1));
    }

    [Fact]
    public async Task A_record_whose_place_another_store_has_taken_is_dropped_and_is_not_counted_in_RowsWritten()
    {
        IChatStore other = Open();
        await other.InitializeAsync();
        await other.AppendChatAsync([Record(1, 1, "theirs")]);

        Assert.Equal(1, await Store.AppendChatAsync([Record(1, 1, "ours") with { PlayerId = 4 }, Record(1, 2, "next")]));

        Assert.Equal("theirs next", await TextsAsync(Store, 1));
        Assert.Equal(1, Store.Metrics.RowsWritten);
    }

    [Fact]
    public async Task A_record_whose_place_another_store_has_taken_is_dropped_and_is_not_counted_as_stored()
    {
        IChatStore other = Open();
        await other.InitializeAsync();
        await other.AppendChatAsync([Record(1, 1, "theirs")]);
        await using var writer = new ChatLogWriter([Store], new ChatLogOptions(), NullLogger<ChatLogWriter>.Instance);

        Assert.True(writer.TryAppend(Record(1, 1, "ours") with { PlayerId = 4 }));
        Assert.True(writer.TryAppend(Record(1, 2, "next")));
        Assert.True((await writer.StopAsync()).IsComplete);

        Assert.Equal("theirs next", await TextsAsync(Store, 1));
        Assert.Equal((1, 1), (writer.Metrics.InDatabase, Store.Metrics.RowsWritten));
    }

    [Fact]
    public async Task Of_two_records_with_the_same_key_in_one_batch_the_first_is_stored()
    {
        Assert.Equal(2, await Store.AppendChatAsync([Record(1, 1, "one"), Record(1, 1, "again"), Record(1, 2, "two")]));

        Assert.Equal("one two", await TextsAsync(Store, 1));
    }

    [Fact]
    public async Task The_same_batches_from_two_stores_at_once_are_stored_once()
    {
        IChatStore other = Open();
        await other.InitializeAsync();
        ChatRecord[] Batch(int first) => Enumerable.Range(first, 100).Select(i => Record((i % 7) + 1, i)).ToArray();

        int[] stored = await Task.WhenAll(Enumerable.Range(0, 10)
            .SelectMany(i => new[] { Store, other }.Select(store => Task.Run(() => store.AppendChatAsync(Batch((i * 50) + 1))))))
            .WaitAsync(TestTimeouts.Hang);

        Assert.Equal(550, stored.Sum());
        Assert.Equal(550, (await Task.WhenAll(
            Enumerable.Range(1, 7).Select(room => Store.ReadChatAfterAsync(room, 0, IChatStore.MaxReadLimit)))).Sum(page => page.Count));
    }

    [Fact]
    public async Task An_empty_batch_is_no_work()
    {
        Assert.Equal(0, await Store.AppendChatAsync([]));
    }

    [Fact]
    public async Task A_store_is_a_sink_of_the_chat_log()
    {
        IChatLogSink sink = Store;

        await sink.WriteBatchAsync([Record(1, 1)], CancellationToken.None);

        Assert.Single(await Store.ReadChatAfterAsync(1, 0, 10));
    }

    [Fact]
    public async Task A_room_is_paged_both_ways()
    {
        // With a hole at 5, as several machines may leave.
        await Store.AppendChatAsync(Enumerable.Range(1, 10).Where(i => i != 5).Select(i => Record(1, i)).ToArray());
        await Store.AppendChatAsync([Record(2, 3)]);

        Assert.Equal([8, 9, 10], await SequencesBefore(long.MaxValue, 3));
        Assert.Equal([4, 6, 7], await SequencesBefore(8, 3));
        Assert.Equal([1, 2, 3], await SequencesBefore(4, 3));
        Assert.Empty(await SequencesBefore(1, 3));
        Assert.Equal([1, 2, 3], await SequencesAfter(0, 3));
        Assert.Equal([4, 6, 7], await SequencesAfter(3, 3));
        Assert.Equal([8, 9, 10], await SequencesAfter(7, 10));
        Assert.Empty(await SequencesAfter(10, 3));

        async Task<IEnumerable<long>> SequencesBefore(long before, int limit) =>
            (await Store.ReadChatBeforeAsync(1, before, limit)).Select(record => record.Sequence);

        async Task<IEnumerable<long>> SequencesAfter(long after, int limit) =>
            (await Store.ReadChatAfterAsync(1, after, limit)).Select(record => record.Sequence);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(IChatStore.MaxReadLimit + 1)]
    public async Task A_limit_out_of_range_is_the_callers_mistake(int limit)
    {
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Store.ReadChatBeforeAsync(1, long.MaxValue, limit));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Store.ReadChatAfterAsync(1, 0, limit));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Store.GetRoomPositionsAsync(0, limit));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Store.ListAccountsAsync(0, limit));
    }

    [Fact]
    public async Task Room_positions_follow_the_log()
    {
        Assert.Equal(0, await Store.GetLastRoomIdAsync());
        Assert.Null(await Store.GetRoomPositionAsync(4));

        await Store.AppendChatAsync([Record(4, 1), Record(4, 3, roomName: "renamed"), Record(9, 2, roomName: null)]);
        await Store.AppendChatAsync([Record(4, 2, roomName: null)]);

        Assert.Equal(9, await Store.GetLastRoomIdAsync());
        Assert.Equal(new RoomPosition(4, "renamed", 3), await Store.GetRoomPositionAsync(4));
        Assert.Equal([new(4, "renamed", 3), new(9, null, 2)], await Store.GetRoomPositionsAsync());
        Assert.Equal([new(4, "renamed", 3)], await Store.GetRoomPositionsAsync(limit: 1));
        Assert.Equal([new(9, null, 2)], await Store.GetRoomPositionsAsync(afterRoomId: 4));
        Assert.Equal([new(4, "renamed", 3), new(9, null, 2)], await Store.FindRoomsAsync([9, 5, 4]));
        Assert.Empty(await Store.FindRoomsAsync([5]));
        Assert.Empty(await Store.FindRoomsAsync([]));
        long[] most = [.. Enumerable.Range(1, IChatStore.MaxReadLimit).Select(static id => (long)id)];
        Assert.Equal(2, (await Store.FindRoomsAsync(most)).Count);
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Store.FindRoomsAsync([.. most, 5000]));
    }

    [Fact]
    public async Task A_saved_room_is_known_before_and_after_somebody_speaks()
    {
        await Store.SaveRoomAsync(7, "수다방 🎉", s_now.ToOffset(TimeSpan.FromHours(9)));

        RoomPosition saved = new(7, "수다방 🎉", LastSequence: 0, s_now);
        Assert.Equal(saved, await Store.GetRoomPositionAsync(7));
        Assert.Equal(7, await Store.GetLastRoomIdAsync());
        Assert.Empty(await Store.ReadChatAfterAsync(7, 0, 10));

        await Store.AppendChatAsync([Record(7, 1, roomName: null), Record(7, 2, roomName: null)]);

        Assert.Equal([saved with { LastSequence = 2 }], await Store.GetRoomPositionsAsync());
    }

    [Fact]
    public async Task Saving_a_room_again_changes_its_name_and_attributes_alone()
    {
        await Store.AppendChatAsync([Record(7, 5, roomName: "old")]);

        await Store.SaveRoomAsync(7, "new", s_now);
        await Store.SaveRoomAsync(7, "newer", s_now.AddDays(1), "{ \"type\": \"퀴즈\" }");

        var saved = new RoomPosition(7, "newer", 5, s_now, Attributes: "{ \"type\": \"퀴즈\" }");
        Assert.Equal(saved, await Store.GetRoomPositionAsync(7));
        await Store.AppendChatAsync([Record(7, 6, roomName: "newest")]);
        Assert.Equal([saved with { RoomName = "newest", LastSequence = 6 }], await Store.GetRoomPositionsAsync());
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Store.SaveRoomAsync(0, "none", s_now));
    }

    [Fact]
    public async Task What_became_of_a_room_is_known_with_how_far_it_had_come()
    {
        await Store.SaveRoomAsync(7, "hall", s_now);
        await Store.AppendChatAsync([Record(7, 5, roomName: null)]);
        Assert.Equal(RoomState.Open, (await Store.GetRoomPositionAsync(7))!.State);

        Assert.True(await Store.SetRoomStateAsync(7, RoomState.Stopped, lastSequence: 9));
        Assert.Equal(new RoomPosition(7, "hall", 9, s_now, RoomState.Stopped), await Store.GetRoomPositionAsync(7));
        Assert.True(await Store.SetRoomStateAsync(7, RoomState.Removed, lastSequence: 3));
        Assert.Equal(new RoomPosition(7, "hall", 9, s_now, RoomState.Removed), await Store.GetRoomPositionAsync(7));
        Assert.False(await Store.SetRoomStateAsync(8, RoomState.Open, lastSequence: 1));
    }

    [Fact]
    public async Task Reads_and_writes_at_once_all_succeed()
    {
        const int Batches = 50;
        Task[] writes = Enumerable.Range(0, Batches)
            .Select(i => Task.Run(() => Store.AppendChatAsync(Enumerable.Range(1, 20).Select(j => Record(1, (i * 20) + j)).ToArray())))
            .ToArray<Task>();
        Task[] reads = Enumerable.Range(0, Batches)
            .Select(_ => Task.Run(() => Store.ReadChatBeforeAsync(1, long.MaxValue, 100))).ToArray<Task>();

        await Task.WhenAll([.. writes, .. reads]).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(Batches * 20, (await Store.ReadChatAfterAsync(1, 0, IChatStore.MaxReadLimit)).Count);
    }
}
