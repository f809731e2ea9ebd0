using Microsoft.Data.Sqlite;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Players.Tests;

/// <summary>A room uses the store without waiting in its turn.</summary>
public sealed class RoomTests : IAsyncLifetime
{
    private static readonly DocumentKey s_position = new("ada", "state", "position");

    private readonly TemporaryDirectory _folder = new();
    private readonly PlayerStore _store;
    private readonly PlayerWriter _writer;

    public RoomTests()
    {
        _store = PlayerStore.OnSqlite(new SqliteStoreOptions { Path = Path });
        _writer = new PlayerWriter(_store, new PlayerWriterOptions { Time = new ManualTimeProvider() }); // so nothing is due by itself
    }

    private string Path => _folder.Combine("players.db");

    public async ValueTask InitializeAsync() => await _store.InitializeAsync();

    public async ValueTask DisposeAsync()
    {
        await _writer.DisposeAsync();
        await _store.DisposeAsync();
        _folder.Dispose();
    }

    [Fact]
    public async Task A_result_comes_back_as_a_job_of_the_room_whose_turn_did_not_wait()
    {
        await using RoomHarness<World> harness = await StartAsync();
        await using var other = new SqliteConnection($"Data Source={Path};Pooling=False");
        await other.OpenAsync();
        SqliteTransaction held = other.BeginTransaction();

        harness.Room.Post(static room => room.Take(ifVersion: PlayerWrite.Absent));
        bool answered = await harness.Room.RequestAsync(static room => room.Answers.Count > 0).AsTask().WaitAsync(TestTimeouts.Hang);
        await held.DisposeAsync();
        await Eventually.GetAsync(() => AnswersAsync(harness), static answers => answers == "taken");
        harness.Room.Post(static room => room.Take(ifVersion: PlayerWrite.Absent));

        await Eventually.GetAsync(() => AnswersAsync(harness), static answers => answers == "taken, conflict");
        Assert.False(answered); // the room ran this while the store was locked
    }

    [Fact]
    public async Task A_failure_comes_back_as_a_job_as_well()
    {
        await using RoomHarness<World> harness = await StartAsync();
        await _store.DisposeAsync();

        harness.Room.Post(static room => room.Take(ifVersion: PlayerWrite.Absent));

        await Eventually.GetAsync(() => AnswersAsync(harness), static answers => answers == nameof(ObjectDisposedException));
    }

    [Fact]
    public async Task What_a_room_has_saved_is_written_when_it_ends()
    {
        await using (RoomHarness<World> harness = await StartAsync())
        {
            harness.Room.Post(static room => room.Move());
        }

        await Eventually.TrueAsync(() => _writer.PendingBytes == 0);
        Assert.NotNull(await _store.ReadAsync(s_position));
    }

    [Fact]
    public async Task What_rooms_have_saved_is_written_when_the_server_stops()
    {
        await using (RoomHarness<World> harness = await StartAsync(flushes: false))
        {
            harness.Room.Post(static room => room.Move());
        }

        await _writer.DisposeAsync();

        Assert.NotNull(await _store.ReadAsync(s_position));
    }

    private static async Task<string> AnswersAsync(RoomHarness<World> harness) =>
        await harness.Room.RequestAsync(static room => string.Join(", ", room.Answers));

    private Task<RoomHarness<World>> StartAsync(bool flushes = true) =>
        RoomHarness.StartAsync(context => new World(context, _writer, flushes));

    private sealed class World(RoomContext context, PlayerWriter writer, bool flushes) : Room<RoomMember>(context)
    {
        public List<string> Answers { get; } = [];

        public void Take(long ifVersion) => writer
            .ExecuteAsync([PlayerWrite.Put(new DocumentKey("ada", "items", "sword"), "black"u8, ifVersion)])
            .PostResult(
                this,
                static (room, result) => room.Answer(result.HasHappened ? "taken" : "conflict"),
                static (room, exception) => room.Answer(exception.GetType().Name));

        public void Move() => writer.TrySave(PlayerWrite.Put(s_position, "1"u8));

        protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

        protected override void OnDispose()
        {
            if (flushes)
            {
                _ = writer.FlushAsync();
            }
        }

        private void Answer(string text)
        {
            SetProperty("answer", text); // throws outside the room's turn
            Answers.Add(text);
        }
    }
}
