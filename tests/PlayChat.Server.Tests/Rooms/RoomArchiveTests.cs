using Microsoft.Extensions.Logging;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Sessions;
using PlayChat.Server.Tests.Chat;
using PlayChat.Server.Tests.ChatLog;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Rooms;

public sealed class RoomArchiveTests : IAsyncLifetime
{
    private readonly RecordingLogger _log = new();
    private readonly RoomStates _store = RoomStates.Create();
    private TestServer _server = null!;
    private RoomArchive _archive = null!;

    public async ValueTask InitializeAsync()
    {
        _server = await TestServer.StartAsync();
        _archive = new RoomArchive(
            _server.Server, _store.Store, _server.Get<ServerSettings>(), _server.Get<RoomQuotas>(), _server.Get<ShutdownState>(),
            TimeProvider.System, new Logger<RoomArchive>(_log));
    }

    public async ValueTask DisposeAsync()
    {
        await _archive.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task A_stop_notes_every_open_room_however_many_there_are()
    {
        const int Rooms = RoomArchive.MaxWaiting + 100;
        var goOn = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        long[] opened = await OpenAsync(Rooms);
        _store.OnSetState = (_, _) => goOn.Task;

        Task stopping = _archive.StopAsync(isWhole: true, CancellationToken.None);
        goOn.SetResult(true);
        await stopping.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(opened, _store.Noted.Order());
        Assert.Empty(_log.Entries);
    }

    [Fact]
    public async Task A_stop_leaves_a_database_that_fails_and_says_of_how_many_rooms()
    {
        await OpenAsync(3);
        _store.OnSetState = (_, _) => _store.Noted.Count == 1
            ? Task.FromResult(true)
            : Task.FromException<bool>(new StorageException(StorageErrorKind.Unavailable, "It is away."));

        await _archive.StopAsync(isWhole: true, CancellationToken.None).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(2, _store.Noted.Count);
        Assert.Collection(
            _log.Entries,
            static first => Assert.EndsWith("It is away.", first.Text, StringComparison.Ordinal),
            static second => Assert.StartsWith("2 changes of rooms are not in the database", second.Text, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_room_of_a_cluster_is_not_removed_as_long_as_the_database_does_not_take_that()
    {
        var store = new FaultyStore();
        await using TestServer server = await TestServer.StartInAsync(null, store.Wrap);
        await server.Store.SaveRoomAsync(7, "den", DateTimeOffset.UnixEpoch);
        var settings = new ServerSettings { Cluster = { NodeId = 1 }, Rooms = { Lasting = AutoSwitch.True } };
        await using var archive = new RoomArchive(
            server.Server, server.Store, settings, server.Get<RoomQuotas>(), server.Get<ShutdownState>(), TimeProvider.System,
            new Logger<RoomArchive>(_log));

        store.RoomFault = new StorageException(StorageErrorKind.Unavailable, "It is away.");
        await Assert.ThrowsAsync<StorageException>(() => archive.TryRemoveSharedAsync(7, CancellationToken.None));
        store.RoomFault = null;

        Assert.True(await archive.TryRemoveSharedAsync(7, CancellationToken.None));
        Assert.False(await archive.TryRemoveSharedAsync(7, CancellationToken.None));
    }

    [Fact]
    public async Task A_stop_after_which_messages_are_missing_leaves_the_rooms_as_a_kill_does()
    {
        await OpenAsync(3);

        Assert.True(await _archive.StopAsync(isWhole: false, CancellationToken.None).WaitAsync(TestTimeouts.Hang));

        Assert.Empty(_store.Noted);
    }

    [Fact]
    public async Task A_stop_whose_time_is_over_waits_neither_for_a_state_nor_for_a_change_that_the_database_does_not_answer()
    {
        await OpenAsync(1);
        using var time = new CancellationTokenSource();
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var never = new TaskCompletionSource<bool>();
        _store.OnSetState = (_, _) =>
        {
            asked.SetResult();
            return never.Task;
        };
        _archive.Remove(await MakeAndAddAsync(), static () => { });
        await asked.Task.WaitAsync(TestTimeouts.Hang);

        Task<bool> stopping = _archive.StopAsync(isWhole: true, time.Token);
        await time.CancelAsync();

        Assert.False(await stopping.WaitAsync(TestTimeouts.Hang));
        await _archive.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task Who_waits_for_a_change_hears_that_a_stop_has_given_it_up()
    {
        using var time = new CancellationTokenSource();
        var goOn = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        _store.OnSave = () => goOn.Task;
        _archive.Add(Make(), DateTimeOffset.UnixEpoch);
        await Eventually.TrueAsync(() => _store.Saves == 1); // it waits outside of the queue
        Task<bool> written = _archive.WrittenAsync(_archive.LeftOut);

        Task<bool> stopping = _archive.StopAsync(isWhole: false, time.Token);
        await time.CancelAsync();
        Assert.False(await stopping.WaitAsync(TestTimeouts.Hang));
        goOn.SetResult(true);

        Assert.False(await written.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_stop_whose_time_is_over_says_how_many_rooms_it_has_not_noted()
    {
        using var time = new CancellationTokenSource();
        await OpenAsync(3);
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _store.OnSetState = (_, cancellationToken) =>
        {
            asked.SetResult();
            return new TaskCompletionSource<bool>().Task.WaitAsync(cancellationToken);
        };

        Task stopping = _archive.StopAsync(isWhole: true, time.Token);
        await asked.Task.WaitAsync(TestTimeouts.Hang);
        await time.CancelAsync();
        await stopping.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1, _log.Count("RoomNotSaved"));
        Assert.StartsWith("3 changes of rooms", _log.Entries.Last().Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_the_queue_has_no_space_for_is_logged_when_it_begins_and_counted_when_it_is_over()
    {
        var goOn = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        _store.OnSave = () => goOn.Task;
        ChatRoom room = Make();

        _archive.Add(room, DateTimeOffset.UnixEpoch);
        await Eventually.TrueAsync(() => _store.Saves == 1); // it waits outside of the queue
        for (int i = 0; i < RoomArchive.MaxWaiting + 7; i++)
        {
            _archive.Add(room, DateTimeOffset.UnixEpoch);
        }

        Assert.Equal("RoomNotSaved", Assert.Single(_log.Entries).Event);
        goOn.SetResult(true);
        await Eventually.TrueAsync(() => _log.Count("RoomsNotSaved") == 1);

        Assert.StartsWith("7 changes of rooms", _log.Entries.Last().Text, StringComparison.Ordinal);
        Assert.Equal(RoomArchive.MaxWaiting + 1, _store.Saves);
    }

    /// <returns>Their ids, in order; the store has all of them.</returns>
    private async Task<long[]> OpenAsync(int rooms)
    {
        long[] ids = new long[rooms];
        for (int i = 0; i < rooms; i++)
        {
            ChatRoom room = Make();
            ids[i] = room.Id;
            _archive.Add(room, DateTimeOffset.UnixEpoch);
            if ((i + 1) % RoomArchive.MaxWaiting == 0 || i + 1 == rooms)
            {
                await Eventually.TrueAsync(() => _store.Saves == i + 1);
            }
        }

        return ids;
    }

    private async Task<ChatRoom> MakeAndAddAsync()
    {
        int saves = _store.Saves;
        ChatRoom room = Make();
        _archive.Add(room, DateTimeOffset.UnixEpoch);
        await Eventually.TrueAsync(() => _store.Saves == saves + 1);
        return room;
    }

    private ChatRoom Make()
    {
        ChatRoomServices services = _server.Get<ChatRoomServices>();
        return _server.Server.Rooms.Create(
            "room", context => new ChatRoom(context, services, services.CreateOrder(), RoomKind.None));
    }
}
