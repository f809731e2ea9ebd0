using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    private static DatabaseOwner First => new("first", "host-a", 101, s_now);
    private static DatabaseOwner Second => new("second", "host-b", 102, s_now);

    [Fact]
    public async Task A_second_server_is_refused_by_the_name_of_the_first_which_keeps_writing()
    {
        IChatStore second = await OpenSecondAsync();
        await Store.ClaimAsync(First);

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => second.ClaimAsync(Second)).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(StorageErrorKind.Owned, error.Kind);
        Assert.Contains("process 101 on host-a, started 2024-02-29 23:59:58 UTC", error.Message, StringComparison.Ordinal);
        Assert.Contains("stop that server", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
        Assert.Equal(1, await Store.AppendChatAsync([Record(1, 1)]));
        await Store.SaveRoomAsync(2, "room", s_now);
        Assert.True(await Store.SetRoomStateAsync(2, RoomState.Stopped, 5));
        Assert.False(Store.OwnershipLost.IsCompleted);
    }

    [Fact]
    public async Task Accounts_can_be_changed_beside_the_owner()
    {
        IChatStore second = await OpenSecondAsync();
        await Store.ClaimAsync(First);

        await second.CreateAccountAsync("mina", null, s_now);

        Assert.NotNull(await Store.FindAccountAsync("mina"));
    }

    [Fact]
    public async Task A_server_that_stops_frees_its_database()
    {
        await Store.ClaimAsync(First);
        await Store.ReleaseAsync();

        IChatStore second = await OpenSecondAsync();
        await second.ClaimAsync(Second).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1, await second.AppendChatAsync([Record(1, 1)]));
    }

    [Fact]
    public async Task A_server_whose_database_was_taken_writes_nothing_more_and_says_so()
    {
        await Store.ClaimAsync(First);
        await Store.AppendChatAsync([Record(1, 1)]);
        await ExecuteAsync("UPDATE database_owner SET owner_id = 'second'");

        StorageException append = await Assert.ThrowsAsync<StorageException>(() => Store.AppendChatAsync([Record(1, 2)]));
        StorageException save = await Assert.ThrowsAsync<StorageException>(() => Store.SaveRoomAsync(2, "room", s_now));
        StorageException note = await Assert.ThrowsAsync<StorageException>(() => Store.SetRoomStateAsync(1, RoomState.Removed, 7));

        Assert.All([append, save, note], static error => Assert.Equal(StorageErrorKind.Owned, error.Kind));
        Assert.Equal(StorageErrorKind.Owned, (await Store.OwnershipLost.WaitAsync(TestTimeouts.Hang)).Kind);
        Assert.Single(await Store.ReadChatAfterAsync(1, 0, 10));
        Assert.Equal(new RoomPosition(1, "lobby", 1), await Store.GetRoomPositionAsync(1));
        Assert.Null(await Store.GetRoomPositionAsync(2));
    }

    private async Task<IChatStore> OpenSecondAsync()
    {
        IChatStore second = Open();
        await second.InitializeAsync();
        return second;
    }
}
