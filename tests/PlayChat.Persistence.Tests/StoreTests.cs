using Microsoft.Extensions.Logging;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Testing;
using PlayChat.TestUtilities;

namespace PlayChat.Persistence.Tests;

/// <summary>Stores that fail, wait, or hold what cannot be read.</summary>
public sealed class StoreTests : IDisposable
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(10);

    private readonly MemoryRoomStore _store = new();
    private readonly RecordingLogger _log = new();
    private readonly TemporaryDirectory _folder = new();

    public void Dispose()
    {
        _folder.Dispose();
        _log.Dispose();
    }

    [Fact]
    public async Task A_room_whose_store_fails_goes_on_and_its_newest_state_is_saved_when_the_store_is_back()
    {
        await using Game game = await StartAsync();
        _store.Fault = new IOException("The disk is full.");
        (HarnessClient ann, _) = await game.EnterAsync(1, "hall");
        await game.AddAsync(ann, 1);
        await game.AdvanceAsync(s_interval);
        await Eventually.TrueAsync(() => _log.Count(nameof(PersistenceLog.NotSaved)) > 0);
        await game.AddAsync(ann, 1);
        _store.Fault = null;
        await game.AdvanceAsync(s_interval);

        await Eventually.GetAsync(
            async () =>
            {
                await game.AdvanceAsync(TimeSpan.FromSeconds(1)); // the pause before it tries again
                return _store.SumOf("hall");
            },
            static sum => sum == 2);
    }

    [Fact]
    public async Task A_room_that_the_store_refuses_does_not_keep_another_one_from_being_saved()
    {
        var time = new ManualTimeProvider();
        var store = new MemoryRoomStore { Fault = new IOException("The state is too large."), FaultyRoom = "yard" };
        await using var writer = new RoomWriter(store, time, _log.CreateLogger(nameof(RoomWriter)));

        writer.Save("yard", [1]);
        writer.Save("hall", [2]);

        await SavedAsync("hall");
        Assert.Equal(["hall"], store.Rooms.Keys);
        store.Fault = null;
        await SavedAsync("yard");

        Task SavedAsync(string name) => Eventually.TrueAsync(() =>
        {
            time.Advance(TimeSpan.FromSeconds(1)); // the pause after a failure
            return store.Rooms.ContainsKey(name);
        });
    }

    [Fact]
    public async Task A_stop_waits_for_the_store_and_what_a_client_sends_meanwhile_is_not_done()
    {
        Game game = await StartAsync();
        await using (game)
        {
            (HarnessClient ann, _) = await game.EnterAsync(1, "hall");
            await game.AddAsync(ann, 1);
            var held = new TaskCompletionSource();
            _store.Holding = held.Task;
            Task stopping = game.StopAsync();
            SumRoom hall = game.Room("hall");
            await Eventually.TrueAsync(() => game.IsHandedOver("hall"));
            ann.SendPacket(new Add(100));
            await game.IdleAsync();
            Assert.Equal(1, hall.Sum);
            Assert.False(stopping.IsCompleted);

            held.SetResult();
            await stopping;
            Assert.Equal(1, _store.SumOf("hall"));
        }

        Assert.Equal(0, _log.Count(nameof(PersistenceLog.LeftUnsaved)));
    }

    [Fact]
    public async Task A_stop_with_a_store_that_hangs_ends_and_says_what_was_not_saved()
    {
        await using Game game = await StartAsync();
        (HarnessClient ann, _) = await game.EnterAsync(1, "hall");
        await game.AddAsync(ann, 1);
        _store.Holding = new TaskCompletionSource().Task;
        Task stopping = game.StopAsync();
        await Eventually.TrueAsync(() => game.IsHandedOver("hall"));
        await Eventually.GetAsync(
            async () =>
            {
                await game.AdvanceAsync(TimeSpan.FromSeconds(1));
                return stopping.IsCompleted;
            },
            static isOver => isOver);

        Assert.Contains(
            (LogLevel.Error,
                nameof(PersistenceLog.LeftUnsaved),
                "The server stops, and the store has not saved 1 rooms, among them hall. They continue as they were saved before."),
            _log.Entries);
        Assert.Equal(0, _store.SumOf("hall"));
    }

    [Fact]
    public async Task A_state_that_the_room_cannot_read_stays_in_the_store_as_it_is()
    {
        await SaveAsync(sum: 7);
        ReadOnlyMemory<byte> before = _store.Rooms["hall"].Data;

        await using (Game next = await StartAsync(server: static made => made.AddRoom(
            Game.Persistent("hall"), static context => new SumRoom(context) { Unreadable = 7 })))
        {
            (HarnessClient ann, _) = await next.EnterAsync(2, "hall");
            await next.AddAsync(ann, 1);
            Assert.Equal(1, next.Room("hall").Sum); // players can play
            Assert.Equal(1, _log.Count(nameof(PersistenceLog.RestoreFailed)));
            await next.StopAsync();
        }

        Assert.Equal(before, _store.Rooms["hall"].Data);
    }

    [Fact]
    public async Task A_damaged_room_is_left_out_and_nothing_takes_its_place()
    {
        await SaveAsync(sum: 7);
        byte[] data = _store.Rooms["hall"].Data.ToArray();
        data[12] ^= 1;
        _store.Rooms["hall"] = new SavedRoom("hall", data);

        await using Game next = await StartAsync(server: static _ => { });
        var e = Assert.Throws<InvalidOperationException>(() => next.Rooms.Create<SumRoom>(Game.Persistent("hall")));

        const string Problem =
            "The saved room 'hall' is damaged: its checksum is wrong. Bring it back from a backup, or remove it from the store.";
        Assert.Equal(Problem, e.Message);
        Assert.Contains((LogLevel.Error, nameof(PersistenceLog.RoomLeftOut), "A saved room is left out: " + Problem), _log.Entries);
        Assert.Equal(data, _store.Rooms["hall"].Data.ToArray());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(41)]
    [InlineData(60)]
    public async Task A_room_that_was_cut_off_is_damaged(int bytes)
    {
        await SaveAsync(sum: 7);
        _store.Rooms["hall"] = new SavedRoom("hall", _store.Rooms["hall"].Data[..bytes]);

        await using Game next = await StartAsync(server: static _ => { });

        Assert.Equal(1, _log.Count(nameof(PersistenceLog.RoomLeftOut)));
    }

    [Fact]
    public async Task A_room_of_a_newer_version_ends_the_start()
    {
        await SaveAsync(sum: 7);
        byte[] data = _store.Rooms["hall"].Data.ToArray();
        data[0] = 2;
        _store.Rooms["hall"] = new SavedRoom("hall", data);

        var e = await Assert.ThrowsAsync<InvalidDataException>(() => StartAsync());

        Assert.Equal(
            "The room 'hall' was saved by a newer version (format 2; this one reads 1). Start that version, or remove the room from the "
                + "store.",
            e.Message);
    }

    [Fact]
    public async Task A_state_that_is_too_large_is_not_saved_and_the_one_before_stays()
    {
        await SaveAsync(sum: 7);

        await using (Game next = await StartAsync(static options => options.MaxStateBytes = 3))
        {
            await next.StopAsync();
        }

        Assert.Equal(7, _store.SumOf("hall"));
        Assert.Contains(_log.Entries, static entry => entry.Text
            .EndsWith("(hall) has 4 bytes, more than MaxStateBytes (3), and was not saved.", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_room_that_could_not_be_made_keeps_its_saved_state_for_the_next_try()
    {
        await SaveAsync(sum: 7);
        await using Game next = await StartAsync(server: static _ => { });

        Assert.Throws<NotSupportedException>(() => next.Rooms.Create<SumRoom>(
            Game.Persistent("hall"), static _ => throw new NotSupportedException()));
        next.Rooms.Create<SumRoom>(Game.Persistent("hall"));
        await next.IdleAsync();

        Assert.Equal(7, next.Room("hall").Sum);
    }

    [Fact]
    public async Task Resume_tokens_that_a_newer_version_has_written_are_refused_and_kept()
    {
        CancellationToken stop = TestContext.Current.CancellationToken;
        await Tokens().SaveAsync(RecordOf(7, "hash"), stop);
        string file = Assert.Single(Directory.GetFiles(_folder.Path));
        string text = await File.ReadAllTextAsync(file, stop);

        await File.WriteAllTextAsync(file, text.Replace("\"Version\":1", "\"Version\":2", StringComparison.Ordinal), stop);
        FileResumeStore newer = Tokens();
        for (int call = 0; call < 2; call++)
        {
            InvalidDataException error = await Assert.ThrowsAsync<InvalidDataException>(async () => await newer.FindAsync("hash", stop));
            Assert.Contains($"'{file}' are of a newer version (format 2; this one reads 1)", error.Message, StringComparison.Ordinal);
        }

        await File.WriteAllTextAsync(file, text, stop);
        Assert.Equal(7, (await Tokens().FindAsync("hash", stop))?.User.Id);
    }

    [Theory]
    [InlineData("")]
    [InlineData("\0\0\0")]
    [InlineData("{\"Version\":1,\"Rec")]
    [InlineData("null")]
    public async Task A_damaged_file_of_resume_tokens_costs_its_user_alone_and_until_its_next_token(string damaged)
    {
        CancellationToken stop = TestContext.Current.CancellationToken;
        FileResumeStore former = Tokens();
        await former.SaveAsync(RecordOf(7, "seven"), stop);
        await former.SaveAsync(RecordOf(8, "eight"), stop);
        await File.WriteAllTextAsync(_folder.Combine("8.json"), damaged, stop);

        FileResumeStore next = Tokens();
        Assert.Equal(7, (await next.FindAsync("seven", stop))?.User.Id);
        Assert.Null(await next.FindAsync("eight", stop));
        await next.SaveAsync(RecordOf(8, "newer"), stop);

        Assert.Equal(8, (await Tokens().FindAsync("newer", stop))?.User.Id);
    }

    [Fact]
    public void Options_outside_of_their_ranges_are_refused()
    {
        var server = new PlayChatServer();

        Assert.Throws<ArgumentOutOfRangeException>(() => server.UseRoomStore(_store, static options => options.SaveInterval = default));
        Assert.Throws<ArgumentOutOfRangeException>(() => server.UseRoomStore(_store, static options => options.MaxStateBytes = 0));
        server.UseRoomStore(_store);
        Assert.Throws<InvalidOperationException>(() => server.UseRoomStore(_store));
    }

    private static ResumeRecord RecordOf(long user, string hash) => new()
    {
        User = new SessionUser(user, $"user {user}"),
        TokenHash = hash,
        UsedTokenHash = null,
        CloseIsLeave = false,
        ExpiresAt = new ManualTimeProvider().GetUtcNow().AddMinutes(1),
    };

    private async Task SaveAsync(int sum)
    {
        await using Game game = await StartAsync();
        (HarnessClient ann, _) = await game.EnterAsync(1, "hall");
        await game.AddAsync(ann, sum);
        await game.StopAsync();
        Assert.Equal(sum, _store.SumOf("hall"));
    }

    private Task<Game> StartAsync(Action<RoomPersistenceOptions>? options = null, Action<PlayChatServer>? server = null) => Game.StartAsync(
        _store,
        Tokens(),
        options,
        server ?? (static made => made.AddRoom<SumRoom>(Game.Persistent("hall"))),
        _log);

    private FileResumeStore Tokens() => new(_folder.Path, new ManualTimeProvider());
}
