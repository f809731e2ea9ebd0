namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    [Fact]
    public async Task Memberships_come_back_as_they_were_saved_last()
    {
        RoomMembership owner = new(7, 1, "민아 '; DROP TABLE room_member", RoomMemberRole.Owner, long.MaxValue);
        RoomMembership muted = new(7, 2, "jun", RoomMemberRole.Member, MutedUntil: s_now.AddYears(10));
        RoomMembership banned = new(7, 3, "eve", RoomMemberRole.None, BannedUntil: s_now.AddTicks(10));
        RoomMembership elsewhere = new(8, 2, "jun", RoomMemberRole.Moderator, ReadSequence: 4);
        await Store.SaveMembershipsAsync([banned, muted with { ReadSequence = 9 }, elsewhere, owner]);
        await Store.SaveMembershipsAsync([muted with { PlayerName = "x", Role = RoomMemberRole.Owner, MutedUntil = null }]);
        await Store.SaveMembershipsAsync([muted]); // the read mark stays
        muted = muted with { ReadSequence = 9 };

        Assert.Equal([owner, muted, banned], await Store.ListMembershipsAsync(7));
        Assert.Equal([muted], await Store.ListMembershipsAsync(7, afterPlayerId: 1, limit: 1));
        IChatStore again = await ReopenAsync();
        Assert.Equal([muted, elsewhere], await again.ListMembershipsOfAsync(2));
        Assert.Empty(await again.ListMembershipsOfAsync(3)); // a ban is no membership

        await again.RemoveMembershipsAsync(7, 2);
        await again.RemoveMembershipsAsync(7, 2);
        Assert.Equal([elsewhere], await again.ListMembershipsOfAsync(2));
        Assert.Equal([owner, banned], await again.ListMembershipsAsync(7));

        await again.RemoveMembershipsAsync(7);
        Assert.Empty(await again.ListMembershipsAsync(7));
        Assert.Equal([elsewhere], await again.ListMembershipsAsync(8));
    }

    [Fact]
    public async Task Read_marks_only_rise_and_leave_the_rest_as_it_is()
    {
        RoomMembership member = new(7, 1, "mina", RoomMemberRole.Moderator, ReadSequence: 5);
        await Store.SaveMembershipsAsync([member]);

        await Store.SaveReadMarksAsync([new(7, 1, "x", RoomMemberRole.None, 8), new(7, 2, "eve", RoomMemberRole.None, 1)]);
        await Store.SaveReadMarksAsync([member]);

        Assert.Equal([member with { ReadSequence = 8 }], await Store.ListMembershipsAsync(7));
    }

    [Fact]
    public async Task Mentions_count_until_their_player_has_read_them()
    {
        RoomMembership mina = new(7, 1, "mina", RoomMemberRole.Member, ReadSequence: 5);
        RoomMembership eve = mina with { PlayerId = 2, PlayerName = "eve" };
        await Store.SaveMembershipsAsync([mina]);

        await Store.AddMentionsAsync([new(7, 1, 5, 9), new(7, 1, 6, 9), new(7, 1, 7, 9), new(7, 1, 8, 9), new(7, 2, 6, 9)]);
        await Store.AddMentionsAsync([new(7, 1, 8, 9)]); // again
        await Store.AddMentionsAsync([]);
        await Store.SaveMembershipsAsync([mina, eve]); // that of eve comes late
        Assert.Equal([mina with { UnreadMentions = 3 }, eve with { UnreadMentions = 1 }], await Store.ListMembershipsAsync(7));

        await Store.SaveReadMarksAsync([mina with { ReadSequence = 7 }]);
        Assert.Equal([mina with { ReadSequence = 7, UnreadMentions = 1 }], await Store.ListMembershipsOfAsync(1));

        await Store.RemoveMembershipsAsync(7, 1);
        await Store.SaveMembershipsAsync([mina]);
        Assert.Equal([mina, eve with { UnreadMentions = 1 }], await Store.ListMembershipsAsync(7));
    }

    [Fact]
    public async Task A_mention_by_a_blocked_player_does_not_count()
    {
        RoomMembership mina = new(7, 1, "mina", RoomMemberRole.Member);
        await Store.SaveMembershipsAsync([mina, mina with { PlayerId = 2, PlayerName = "jun" }]);
        await Store.Direct.BlockAsync(1, new BlockedPlayer(9, "eve", s_now), limit: 10);

        await Store.AddMentionsAsync([new(7, 1, 1, 9), new(7, 2, 1, 9), new(7, 1, 2, 2)]);
        await Store.Direct.UnblockAsync(1, 9);
        await Store.AddMentionsAsync([new(7, 1, 3, 9)]);

        Assert.Equal([2, 1], (await Store.ListMembershipsAsync(7)).Select(static one => one.UnreadMentions));
    }

    [Fact]
    public async Task A_player_has_a_thousand_mentions_in_a_room_at_most()
    {
        RoomMembership mina = new(7, 1, "mina", RoomMemberRole.Member);
        await Store.SaveMembershipsAsync([mina]);

        await Store.AddMentionsAsync([.. Enumerable.Range(1, IChatStore.MaxReadLimit + 1).Select(static i => new RoomMention(7, 1, i, 9))]);

        Assert.Equal([mina with { UnreadMentions = IChatStore.MaxReadLimit }], await Store.ListMembershipsAsync(7));
    }

    [Fact]
    public async Task A_room_keeps_its_key_until_it_is_released_and_counts_for_its_creator()
    {
        Assert.Equal(7, await Store.ClaimRoomAsync(7, "den", creatorId: 1, maxRooms: 2));
        Assert.Equal(7, await Store.ClaimRoomAsync(7, "den", creatorId: 1, maxRooms: 2)); // again, as after a broken connection
        Assert.Equal(7, await Store.ClaimRoomAsync(8, "den", creatorId: 2, maxRooms: 2));
        Assert.Equal(8, await Store.ClaimRoomAsync(8, "DEN", creatorId: 1, maxRooms: 2));
        Assert.Null(await Store.ClaimRoomAsync(9, "attic", creatorId: 1, maxRooms: 2));

        await Store.ReleaseRoomAsync(7);
        await Store.ReleaseRoomAsync(7);

        IChatStore again = await ReopenAsync();
        Assert.Equal(9, await again.ClaimRoomAsync(9, "den", creatorId: 1, maxRooms: 2));
        Assert.Equal(8, await again.ClaimRoomAsync(10, "DEN", creatorId: 3, maxRooms: 2));
    }

    [Fact]
    public async Task A_deleted_account_is_a_member_nowhere()
    {
        Account account = (await Store.CreateAccountAsync("mina", null, s_now)).Account;
        RoomMembership other = new(7, account.Id + 1, "jun", RoomMemberRole.Member);
        await Store.SaveMembershipsAsync([new(7, account.Id, "mina", RoomMemberRole.Owner), other]);

        Assert.True(await Store.DeleteAccountAsync(account.Id));

        Assert.Equal([other], await Store.ListMembershipsAsync(7));
    }

    [Fact]
    public async Task What_others_have_said_is_counted_up_to_a_limit()
    {
        await Store.AppendChatAsync(
        [
            .. Enumerable.Range(1, 10).Select(static i => Record(1, i) with { PlayerId = i % 2 == 0 ? 2 : 3 }),
            Record(1, 11) with { PlayerId = 0 },
            Record(2, 12) with { PlayerId = 3 },
        ]);

        Assert.Equal(5, await Store.CountChatAfterAsync(1, 0, exceptPlayerId: 2, 100));
        Assert.Equal(3, await Store.CountChatAfterAsync(1, 4, exceptPlayerId: 2, 100));
        Assert.Equal(10, await Store.CountChatAfterAsync(1, 0, exceptPlayerId: 9, 100));
        Assert.Equal(4, await Store.CountChatAfterAsync(1, 0, exceptPlayerId: 2, 4));
        Assert.Equal(0, await Store.CountChatAfterAsync(1, 11, exceptPlayerId: 2, 100));
    }
}
