using ArenaServer.Game;
using ArenaServer.Protocol;
using PlayChat.Testing;

namespace PlayChat.Recording.Tests;

/// <summary>The sample's arena is recorded and replayed.</summary>
public sealed class ArenaReplayTests
{
    [Fact]
    public async Task An_arena_that_was_recorded_from_its_creation_replays_identically()
    {
        using var folder = new Folder();
        Arena arena = await Arena.StartAsync(folder, static options => options.Record<ArenaRoom>());
        for (int player = 0; player < 4; player++)
        {
            await arena.JoinAsync($"player {player}");
        }

        await arena.PlayAsync(TimeSpan.FromSeconds(20));
        string file = await arena.StopAsync();

        RoomReplayResult<ArenaRoom> replay = await Arena.ReplayAsync(file);

        replay.ThrowIfDiverged();
        replay.ThrowIfFaulted();
        Assert.Equal(RecordingEnd.RoomEnded, replay.End);
        Assert.InRange(replay.Ticks, 395, 500);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task An_hour_at_20_Hz_with_eight_players_replays_identically()
    {
        using var folder = new Folder();
        Arena arena = await Arena.StartAsync(folder, static options =>
        {
            options.Record<ArenaRoom>();
            options.Limits = new RecordingLimits { MaxDuration = TimeSpan.FromHours(2) };
        });
        for (int player = 0; player < 8; player++)
        {
            HarnessClient client = await arena.JoinAsync($"player {player}");
            client.OnReceived = _ => client.Forget();
        }

        await arena.PlayAsync(TimeSpan.FromHours(1));
        string file = await arena.StopAsync();

        RoomReplayResult<ArenaRoom> replay = await Arena.ReplayAsync(file);

        replay.ThrowIfDiverged();
        Assert.InRange(replay.Ticks, 71_990, 72_010);
        TestContext.Current.TestOutputHelper?.WriteLine($"{replay}; {new FileInfo(file).Length} bytes"); // what the page says of it
    }

    [Fact]
    public async Task A_recording_that_begins_later_continues_from_the_state_of_the_room()
    {
        using var folder = new Folder();
        Arena arena = await Arena.StartAsync(folder);
        await arena.JoinAsync("ada");
        await arena.JoinAsync("bob");
        await arena.PlayAsync(TimeSpan.FromSeconds(3));
        await arena.HaltAsync();
        RoomRecording recording = await arena.Recordings.StartAsync(ArenaRoom.Title);
        await arena.PlayAsync(TimeSpan.FromSeconds(3));
        RecordingResult result = await recording.StopAsync();
        await arena.DisposeAsync();

        RoomReplayResult<ArenaRoom> replay = await Arena.ReplayAsync(result.Path);

        Assert.Equal(RecordingEnd.Stopped, replay.End);
        Assert.Equal(result.Turns, replay.Turns);
        replay.ThrowIfDiverged();
    }

    [Fact]
    public async Task A_player_that_goes_away_and_returns_does_so_in_the_replay()
    {
        using var folder = new Folder();
        Arena arena = await Arena.StartAsync(folder, static options => options.Record<ArenaRoom>());
        HarnessClient ada = await arena.JoinAsync("ada");
        HarnessClient bob = await arena.Harness.ConnectAsync();
        JoinAnswer answer = await bob.RequestAsync<JoinAnswer>(new Join("bob"));
        await arena.PlayAsync(TimeSpan.FromSeconds(1));

        bob.Break();
        await arena.PlayAsync(TimeSpan.FromSeconds(1));
        HarnessClient back = await arena.Harness.ConnectAsync();
        await back.RequestAsync<JoinAnswer>(new Resume(answer.Token));
        await arena.PlayAsync(TimeSpan.FromSeconds(1));
        back.Break();
        await arena.PlayAsync(ArenaRules.SeatKept + TimeSpan.FromSeconds(2));
        string file = await arena.StopAsync();

        RoomReplayResult<ArenaRoom> replay = await Arena.ReplayAsync(file);

        replay.ThrowIfDiverged();
        Assert.Equal(
            [ArenaEventKind.Joined, ArenaEventKind.Away, ArenaEventKind.Returned, ArenaEventKind.Away, ArenaEventKind.Left],
            ada.Received<ArenaEvent>().Select(static seen => seen.Kind).Where(static kind => kind != ArenaEventKind.Scored));
    }
}
