using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Testing;
using PlayChat.TestUtilities;

namespace PlayChat.Persistence.Tests;

/// <summary>Rooms, members and tokens after the end of a server, in files.</summary>
public sealed class RestartTests : IDisposable
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(10);

    private readonly TemporaryDirectory _folder = new();

    private string Rooms => _folder.Combine("rooms");

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task After_a_stop_a_room_continues_where_it_was_and_its_member_is_back_by_its_token(bool isMadeAtTheStart)
    {
        Action<RoomPersistenceOptions>? options = isMadeAtTheStart ? static options => options.Add<SumRoom>() : null;
        ReadOnlyMemory<byte> token;
        long id;
        await using (Game game = await StartAsync(options))
        {
            (HarnessClient ann, token) = await game.EnterAsync(1, "hall", "blue");
            await game.AddAsync(ann, 42);
            SumRoom room = game.Room("hall");
            await room.PostAsync(static hall => hall.Rename("The hall"));
            await room.PostAsync(static hall => hall.Lock());
            id = room.Id;
            await game.StopAsync();
            Assert.Equal(["enter"], room.Hooks); // nobody has left: they come back
        }

        await using Game next = await StartAsync(options);
        await next.IdleAsync();
        SumRoom hall = next.Room("hall");
        Assert.Equal((id, 42, true), (hall.Id, hall.Sum, hall.Restored!.IsComplete));
        Assert.Equal((1, true, "The hall"), (hall.MemberCount, hall.Info.IsLocked, hall.Info.Properties["title"]));
        Assert.Equal(["away"], hall.Hooks);
        (HarnessClient back, ReadOnlyMemory<byte> newer) = await next.ComeBackAsync(token);

        Assert.Equal([new Sum(42, "blue", IsRecovered: false)], back.Received<Sum>());
        Assert.Equal(["away", "return"], hall.Hooks);
        Assert.Same(back.Session.Connection, next.Sessions.FindUser(1)!.Connection);
        Assert.NotEqual(token, newer);
        await next.AddAsync(back, 1);
        Assert.Equal(43, hall.Sum);
    }

    [Fact]
    public async Task After_a_crash_a_room_continues_as_it_was_saved_last_and_is_told_so()
    {
        ReadOnlyMemory<byte> token;
        await using (Game game = await StartAsync())
        {
            (HarnessClient ann, token) = await game.EnterAsync(1, "hall");
            await game.AddAsync(ann, 1);
            await Eventually.TrueAsync(() => SavedSum() == 0); // the clock must not run out of patience with the disk
            await game.AdvanceAsync(s_interval);
            await Eventually.TrueAsync(() => SavedSum() == 1);
            await game.AddAsync(ann, 100); // lost
        }

        await using Game next = await StartAsync();
        await next.IdleAsync();
        SumRoom hall = next.Room("hall");
        Assert.Equal((1, false), (hall.Sum, hall.Restored!.IsComplete));
        Assert.NotEqual(default, hall.Restored.SavedAt);
        (HarnessClient back, _) = await next.ComeBackAsync(token);
        Assert.Equal([new Sum(1, "red", IsRecovered: false)], back.Received<Sum>());
    }

    [Fact]
    public async Task A_member_that_is_not_back_within_the_window_leaves()
    {
        ReadOnlyMemory<byte> token = await RunAsync();

        await using Game next = await StartAsync();
        await next.AdvanceAsync(Game.Window);

        Assert.Equal(["away", "leave SessionEnded"], next.Room("hall").Hooks);
        Assert.Equal(0, next.Sessions.AwayCount);
        (HarnessClient late, ReadOnlyMemory<byte> newer) = await next.ComeBackAsync(token);
        Assert.False(newer.IsEmpty); // the user is logged in again, without the room
        Assert.Empty(late.Received<Sum>());
    }

    [Fact]
    public async Task A_new_login_has_the_user_in_place_of_the_member_that_was_away()
    {
        ReadOnlyMemory<byte> token = await RunAsync();

        await using Game next = await StartAsync();
        (HarnessClient ann, _) = await next.EnterAsync(1, "hall", "green");

        Assert.Equal(["away", "leave SessionEnded", "enter"], next.Room("hall").Hooks);
        Assert.Same(ann.Session, next.Sessions.FindUser(1));
        Assert.True((await next.ComeBackAsync(token)).Token.IsEmpty);
    }

    [Fact]
    public async Task A_member_that_was_away_at_the_stop_keeps_its_seat()
    {
        ReadOnlyMemory<byte> token;
        await using (Game game = await StartAsync())
        {
            (HarnessClient ann, token) = await game.EnterAsync(1, "hall");
            ann.Break();
            await game.IdleAsync();
            SumRoom hall = game.Room("hall");
            await game.StopAsync();
            Assert.Equal(["enter", "away"], hall.Hooks);
        }

        await using Game next = await StartAsync();
        (HarnessClient back, _) = await next.ComeBackAsync(token);

        Assert.Equal([new Sum(0, "red", IsRecovered: false)], back.Received<Sum>());
    }

    [Fact]
    public async Task A_member_of_two_rooms_is_back_in_both_and_a_session_without_a_user_in_none()
    {
        ReadOnlyMemory<byte> token;
        await using (Game game = await StartAsync(server: AddTwo))
        {
            (HarnessClient ann, token) = await game.EnterAsync(1, "hall");
            Assert.True((await game.Room("yard").JoinAsync(ann.Session, new Join("red"))).IsJoined);
            HarnessClient nobody = await game.ConnectAsync();
            Assert.True((await game.Room("yard").JoinAsync(nobody.Session, new Join("red"))).IsJoined);
            await game.StopAsync();
        }

        await using Game next = await StartAsync(server: AddTwo);
        await next.ComeBackAsync(token);

        Assert.Equal((1, 1), (next.Room("hall").MemberCount, next.Room("yard").MemberCount));
        Assert.Equal(["away", "return"], next.Room("yard").Hooks);

        static void AddTwo(PlayChatServer server) =>
            server.AddRoom<SumRoom>(Game.Persistent("hall")).AddRoom<SumRoom>(Game.Persistent("yard"));
    }

    [Fact]
    public async Task Rooms_that_players_have_made_are_there_after_the_start_and_those_that_have_ended_are_not()
    {
        await using (Game game = await StartAsync(Made))
        {
            game.Rooms.Create<SumRoom>(Game.Persistent("match 1"));
            SumRoom over = game.Rooms.Create<SumRoom>(Game.Persistent("match 2"));
            game.Rooms.Create<SumRoom>("fleeting");
            await game.IdleAsync();
            await over.PostAsync(static room => room.End());
            await game.StopAsync();
        }

        long last;
        await using (Game next = await StartAsync(Made))
        {
            string[] names = [.. next.Rooms.All.OfType<SumRoom>().Select(static room => room.Name).Order(StringComparer.Ordinal)];
            Assert.Equal("hall, match 1", string.Join(", ", names));
            SumRoom present = next.Room("match 1");
            Assert.Same(present, next.Rooms.Create<SumRoom>(Game.Persistent("match 1"))); // asked for by its name
            var twice = Assert.Throws<InvalidOperationException>(() => next.Rooms.Create<SumRoom>(Game.Persistent("match 1")));
            Assert.Equal("The server has a room named 'match 1' already that survives a restart.", twice.Message);
            last = next.Rooms.Create<SumRoom>("fleeting").Id;
            Assert.True(last > present.Id);
            await next.StopAsync();
        }

        Assert.Equal(2, Directory.GetFiles(Rooms, "*.room").Length);

        static void Made(RoomPersistenceOptions options) => options.Add<SumRoom>();
    }

    [Fact]
    public async Task A_room_of_a_kind_that_is_not_known_waits_until_the_application_creates_it()
    {
        await using (Game game = await StartAsync(static options => options.Add<SumRoom>(kind: "sum")))
        {
            game.Rooms.Create<SumRoom>(Game.Persistent("match 1"));
            await game.StopAsync();
        }

        var log = new RecordingLogger();
        await using (Game next = await StartAsync(log: log))
        {
            Assert.Null(next.Rooms.Find<SumRoom>("match 1"));
            Assert.Contains(log.Entries, static entry => entry.Text.Contains("match 1 of the kind sum waits", StringComparison.Ordinal));
            await next.StopAsync(); // and stays in the store
        }

        await using Game third = await StartAsync();
        Assert.NotNull(third.Rooms.Create<SumRoom>(Game.Persistent("match 1")).Restored);
    }

    [Theory]
    [InlineData("length")]
    [InlineData("name")]
    [InlineData("end")]
    public async Task A_file_that_does_not_tell_its_room_is_kept_when_the_room_begins_anew(string damage)
    {
        await RunAsync();
        string file = Assert.Single(Directory.GetFiles(Rooms, "*.room"));
        byte[] content = await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken);
        switch (damage)
        {
            case "length":
                content.AsSpan(0, sizeof(int)).Fill(0xFF);
                break;
            case "name":
                content[sizeof(int)] ^= 1;
                break;
            default:
                content = content[..3];
                break;
        }

        await File.WriteAllBytesAsync(file, content, TestContext.Current.CancellationToken);

        using var log = new RecordingLogger();
        await using (Game next = await StartAsync(log: log))
        {
            Assert.Null(next.Room("hall").Restored);
            await next.StopAsync();
        }

        string kept = Assert.Single(Directory.GetFiles(Rooms, "*.damaged-*"));
        Assert.Equal(content, await File.ReadAllBytesAsync(kept, TestContext.Current.CancellationToken));
        Assert.Contains(log.Entries, entry => entry.Event == nameof(PersistenceLog.RoomLeftOut)
            && entry.Text.Contains(Path.GetFileName(kept), StringComparison.Ordinal));
        Assert.True(File.Exists(file));
    }

    [Fact]
    public async Task Two_servers_do_not_keep_their_rooms_in_one_folder()
    {
        await using Game game = await StartAsync();

        IOException e = await Assert.ThrowsAsync<IOException>(() => StartAsync());

        Assert.StartsWith("Another server keeps its rooms in ", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_store_a_room_that_is_to_survive_is_refused()
    {
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(GamePackets.All, static _ => { });

        var e = Assert.Throws<InvalidOperationException>(() => harness.Server.Rooms.Create<SumRoom>(Game.Persistent("hall")));

        Assert.Equal("The room 'hall' is to survive a restart, but nothing saves it: call UseRoomStore before the start.", e.Message);
    }

    private async Task<ReadOnlyMemory<byte>> RunAsync()
    {
        await using Game game = await StartAsync();
        (_, ReadOnlyMemory<byte> token) = await game.EnterAsync(1, "hall");
        await game.StopAsync();
        return token;
    }

    private Task<Game> StartAsync(
        Action<RoomPersistenceOptions>? options = null, Action<PlayChatServer>? server = null, RecordingLogger? log = null)
    {
        Action<PlayChatServer> configure = server ?? (static made => made.AddRoom<SumRoom>(Game.Persistent("hall")));
        var tokens = new FileResumeStore(_folder.Combine("sessions"), new ManualTimeProvider());
        return Game.StartAsync(new FileRoomStore(Rooms), tokens, options, configure, log);
    }

    private int? SavedSum() => Directory.GetFiles(Rooms, "*.room") is [var file]
        ? BitConverter.ToInt32(
            RoomImage.Read(new SavedRoom("hall", File.ReadAllBytes(file).AsMemory(sizeof(int) + "hall".Length))).State)
        : null;
}
